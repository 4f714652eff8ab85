/** One delivery of a list. */
import { instant } from "@tolem/http-server/pages/Formats"
import type { ReactNode } from "react"
import { useNow } from "../../parts/Now.ts"
import { soon } from "../../parts/Soon.ts"
import { Pill } from "../../parts/Status.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { type Delivery, deliveryTones } from "./Delivery.ts"
import styles from "./Webhooks.module.css"

interface DeliveryRowProps {
  readonly delivery: Delivery
  readonly onShow: () => void
  /** Where it goes, in a list of several addresses. */
  readonly to?: string
  readonly action?: ReactNode
}

const everyMs = 15_000

/** The row; pressed, it shows the attempts. */
export const DeliveryRow = ({ delivery, onShow, to, action }: DeliveryRowProps) => {
  const { language } = useWords()
  const hooks = useWebhooksTexts()
  const now = useNow(everyMs)
  const { event, status, attemptCount, createdAt, nextAttemptAt } = delivery
  const facts = [
    to,
    instant(Date.parse(createdAt), language),
    attemptCount === 0 ? null : hooks.tries(attemptCount),
    nextAttemptAt === null || attemptCount === 0 ? null : hooks.next(soon(nextAttemptAt, now, language))
  ]
  return (
    <li>
      <button type="button" className={styles["delivery"]} onClick={onShow}>
        <span>
          <strong>{hooks.events[event]}</strong>
          <small>{facts.filter(Boolean).join(" · ")}</small>
        </span>
        <Pill tone={deliveryTones[status]}>{hooks.statuses[status]}</Pill>
      </button>
      {action}
    </li>
  )
}
