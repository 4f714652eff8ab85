/** An organization's first screen: what it is, its tariff and what was used of it. */
import { day } from "@tolem/http-server/pages/Formats"
import { useHere, useOrganization } from "../app/Organization.ts"
import { Card } from "../parts/Card.tsx"
import { count } from "../parts/MoneyWords.ts"
import { Refused } from "../parts/Refused.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import styles from "./Home.module.css"

/** The screen. */
export const Home = () => {
  const { texts, language } = useWords()
  const { name } = useHere()
  const { data, error } = useOrganization()
  useTitle(name)
  return (
    <div className={styles["screen"]}>
      <h1>{name}</h1>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={3} tall />}
      {data !== undefined && (
        <>
          <Tariff tariff={data.tariff} />
          <dl className={styles["facts"]}>
            <Row name={texts.home.role} value={texts.profile.roles[data.role]} />
            <Row name={texts.home.legalName} value={data.legalName} />
            <Row name={texts.home.idn} value={data.idn} />
            <Row name={texts.home.since} value={day(Date.parse(data.createdAt), language)} />
          </dl>
        </>
      )}
    </div>
  )
}

type TariffFacts = NonNullable<ReturnType<typeof useOrganization>["data"]>["tariff"]

const Tariff = ({ tariff }: { readonly tariff: TariffFacts }) => {
  const { texts, language } = useWords()
  const { home } = texts
  const until = tariff.validUntil === null ? null : home.tariffUntil(day(Date.parse(tariff.validUntil), language))
  return (
    <Card title={`${home.tariff}: ${tariff.name}`} text={tariff.active ? until : home.tariffOver}>
      <div className={styles["meters"]}>
        <Meter name={home.month} used={tariff.monthlyUsed} limit={tariff.monthlyLimit} />
        <Meter name={home.day} used={tariff.dailyUsed} limit={tariff.dailyLimit} />
      </div>
      <p className={styles["quiet"]}>{home.usedText}</p>
    </Card>
  )
}

interface MeterProps {
  readonly name: string
  readonly used: number
  readonly limit: number
}

/** How much of a limit is used; from 80 % on it says so in colour too. */
const Meter = ({ name, used, limit }: MeterProps) => {
  const { texts } = useWords()
  const text = texts.home.used(count(used), count(limit))
  return (
    <div className={styles["meter"]} data-near={used >= limit * 0.8 || undefined}>
      <span>{name}</span>
      <strong>{text}</strong>
      <progress aria-label={name} aria-valuetext={text} max={limit} value={Math.min(used, limit)} />
    </div>
  )
}

const Row = ({ name, value }: { readonly name: string; readonly value: string | null }) =>
  value === null ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
