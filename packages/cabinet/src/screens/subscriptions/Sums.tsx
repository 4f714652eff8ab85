/** How many subscriptions there are, and what the active ones are expected to bring. */
import { useQuery } from "@tanstack/react-query"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { count, tenge } from "../../parts/MoneyWords.ts"
import styles from "./Subscriptions.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"

const everyMs = 60_000

/** The figures; nothing while they are not known, or if there is no subscription. */
export const Sums = () => {
  const words = useSubscriptionsTexts()
  const sums = reading("GET /panel/orgs/:organizationId/subscription-sums", useGiven())
  const { data } = useQuery({ ...sums, refetchInterval: everyMs })
  if (data === undefined) return null
  const { active, paused, cancelled, finished, stuck, monthlyAmount, next30Days } = data
  if (active + paused + cancelled + finished === 0) return null
  const figures = [
    [words.sums.active, count(active)],
    [words.sums.monthly, tenge(monthlyAmount)],
    [words.sums.soon, words.soon(count(next30Days.runs), tenge(next30Days.amount))],
    [words.sums.stuck, count(stuck)]
  ] as const
  return (
    <section aria-label={words.sums.title}>
      <dl className={styles["sums"]}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
