/** Asks before an invoice is cancelled. */
import { useMutation } from "@tanstack/react-query"
import { instant } from "@tolem/http-server/pages/Formats"
import { ask } from "../../api/Session.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"
import styles from "./Invoice.module.css"

interface CancelDialogProps {
  readonly invoice: InvoiceFacts
  /** Whether the screen behind shows by itself what comes of it. */
  readonly isQuiet?: boolean
  readonly onClose: () => void
}

/** The question, and what is told afterwards. */
export const CancelDialog = ({ invoice, isQuiet = false, onClose }: CancelDialogProps) => {
  const { texts, language } = useWords()
  const notify = useNotify()
  const forget = useForgetInvoices()
  const { params, query } = useGiven()
  const cancel = useMutation({
    mutationFn: () =>
      ask("POST /panel/orgs/:organizationId/invoices/:id/cancel", { params: { ...params, id: invoice.id }, query }),
    onSuccess: ({ stillPayableUntil }) => {
      onClose()
      if (isQuiet) return
      const until = stillPayableUntil ?? null
      notify({
        title: texts.invoice.cancelled,
        ...(until !== null && { text: texts.invoice.stillPayable(instant(Date.parse(until), language)) })
      })
    },
    onSettled: () => forget()
  })
  return (
    <Dialog title={texts.invoice.cancelTitle} text={texts.invoice.cancelText} onClose={onClose}>
      {cancel.error !== null && <Refused failure={cancel.error} />}
      <Button look="bad" className={styles["settling"]} isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        {texts.invoice.cancel}
      </Button>
    </Dialog>
  )
}
