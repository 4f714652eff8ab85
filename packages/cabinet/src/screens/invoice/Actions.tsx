/** What may be done with an invoice by the person who looks at it. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { instant } from "@tolem/http-server/pages/Formats"
import { Ban, ExternalLink, RefreshCw, Undo2 } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { ask } from "../../api/Session.ts"
import { useOrganization } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused, useExplanation } from "../../parts/Refused.tsx"
import { Share } from "../../parts/Share.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type InvoiceFacts, useInvoiceReading } from "../till/Creation.ts"
import { isOpen } from "../till/LiveInvoice.ts"
import styles from "./Invoice.module.css"

const RefundDialog = lazy(() => import("./RefundDialog.tsx").then(({ RefundDialog }) => ({ default: RefundDialog })))

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
  return (
    <div className={styles["actions"]}>
      {refundable !== null && (
        <Button look="second" isSmall onClick={() => setDialog("refund")}>
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
        <Suspense fallback={null}>
          <RefundDialog invoice={invoice} most={refundable} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

/** Has the bank asked at this moment. */
const AskNow = ({ invoice }: ActionsProps) => {
  const { texts } = useWords()
  const notify = useNotify()
  const explain = useExplanation()
  const queries = useQueryClient()
  const { params, query } = useGiven()
  const { queryKey } = useInvoiceReading(invoice.id)
  const look = useMutation({
    mutationFn: () => {
      const given = { params: { ...params, id: invoice.id }, query: { ...query, live: 1 } }
      return ask("GET /panel/orgs/:organizationId/invoices/:id", given)
    },
    onSuccess: (found) => {
      queries.setQueryData(queryKey, found)
      notify({ title: texts.invoice.asked, text: texts.statuses[found.status] })
    },
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" })
  })
  return (
    <Button look="plain" isSmall isBusy={look.isPending} onClick={() => look.mutate()}>
      <RefreshCw size={18} aria-hidden />
      {texts.invoice.ask}
    </Button>
  )
}

const CancelDialog = ({ invoice, onClose }: ActionsProps & { readonly onClose: () => void }) => {
  const { texts, language } = useWords()
  const notify = useNotify()
  const forget = useForgetInvoices()
  const { params, query } = useGiven()
  const cancel = useMutation({
    mutationFn: () =>
      ask("POST /panel/orgs/:organizationId/invoices/:id/cancel", { params: { ...params, id: invoice.id }, query }),
    onSuccess: ({ stillPayableUntil }) => {
      const until = stillPayableUntil ?? null
      notify({
        title: texts.invoice.cancelled,
        ...(until !== null && { text: texts.invoice.stillPayable(instant(Date.parse(until), language)) })
      })
      onClose()
    },
    onSettled: () => forget()
  })
  return (
    <Dialog title={texts.invoice.cancelTitle} text={texts.invoice.cancelText} onClose={onClose}>
      {cancel.error !== null && <Refused failure={cancel.error} />}
      <Button look="bad" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        {texts.invoice.cancel}
      </Button>
    </Dialog>
  )
}
