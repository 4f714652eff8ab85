/** One subscription: what it is, what keeps it, its next dates, and what its runs have made. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { instant } from "@tolem/http-server/pages/Formats"
import { ArrowLeft } from "lucide-react"
import { useHere } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Card } from "../../parts/Card.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { soon } from "../../parts/Soon.ts"
import { useTitle } from "../../parts/Title.ts"
import { useFirstWords, useWords } from "../../parts/Words.tsx"
import { Runs } from "./Runs.tsx"
import { reasonOf } from "./StuckReasons.ts"
import { StuckWay } from "./StuckWay.tsx"
import { type ShownSubscription, scheduleOf } from "./Subscription.ts"
import { SubscriptionActions } from "./SubscriptionActions.tsx"
import { SubscriptionFacts } from "./SubscriptionFacts.tsx"
import { States } from "./SubscriptionRow.tsx"
import styles from "./Subscriptions.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"

const everyMs = 15_000

/** The screen. */
export const SubscriptionDetail = ({ subscriptionId: id }: { readonly subscriptionId: string }) => {
  const words = useSubscriptionsTexts()
  const { organizationId } = useHere()
  const { params, query } = useGiven()
  const one = reading("GET /panel/orgs/:organizationId/subscriptions/:id", { params: { ...params, id }, query })
  const { data, error } = useQuery({ ...one, refetchInterval: everyMs })
  useTitle(data?.description ?? words.title)
  return (
    <div className={rows["screen"]}>
      <Link
        className={styles["back"] ?? ""}
        to="/$organizationId/subscriptions"
        params={{ organizationId }}
        search={modeAlone}
      >
        <ArrowLeft size={18} aria-hidden />
        {words.back}
      </Link>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Content subscription={data} />}
    </div>
  )
}

interface OfSubscription {
  readonly subscription: ShownSubscription
}

const Content = ({ subscription }: OfSubscription) => {
  const words = useSubscriptionsTexts()
  const mayChange = useMay()("subscriptions:change") !== null
  const { amount, customer, description, id, status } = subscription
  const isOver = status === "cancelled" || status === "finished"
  return (
    <>
      <header className={styles["head"]}>
        <h1>{description ?? customer?.name ?? words.nameless}</h1>
        <States subscription={subscription} />
        <p>{[tenge(amount), words.schedule(scheduleOf(subscription))].join(" · ")}</p>
      </header>
      <Stuck subscription={subscription} />
      {mayChange && !isOver && <SubscriptionActions subscription={subscription} />}
      <div className={styles["columns"]}>
        <Runs subscriptionId={id} />
        <div className={styles["columns"]} data-one>
          <Upcoming subscription={subscription} />
          <SubscriptionFacts subscription={subscription} />
        </div>
      </div>
    </>
  )
}

const Stuck = ({ subscription: { stuck } }: OfSubscription) => {
  const words = useSubscriptionsTexts()
  const { language } = useWords()
  const { refusals } = useFirstWords()
  const now = useNow(everyMs)
  if (stuck === null) return null
  const { code, since, tries, nextTryAt } = stuck
  const next = nextTryAt === null ? null : soon(nextTryAt, now, language)
  return (
    <section className={styles["stuck"]} aria-label={words.stuckTitle}>
      <strong>{words.stuckTitle}</strong>
      <p>{refusals[code] ?? code}</p>
      <p>{words.toDo[reasonOf(code)]}</p>
      <StuckWay code={code} className={styles["leads"] ?? ""} />
      <p>{words.stuckSince(instant(Date.parse(since), language), String(tries), next)}</p>
    </section>
  )
}

const Upcoming = ({ subscription: { upcoming } }: OfSubscription) => {
  const { facts } = useSubscriptionsTexts()
  const { language } = useWords()
  return (
    <Card title={facts.upcoming}>
      {upcoming.length === 0 && <p className={styles["text"]}>{facts.noUpcoming}</p>}
      {upcoming.length > 0 && (
        <ol className={styles["dates"]}>
          {upcoming.map((each) => (
            <li key={each}>{instant(Date.parse(each), language)}</li>
          ))}
        </ol>
      )}
    </Card>
  )
}
