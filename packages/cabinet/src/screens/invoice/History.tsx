/** What has happened to an invoice, newest last. */
import { instant } from "@tolem/http-server/pages/Formats"
import { Card } from "../../parts/Card.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"
import styles from "./Invoice.module.css"

/** The history; nothing while it is not read. */
export const History = ({ events }: Pick<InvoiceFacts, "events">) => {
  const { texts, language } = useWords()
  const { history, sources, late, made } = texts.invoice
  if (events.length === 0) return null
  return (
    <Card title={history}>
      <ol className={styles["history"]}>
        {events.map((event) => (
          <li key={event.id} data-to={event.to}>
            <strong>
              {event.from === null ? made : texts.statuses[event.to]}
              {event.late === true && `, ${late}`}
            </strong>
            <span>
              {instant(Date.parse(event.createdAt), language)} · {sources[event.source]}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
