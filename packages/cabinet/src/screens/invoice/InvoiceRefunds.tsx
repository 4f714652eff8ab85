/** What was given back of a payment, or was tried to. */
import { instant } from "@tolem/http-server/pages/Formats"
import { Card } from "../../parts/Card.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"
import styles from "./Invoice.module.css"

/** The refunds; nothing if there are none. */
export const InvoiceRefunds = ({ refunds }: Pick<InvoiceFacts, "refunds">) => {
  const { texts, language } = useWords()
  if (refunds.length === 0) return null
  return (
    <Card title={texts.invoice.refunds}>
      <ul className={styles["refunds"]}>
        {refunds.map(({ id, amount, status, reason, createdAt }) => (
          <li key={id} data-status={status}>
            <strong>{tenge(amount)}</strong>
            <em>{texts.invoice.refundStatuses[status]}</em>
            <span>{[instant(Date.parse(createdAt), language), reason].filter(Boolean).join(" · ")}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
