/** A bar for each day of a period, and the same as a table. */
import { day } from "@tolem/http-server/pages/Formats"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Overview.module.css"
import { netOf, type Totals } from "./Totals.ts"

const dayMs = 86_400_000
const width = 640
const height = 150
const none = { created: 0, paid: 0, amount: 0, refunded: 0 }

// Noon, which is far from either end of the day wherever it is looked at.
const noonOf = (date: string): number => Date.parse(`${date}T12:00:00+05:00`)

/** All days of the period, also those on which nothing was made. Pure. */
const daysOf = ({ from, to, days }: Totals) => {
  const known = new Map(days.map((each) => [noonOf(each.day), each]))
  const length = Math.round((noonOf(to) - noonOf(from)) / dayMs) + 1
  return Array.from({ length }, (_, index) => {
    const at = noonOf(from) + index * dayMs
    return { at, ...(known.get(at) ?? none) }
  })
}

/** The chart. */
export const Chart = ({ totals }: { readonly totals: Totals }) => {
  const { texts, language } = useWords()
  const days = daysOf(totals)
  const most = Math.max(1, ...days.map(netOf))
  const step = width / days.length
  const bar = Math.min(step * 0.7, 48)
  const first = days[0]
  const last = days.at(-1)
  return (
    <figure className={styles["chart"]}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={texts.overview.byDay}>
        {days.map((each, index) => {
          const tall = Math.max(netOf(each) > 0 ? 3 : 1, (netOf(each) / most) * height)
          return (
            <rect
              key={each.at}
              data-none={netOf(each) <= 0 || undefined}
              x={index * step + (step - bar) / 2}
              y={height - tall}
              width={bar}
              height={tall}
              rx="3"
            >
              <title>{`${day(each.at, language, true)}: ${tenge(netOf(each))}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption>
        <span>{first !== undefined && day(first.at, language, true)}</span>
        <span>{last !== undefined && day(last.at, language, true)}</span>
      </figcaption>
      <details>
        <summary>{texts.overview.asTable}</summary>
        <div className={styles["days"]}>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.overview.day}</th>
                <th scope="col">{texts.overview.payments}</th>
                <th scope="col">{texts.overview.received}</th>
                <th scope="col">{texts.overview.refunded}</th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((each) => (
                <tr key={each.at}>
                  <th scope="row">{day(each.at, language, true)}</th>
                  <td>{count(each.paid)}</td>
                  <td>{tenge(netOf(each))}</td>
                  <td>{tenge(each.refunded)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
