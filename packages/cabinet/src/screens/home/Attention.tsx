/** What needs attention: what is so, what to do about it, and the way to where that is done. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ago } from "@tolem/http-server/pages/Formats"
import { CircleAlert, TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import type { Answer } from "../../api/Contract.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { TariffLink } from "../../app/TariffLink.tsx"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import { soon } from "../../parts/Soon.ts"
import { useFirstWords, useWords } from "../../parts/Words.tsx"
import { StuckWay } from "../subscriptions/StuckWay.tsx"
import { shortAddress } from "../webhooks/Endpoint.ts"
import styles from "./Attention.module.css"

type List = Answer<"GET /panel/orgs/:organizationId/attention">
type Kind = List["kinds"][number]
type Item = List["items"][number]

const everyMs = 60_000
/** How many of a kind are named; of the others their number is told. */
const named = 3

/** The card; nothing if all is well. */
export const Attention = () => {
  const { texts } = useWords()
  const { params, query } = useGiven()
  const list = reading("GET /panel/orgs/:organizationId/attention", { params, query })
  // People come back here to see that what they have mended is well.
  const { data, error } = useQuery({ ...list, staleTime: 0, refetchInterval: everyMs })
  if (error !== null && data === undefined) return <Refused failure={error} />
  if (data === undefined || data.kinds.length === 0) return null
  return (
    <Card title={texts.attention.title}>
      <ul className={styles["kinds"]}>
        {data.kinds.map((kind) => (
          <KindPart key={kind.kind} about={kind} items={data.items.filter((item) => item.kind === kind.kind)} />
        ))}
      </ul>
    </Card>
  )
}

interface KindProps {
  readonly about: Kind
  readonly items: ReadonlyArray<Item>
}

const KindPart = ({ about: { kind, severity, count: all, more }, items }: KindProps) => {
  const { attention } = useWords().texts
  const Icon = severity === "error" ? CircleAlert : TriangleAlert
  const rest = all - Math.min(items.length, named)
  return (
    <li className={styles["kind"]} data-severity={severity}>
      <Icon size={20} role="img" aria-label={attention.severities[severity]} />
      <div className={styles["words"]}>
        <strong>{attention.kinds[kind]}</strong>
        <p>{attention.advice[kind]}</p>
        <ul className={styles["things"]}>
          {items.slice(0, named).map((item) => (
            <Thing key={[item.connectionId, item.endpointId, item.refundId, idOf(item)].join()} item={item} />
          ))}
        </ul>
        {rest > 0 && <p>{attention.others(more ? `${count(rest)}+` : count(rest))}</p>}
      </div>
    </li>
  )
}

const idOf = ({ deliveryId, invoiceId, subscriptionId, quota }: Item): string | null =>
  deliveryId ?? subscriptionId ?? invoiceId ?? quota?.period ?? null

const Thing = ({ item }: { readonly item: Item }) => {
  const { texts, language } = useWords()
  const { refusals } = useFirstWords()
  const now = useNow(everyMs)
  const { name, amount, code, quota, until } = item
  const sum = amount === null ? null : tenge(amount)
  const title = item.endpointId !== null && name !== null ? shortAddress(name) : (name ?? sum)
  const facts = [
    name === null ? null : sum,
    quota === null
      ? null
      : `${texts.attention.periods[quota.period]}: ${texts.home.used(count(quota.used), count(quota.limit))}`,
    item.kind === "subscription_stuck" && code !== null ? (refusals[code] ?? code) : null,
    quota === null ? ago(Date.parse(item.since), now, language) : null,
    until === null ? null : texts.attention.until(soon(until, now, language))
  ]
  return (
    <li>
      <Way item={item}>{title ?? texts.home.tariff}</Way>
      <small>{facts.filter(Boolean).join(" · ")}</small>
      {item.kind === "subscription_stuck" && code !== null && <StuckWay code={code} />}
    </li>
  )
}

/** The way to where something can be done about it; its name alone if there is none for the person. */
const Way = ({ item, children }: { readonly item: Item; readonly children: ReactNode }) => {
  const { params } = useGiven()
  const may = useMay()
  const { endpointId, invoiceId, subscriptionId } = item
  switch (item.kind) {
    case "tariff_ended":
    case "quota_used_up":
    case "quota_low":
      return <TariffLink>{children}</TariffLink>
    case "subscription_stuck":
      if (may("subscriptions:read") === null) return <span>{children}</span>
      return (
        <Link
          to="/$organizationId/subscriptions/$subscriptionId"
          params={{ ...params, subscriptionId: subscriptionId ?? "" }}
          search={modeAlone}
        >
          {children}
        </Link>
      )
    case "cashier_session_lost":
      if (may("connections:read") === null) return <span>{children}</span>
      return (
        <Link to="/$organizationId/cashiers" params={params} search={modeAlone}>
          {children}
        </Link>
      )
    case "endpoint_paused":
    case "delivery_given_up":
      return (
        <Link
          to="/$organizationId/webhooks/$endpointId"
          params={{ ...params, endpointId: endpointId ?? "" }}
          search={({ mode }) => ({
            ...(mode !== undefined && { mode }),
            ...(item.kind === "delivery_given_up" && { status: "failed" })
          })}
        >
          {children}
        </Link>
      )
    case "refund_unknown":
      return (
        <Link to="/$organizationId/refunds" params={params} search={modeAlone}>
          {children}
        </Link>
      )
    case "late_money":
      return (
        <Link
          to="/$organizationId/invoices/$invoiceId"
          params={{ ...params, invoiceId: invoiceId ?? "" }}
          search={modeAlone}
        >
          {children}
        </Link>
      )
  }
}
