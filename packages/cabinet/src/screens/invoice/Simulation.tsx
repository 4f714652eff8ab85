/** In the sandbox: what the customer does, pretended. */
import { useMutation } from "@tanstack/react-query"
import { ask } from "../../api/Session.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"
import { isOpen } from "../till/LiveInvoice.ts"
import styles from "./Invoice.module.css"

const outcomes = ["paid", "failed", "expired"] as const

/** The choice; nothing of a live invoice, of one that is over, or for who may not. */
export const Simulation = ({ invoice }: { readonly invoice: InvoiceFacts }) => {
  const { texts } = useWords()
  const may = useMay()
  const { params, query } = useGiven()
  const forget = useForgetInvoices()
  const given = { params: { ...params, id: invoice.id }, query }
  const pretend = useMutation({
    mutationFn: (status: (typeof outcomes)[number]) =>
      ask("POST /panel/orgs/:organizationId/invoices/:id/simulate", { ...given, body: { status } }),
    onSettled: () => forget()
  })
  if (invoice.mode !== "sandbox" || !isOpen(invoice) || may("invoices:simulate") === null) return null
  return (
    <Card title={texts.invoice.simulate} text={texts.invoice.simulateText}>
      {pretend.error !== null && <Refused failure={pretend.error} />}
      <div className={styles["actions"]}>
        {outcomes.map((outcome) => (
          <Button
            key={outcome}
            isSmall
            look={outcome === "paid" ? "main" : "plain"}
            isBusy={pretend.isPending}
            onClick={() => pretend.mutate(outcome)}
          >
            {texts.invoice.outcomes[outcome]}
          </Button>
        ))}
      </div>
    </Card>
  )
}
