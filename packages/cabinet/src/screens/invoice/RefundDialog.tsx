/** Gives back all or a part of a payment. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useRef, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"
import { freshKey } from "../../browser/Keys.ts"
import { amountOf, amountText } from "../../parts/AmountText.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"

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
  const sent = useRef({ text: "", key: "" })
  return useMutation({
    mutationFn: (body: { readonly amount: number; readonly reason?: string }) => {
      const text = JSON.stringify(body)
      if (sent.current.text !== text) sent.current = { text, key: freshKey() }
      const given = { params: { ...params, id }, query, body }
      const asking = { idempotencyKey: sent.current.key }
      return askFresh("POST /panel/orgs/:organizationId/invoices/:id/refund", given, asking)
    },
    onSuccess: onDone,
    onSettled: () => forget()
  })
}

/** The dialog. */
export const RefundDialog = ({ invoice, most, onClose }: RefundDialogProps) => {
  const { texts } = useWords()
  const { invoice: words } = texts
  const notify = useNotify()
  const [amount, setAmount] = useState(() => amountText(String(most).replace(".", ",")))
  const [reason, setReason] = useState("")
  const [isWrong, setWrong] = useState(false)
  const refund = useRefund(invoice.id, () => {
    notify({ title: words.refundDone, tone: "good" })
    onClose()
  })
  const sum = amountOf(amount)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fits = sum !== null && sum <= most
    setWrong(!fits)
    if (fits) refund.mutate({ amount: sum, ...(reason.trim() !== "" && { reason: reason.trim() }) })
    else event.currentTarget.querySelector("input")?.focus()
  }
  const type = (typed: string) => {
    setAmount(amountText(typed))
    setWrong(false)
    refund.reset()
  }
  return (
    <Dialog title={words.refundTitle} text={words.refundText(tenge(most))} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={`${words.refundAmount}, ₸`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          wrong={isWrong ? words.refundWrong(tenge(most)) : null}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          autoFocus
        />
        <Field
          label={`${words.refundReason} (${texts.common.optional})`}
          maxLength={200}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {refund.error !== null && <Refused failure={refund.error} />}
        <Button type="submit" isBusy={refund.isPending}>
          {sum === null ? words.refund : words.refundDo(tenge(sum))}
        </Button>
      </form>
    </Dialog>
  )
}
