/** What a payment link has brought in the last 30 days: figures, a bar for each day, and the same as a table. */
import { useQuery } from "@tanstack/react-query"
import { day, noonOf } from "@tolem/http-server/pages/Formats"
import { useMemo, useState } from "react"
import type { Answer } from "../../api/Contract.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "../home/Overview.module.css"
import own from "./Links.module.css"
import { useLinksTexts } from "./Texts.ts"

const Plot = loadedPart(() => import("../home/Plot.tsx").then(({ Plot }) => Plot))

const call = "GET /panel/orgs/:organizationId/payment-links/:id/statistics"

type Told = Answer<typeof call>

const everyMs = 15_000
const dayMs = 86_400_000
const none = { invoices: 0, opened: 0, payments: 0, paidAmount: 0, refundedAmount: 0 }

// Noon, which is far from either end of the day wherever it is looked at.
/** All days, also those on which nothing was made. Pure. */
const daysOf = ({ from, to, days }: Told) => {
  const known = new Map(days.map((each) => [noonOf(each.day), each]))
  const length = Math.round((noonOf(to) - noonOf(from)) / dayMs) + 1
  return Array.from({ length }, (_, index) => {
    const at = noonOf(from) + index * dayMs
    const { invoices, opened, payments, paidAmount, refundedAmount } = known.get(at) ?? none
    return { at, invoices, opened, payments, paidAmount, refundedAmount }
  })
}

const netOf = ({ paidAmount, refundedAmount }: Pick<Told, "paidAmount" | "refundedAmount">): number =>
  (Math.round(paidAmount * 100) - Math.round(refundedAmount * 100)) / 100

/** The card. */
export const Statistics = ({ linkId }: { readonly linkId: string }) => {
  const words = useLinksTexts()
  const { params, query } = useGiven()
  const { data, error } = useQuery({
    ...reading(call, { params: { ...params, id: linkId }, query }),
    refetchInterval: everyMs
  })
  return (
    <Card title={words.statistics} text={words.statisticsText}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && data.invoices === 0 && <p className={own["note"]}>{words.statisticsNone}</p>}
      {data !== undefined && data.invoices > 0 && (
        <>
          <Figures told={data} />
          <Days told={data} />
        </>
      )}
    </Card>
  )
}

const Figures = ({ told }: { readonly told: Told }) => {
  const { figures } = useLinksTexts()
  const shown = [
    [figures.invoices, count(told.invoices)],
    [figures.opened, count(told.opened)],
    [figures.payments, count(told.payments)],
    [figures.sum, tenge(told.paidAmount)],
    [figures.refunded, tenge(told.refundedAmount)]
  ] as const
  return (
    <dl className={styles["figures"]}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Days = ({ told }: { readonly told: Told }) => {
  const words = useLinksTexts()
  const { texts, language } = useWords()
  const [pointed, setPointed] = useState<number | null>(null)
  const days = useMemo(() => daysOf(told), [told])
  const values = useMemo(() => days.map(netOf), [days])
  const labels = useMemo(() => days.map(({ at }) => day(at, language, true)), [days, language])
  const shown = pointed === null ? undefined : days[pointed]
  return (
    <figure className={styles["chart"]}>
      <div role="img" aria-label={words.byDay} className={styles["plot"]}>
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
                <th scope="col">{words.figures.invoices}</th>
                <th scope="col">{words.figures.opened}</th>
                <th scope="col">{words.figures.payments}</th>
                <th scope="col">{words.figures.sum}</th>
                <th scope="col">{words.figures.refunded}</th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((each) => (
                <tr key={each.at}>
                  <th scope="row">{day(each.at, language, true)}</th>
                  <td>{count(each.invoices)}</td>
                  <td>{count(each.opened)}</td>
                  <td>{count(each.payments)}</td>
                  <td>{tenge(each.paidAmount)}</td>
                  <td>{tenge(each.refundedAmount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
