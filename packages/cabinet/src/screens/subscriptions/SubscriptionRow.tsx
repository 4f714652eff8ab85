/** A subscription in a list. */
import { Link } from "@tanstack/react-router"
import { instant } from "@tolem/http-server/pages/Formats"
import { CalendarSync } from "lucide-react"
import { useHere } from "../../app/Organization.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import rows from "../../parts/Rows.module.css"
import { Pill } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type ShownSubscription, scheduleOf, tones } from "./Subscription.ts"
import { useSubscriptionsTexts } from "./Texts.ts"

interface OfSubscription {
  readonly subscription: ShownSubscription
}

interface SubscriptionRowProps extends OfSubscription {
  /** When its invoice is expected, told in place of its next date. */
  readonly when?: string
}

/** The row. */
export const SubscriptionRow = ({ subscription, when }: SubscriptionRowProps) => {
  const words = useSubscriptionsTexts()
  const { language } = useWords()
  const { organizationId } = useHere()
  const { amount, customer, description, id, nextRunAt, status } = subscription
  const person = customer?.name ?? customer?.email ?? customer?.phone ?? null
  const next = status === "active" ? words.next(instant(Date.parse(nextRunAt), language)) : null
  const told = [description === null ? null : person, when ?? next].filter(Boolean).join(" · ")
  return (
    <li>
      <CalendarSync size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          <Link
            to="/$organizationId/subscriptions/$subscriptionId"
            params={{ organizationId, subscriptionId: id }}
            search={modeAlone}
          >
            {description ?? person ?? words.nameless}
          </Link>
          <States subscription={subscription} />
        </span>
        <span className={rows["quiet"]}>{[tenge(amount), words.schedule(scheduleOf(subscription))].join(" · ")}</span>
        <span className={rows["quiet"]}>{told}</span>
      </span>
    </li>
  )
}

/** How it stands, and whether it is stuck. */
export const States = ({ subscription: { status, stuck } }: OfSubscription) => {
  const words = useSubscriptionsTexts()
  return (
    <>
      <Pill tone={tones[status]}>{words.states[status]}</Pill>
      {stuck !== null && <Pill tone="bad">{words.stuck}</Pill>}
    </>
  )
}
