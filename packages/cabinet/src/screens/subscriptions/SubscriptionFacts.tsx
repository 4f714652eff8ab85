/** What a subscription is. */
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import invoice from "../invoice/Invoice.module.css"
import { type ShownSubscription, scheduleOf } from "./Subscription.ts"
import { useSubscriptionsTexts } from "./Texts.ts"

/** The name of its cashier; null: there is none to tell. */
const useCashier = (connectionId: string | null): string | null => {
  const mayRead = useMay()("connections:read") !== null
  const connections = reading("GET /panel/orgs/:organizationId/connections", useGiven())
  const { data } = useQuery({ ...connections, enabled: mayRead && connectionId !== null })
  return data?.connections.find(({ id }) => id === connectionId)?.name ?? connectionId
}

/** The facts. */
export const SubscriptionFacts = ({ subscription }: { readonly subscription: ShownSubscription }) => {
  const words = useSubscriptionsTexts()
  const { facts, fields } = words
  const { amount, connectionId, customer, kind, maxRuns, misfire, retry, runs } = subscription
  const cashier = useCashier(connectionId)
  const phone = customer?.phone ?? null
  return (
    <Card title={facts.title}>
      <dl className={invoice["facts"]}>
        <Row name={facts.amount} value={tenge(amount)} />
        <Row name={facts.schedule} value={words.schedule(scheduleOf(subscription))} />
        <Row name={facts.made} value={words.madeOf(count(runs), maxRuns === null ? null : count(maxRuns))} />
        <Row name={facts.customer} value={customer?.name ?? null} />
        <Row name={fields.phone} value={phone === null ? null : `+7 ${phoneText(phoneDigits(phone))}`} />
        <Row name={fields.email} value={customer?.email ?? null} />
        <Row name={facts.kind} value={kind === "qr" ? facts.qr : facts.push} />
        <Row name={facts.retry} value={retry.length === 0 ? null : words.retryAfter(retry.join(", "))} />
        <Row name={fields.misfire} value={words.misfires[misfire]} />
        <Row name={facts.cashier} value={cashier ?? facts.defaultCashier} />
      </dl>
    </Card>
  )
}

const Row = ({ name, value }: { readonly name: string; readonly value: ReactNode }) =>
  value === null ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
