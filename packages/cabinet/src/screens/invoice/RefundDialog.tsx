/** Gives back all or a part of a payment. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"
import { amountOf, amountText, faultOf } from "../../parts/AmountText.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"
import { leavesOpen, type RefundOrder, refundDone, refundFailed, refundKey } from "./RefundTries.ts"

interface RefundDialogProps {
  readonly invoice: InvoiceFacts
  /** The most that the person may give back now. */
  readonly most: number
  readonly onClose: () => void
}

/** Sends it. What is pressed again after an answer was lost is done once. */
const useRefund = (id: string, onDone: () => void) => {
  const { params, query } = useGiven()
  const forget = useForgetInvoices()
  return useMutation({
    mutationFn: (body: RefundOrder) => {
      const given = { params: { ...params, id }, query, body }
      const asking = { idempotencyKey: refundKey(id, body) }
      return askFresh("POST /panel/orgs/:organizationId/invoices/:id/refund", given, asking)
    },
    onSuccess: (_, order) => {
      refundDone(id, order)
      onDone()
    },
    onError: (failure) => refundFailed(id, failure),
    onSettled: () => forget()
  })
}

/** The dialog. */
export const RefundDialog = ({ invoice, most, onClose }: RefundDialogProps) => {
  const { texts } = useWords()
  const { invoice: words } = texts
  const notify = useNotify()
  const [typed, setTyped] = useState<string | null>(null)
  const [reason, setReason] = useState("")
  const [isWrong, setWrong] = useState(false)
  const refund = useRefund(invoice.id, () => {
    notify({ title: words.refundDone, tone: "good" })
    onClose()
  })
  // Until it is answered, what was sent may only be sent again.
  const again = refund.error !== null && leavesOpen(refund.error) ? refund.variables : undefined
  const amount = typed ?? amountText(String(most).replace(".", ","))
  const sum = amountOf(amount)
  const fault = faultOf(amount)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (refund.isPending) return
    if (again !== undefined) return refund.mutate(again)
    const fits = sum !== null && sum <= most
    setWrong(!fits)
    if (!fits) return event.currentTarget.querySelector("input")?.focus()
    setTyped(amount)
    refund.mutate({ amount: sum, ...(reason.trim() !== "" && { reason: reason.trim() }) })
  }
  const type = (next: string) => {
    setTyped(amountText(next))
    setWrong(false)
    refund.reset()
  }
  const isFixed = refund.isPending || again !== undefined
  return (
    <Dialog title={words.refundTitle} text={words.refundText(tenge(most))} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={`${words.refundAmount}, ₸`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          readOnly={isFixed}
          wrong={fault !== null ? texts.common.amountFaults[fault] : isWrong ? words.refundWrong(tenge(most)) : null}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          autoFocus
        />
        <Field
          label={`${words.refundReason} (${texts.common.optional})`}
          maxLength={200}
          readOnly={isFixed}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {refund.error !== null && <Refused failure={refund.error} />}
        {again !== undefined && <p>{words.refundUnanswered}</p>}
        <Button type="submit" isBusy={refund.isPending}>
          {sum === null ? words.refund : words.refundDo(tenge(sum))}
        </Button>
      </form>
    </Dialog>
  )
}
