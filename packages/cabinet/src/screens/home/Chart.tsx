/** A bar for each day of a period, and the same as a table. */
import { day, noonOf } from "@tolem/http-server/pages/Formats"
import { useMemo, useState } from "react"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Overview.module.css"
import { netOf, type Totals } from "./Totals.ts"

const Plot = loadedPart(() => import("./Plot.tsx").then(({ Plot }) => Plot))

const dayMs = 86_400_000
const none = { created: 0, paid: 0, amount: 0, refunded: 0 }

// Noon, which is far from either end of the day wherever it is looked at.
/** All days of the period, also those on which nothing was made. Pure. */
const daysOf = ({ from, to, days }: Totals) => {
  const known = new Map(days.map((each) => [noonOf(each.day), each]))
  const length = Math.round((noonOf(to) - noonOf(from)) / dayMs) + 1
  return Array.from({ length }, (_, index) => {
    const at = noonOf(from) + index * dayMs
    return { at, ...(known.get(at) ?? none) }
  })
}

/** The chart. Days are named below it, and the one that is pointed at with what came in on it. */
export const Chart = ({ totals }: { readonly totals: Totals }) => {
  const { texts, language } = useWords()
  const [pointed, setPointed] = useState<number | null>(null)
  const days = useMemo(() => daysOf(totals), [totals])
  const values = useMemo(() => days.map(netOf), [days])
  const labels = useMemo(() => days.map(({ at }) => day(at, language, true)), [days, language])
  const shown = pointed === null ? undefined : days[pointed]
  return (
    <figure className={styles["chart"]}>
      <div role="img" aria-label={texts.overview.byDay} className={styles["plot"]}>
        <Plot values={values} labels={labels} onPoint={setPointed} />
      </div>
      <figcaption aria-hidden="true">
        {shown !== undefined && `${day(shown.at, language, true)}: ${tenge(netOf(shown))}`}
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
