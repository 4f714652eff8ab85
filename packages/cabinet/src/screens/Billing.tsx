/** The tariff: what is used of it, which there are, buying one, and its bills. */
import { useQuery } from "@tanstack/react-query"
import { day } from "@tolem/http-server/pages/Formats"
import { useState } from "react"
import type { Answer } from "../api/Contract.ts"
import { useMay } from "../app/Permissions.ts"
import { useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { Card } from "../parts/Card.tsx"
import { count } from "../parts/MoneyWords.ts"
import { codeOf, Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { type Sale, useOrder } from "./billing/Bill.ts"
import styles from "./billing/Billing.module.css"
import { Bills } from "./billing/Bills.tsx"
import { Catalogue } from "./billing/Catalogue.tsx"
import { PayDialog } from "./billing/PayDialog.tsx"
import { useBillingTexts } from "./billing/Texts.ts"

type Standing = Answer<"GET /panel/orgs/:organizationId/tariff">

/** The screen. */
export const Billing = () => {
  const words = useBillingTexts()
  const may = useMay()
  const { data, error } = useQuery(reading("GET /panel/orgs/:organizationId/tariff", useGiven()))
  useTitle(words.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{words.title}</h1>
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={6} tall />}
      {data !== undefined && <Used tariff={data.tariff} />}
      {data !== undefined && <Offers standing={data} />}
      {may("bills:read") !== null && <Bills names={namesOf(data)} />}
    </div>
  )
}

const namesOf = (data: Standing | undefined): ReadonlyMap<string, string> =>
  new Map(data?.catalogue.map(({ code, name }) => [code, name] as const))

const Used = ({ tariff }: Pick<Standing, "tariff">) => {
  const { texts, language } = useWords()
  const { home } = texts
  const until = tariff.validUntil === null ? null : home.tariffUntil(day(Date.parse(tariff.validUntil), language))
  return (
    <Card title={`${home.tariff}: ${tariff.name}`} text={tariff.active ? until : home.tariffOver}>
      <div className={styles["meters"]}>
        <Meter name={home.month} used={tariff.monthlyUsed} limit={tariff.monthlyLimit} />
        <Meter name={home.day} used={tariff.dailyUsed} limit={tariff.dailyLimit} />
      </div>
      <p className={styles["text"]}>{home.usedText}</p>
    </Card>
  )
}

interface MeterProps {
  readonly name: string
  readonly used: number
  readonly limit: number
}

const Meter = ({ name, used, limit }: MeterProps) => {
  const text = useWords().texts.home.used(count(used), count(limit))
  return (
    <div className={styles["meter"]}>
      <span>{name}</span>
      <strong>{text}</strong>
      <progress aria-label={name} aria-valuetext={text} max={Math.max(limit, 1)} value={Math.min(used, limit)} />
    </div>
  )
}

const Offers = ({ standing }: { readonly standing: Standing }) => {
  const words = useBillingTexts()
  const canBuy = useMay()("tariff:buy") !== null
  const [sale, setSale] = useState<Sale | null>(null)
  const order = useOrder(setSale)
  const { isSold, catalogue, tariff } = standing
  const text = isSold ? (canBuy ? null : words.ownerBuys) : words.noSeller
  const name = catalogue.find(({ code }) => code === sale?.tariff)?.name ?? ""
  return (
    <Card title={words.catalogue} text={text}>
      {order.error !== null &&
        (codeOf(order.error) === "provider_error" ? (
          <p role="alert">{words.unavailable}</p>
        ) : (
          <Refused failure={order.error} />
        ))}
      <Catalogue
        catalogue={catalogue}
        current={tariff.code}
        ordering={order.isPending ? order.variables : null}
        onBuy={isSold && canBuy ? (code) => !order.isPending && order.mutate(code) : null}
      />
      {sale !== null && (
        <PayDialog
          key={sale.id}
          sale={sale}
          name={name}
          isBusy={order.isPending}
          onAgain={() => order.mutate(sale.tariff)}
          onClose={() => setSale(null)}
        />
      )}
    </Card>
  )
}
