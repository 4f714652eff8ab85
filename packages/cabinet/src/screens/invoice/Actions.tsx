/** What may be done with an invoice by the person who looks at it. */
import { useMutation } from "@tanstack/react-query"
import { Ban, ExternalLink, RefreshCw, Undo2 } from "lucide-react"
import { useState } from "react"
import { useOrganization } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { Button } from "../../parts/Button.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { useExplanation } from "../../parts/Refused.tsx"
import { Share } from "../../parts/Share.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"
import { isOpen, useReadNow } from "../till/LiveInvoice.ts"
import { CancelDialog } from "./CancelDialog.tsx"
import styles from "./Invoice.module.css"
import { isUnanswered, takeAsRead } from "./RefundTries.ts"

const RefundDialog = loadedPart(() => import("./RefundDialog.tsx").then(({ RefundDialog }) => RefundDialog))

interface ActionsProps {
  readonly invoice: InvoiceFacts
}

/** What is left to give back, as far as the person may; null: nothing. */
const useRefundable = ({ status, amount, refundedAmount, mode }: InvoiceFacts): number | null => {
  const reach = useMay()("invoices:refund")
  const { data } = useOrganization()
  const isPaid = status === "paid" || status === "partially_refunded"
  if (!isPaid || reach === null) return null
  const left = Math.round((amount - refundedAmount) * 100) / 100
  if (reach !== "limited" || mode === "sandbox") return left
  // What was given back before counts towards the most that a cashier may.
  const most = Math.round(((data?.refundLimit ?? 0) - refundedAmount) * 100) / 100
  return most <= 0 ? null : Math.min(left, most)
}

/** The buttons. */
export const Actions = ({ invoice }: ActionsProps) => {
  const { texts } = useWords()
  const may = useMay()
  const refundable = useRefundable(invoice)
  const [dialog, setDialog] = useState<"refund" | "cancel" | null>(null)
  const close = () => setDialog(null)
  const refund = useRefundStart(invoice.id, () => setDialog("refund"))
  return (
    <div className={styles["actions"]}>
      {refundable !== null && (
        <Button look="second" isSmall isBusy={refund.isPending} onClick={() => refund.mutate()}>
          <Undo2 size={18} aria-hidden />
          {texts.invoice.refund}
        </Button>
      )}
      {isOpen(invoice) && (
        <Share url={invoice.payUrl} copyText={texts.invoice.copyLink} shareText={texts.invoice.share} />
      )}
      <a className={styles["page"]} href={invoice.payUrl} target="_blank" rel="noreferrer">
        <ExternalLink size={18} aria-hidden />
        {texts.invoice.toPage}
      </a>
      {invoice.mode === "live" && <AskNow invoice={invoice} />}
      {isOpen(invoice) && may("invoices:cancel") !== null && (
        <Button look="bad" isSmall onClick={() => setDialog("cancel")}>
          <Ban size={18} aria-hidden />
          {texts.invoice.cancel}
        </Button>
      )}
      {dialog === "cancel" && <CancelDialog invoice={invoice} onClose={close} />}
      {dialog === "refund" && refundable !== null && (
        <RefundDialog invoice={invoice} most={refundable} onClose={close} />
      )}
    </div>
  )
}

/** Begins a refund: after one without an answer, only of an invoice that is read anew, so that its sums are right. */
const useRefundStart = (id: string, onReady: () => void) => {
  const notify = useNotify()
  const explain = useExplanation()
  const readNow = useReadNow(id)
  return useMutation({
    mutationFn: async () => {
      if (!isUnanswered(id)) return
      await readNow()
      takeAsRead(id)
    },
    onSuccess: onReady,
    onError: (failure) => {
      const { title, advice } = explain(failure)
      notify({ title, tone: "bad", ...(advice !== null && { text: advice }) })
    }
  })
}

/** Has the bank asked at this moment. */
const AskNow = ({ invoice }: ActionsProps) => {
  const { texts } = useWords()
  const notify = useNotify()
  const explain = useExplanation()
  const readNow = useReadNow(invoice.id)
  const look = useMutation({
    mutationFn: readNow,
    onSuccess: ({ status }) => notify({ title: texts.invoice.asked, text: texts.statuses[status] }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" })
  })
  return (
    <Button look="plain" isSmall isBusy={look.isPending} onClick={() => look.mutate()}>
      <RefreshCw size={18} aria-hidden />
      {texts.invoice.ask}
    </Button>
  )
}
