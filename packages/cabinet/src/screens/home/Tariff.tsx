/** An organization's tariff, and how much of it is used. */
import { day } from "@tolem/http-server/pages/Formats"
import type { Organization } from "../../app/Organization.ts"
import { Card } from "../../parts/Card.tsx"
import { count } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Tariff.module.css"

/** The tariff. */
export const Tariff = ({ tariff }: Pick<Organization, "tariff">) => {
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
