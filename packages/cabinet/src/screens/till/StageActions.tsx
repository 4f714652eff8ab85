/** What may be done with a payment that is awaited. */
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { ask } from "../../api/Session.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"
import { readySound } from "../../browser/Sound.ts"
import { Button } from "../../parts/Button.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import { CancelDialog } from "../invoice/CancelDialog.tsx"
import type { InvoiceFacts } from "./Creation.ts"
import styles from "./Stage.module.css"

interface StageActionsProps {
  readonly invoice: InvoiceFacts
}

/** Buttons for those who may. */
export const StageActions = ({ invoice }: StageActionsProps) => {
  const { texts } = useWords()
  const may = useMay()
  const { params, query } = useGiven()
  const forget = useForgetInvoices()
  const given = { params: { ...params, id: invoice.id }, query }
  const settle = { onSettled: () => forget() }
  const pretend = useMutation({
    mutationFn: () =>
      ask("POST /panel/orgs/:organizationId/invoices/:id/simulate", { ...given, body: { status: "paid" } }),
    ...settle
  })
  const [isAsked, setAsked] = useState(false)
  return (
    <div className={styles["last"]}>
      {pretend.error !== null && <Refused failure={pretend.error} />}
      {invoice.mode === "sandbox" && may("invoices:simulate") !== null && (
        <Button
          look="second"
          isBusy={pretend.isPending}
          onClick={() => {
            readySound()
            pretend.mutate()
          }}
        >
          {texts.till.pretend}
        </Button>
      )}
      {may("invoices:cancel") !== null && (
        <Button look="bad" onClick={() => setAsked(true)}>
          {texts.till.cancel}
        </Button>
      )}
      {isAsked && <CancelDialog invoice={invoice} isQuiet onClose={() => setAsked(false)} />}
    </div>
  )
}
