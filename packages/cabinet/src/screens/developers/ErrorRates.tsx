/** How many requests of each hour were refused or failed, drawn and as a table. */
import { useQuery } from "@tanstack/react-query"
import { minute } from "@tolem/http-server/pages/Formats"
import { useMemo, useState } from "react"
import type { Answer } from "../../api/Contract.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { count } from "../../parts/MoneyWords.ts"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "../home/Overview.module.css"
import own from "./Developers.module.css"
import { useTexts } from "./Texts.ts"

const Plot = loadedPart(() => import("../home/Plot.tsx").then(({ Plot }) => Plot))

type Hours = Answer<"GET /panel/orgs/:organizationId/requests/hours">["hours"]

const hourMs = 3_600_000
const everyMs = 60_000
const none = { requests: 0, refused: 0, failed: 0 }

/** The hours of the last day, also those without requests. Pure. */
const dayOf = (hours: Hours, now: number) => {
  const known = new Map(hours.map((each) => [Date.parse(each.from), each]))
  const last = now - (now % hourMs)
  return Array.from({ length: 24 }, (_, index) => {
    const at = last - (23 - index) * hourMs
    const { requests, refused, failed } = known.get(at) ?? none
    return { at, requests, refused, failed, errors: refused + failed }
  })
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1).replace(".", ",").replace(/,0$/, "")} %`

/** The card. */
export const ErrorRates = () => {
  const developers = useTexts()
  const hours = reading("GET /panel/orgs/:organizationId/requests/hours", useGiven())
  const { data, error } = useQuery({ ...hours, refetchInterval: everyMs })
  return (
    <Card title={developers.rates} text={developers.ratesText}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={4} tall />}
      {data?.hours.length === 0 && <p className={own["note"]}>{developers.ratesNone}</p>}
      {data !== undefined && data.hours.length > 0 && <Chart hours={data.hours} />}
    </Card>
  )
}

const Chart = ({ hours }: { readonly hours: Hours }) => {
  const developers = useTexts()
  const { overview } = useWords().texts
  const now = useNow(everyMs)
  const last = now - (now % hourMs)
  const [pointed, setPointed] = useState<number | null>(null)
  const day = useMemo(() => dayOf(hours, last), [hours, last])
  const values = useMemo(() => day.map(({ errors }) => errors), [day])
  const labels = useMemo(() => day.map(({ at }) => minute(at)), [day])
  const shown = pointed === null ? undefined : day[pointed]
  return (
    <figure className={styles["chart"]}>
      <div role="img" aria-label={developers.byHour} className={styles["plot"]}>
        <Plot values={values} labels={labels} onPoint={setPointed} />
      </div>
      <figcaption aria-hidden="true">
        {shown !== undefined && developers.rateOf(minute(shown.at), count(shown.errors), count(shown.requests))}
      </figcaption>
      <details>
        <summary>{overview.asTable}</summary>
        <div className={styles["days"]}>
          <table>
            <thead>
              <tr>
                <th scope="col">{developers.hour}</th>
                <th scope="col">{developers.requests}</th>
                <th scope="col">{developers.refused}</th>
                <th scope="col">{developers.failed}</th>
                <th scope="col">{developers.share}</th>
              </tr>
            </thead>
            <tbody>
              {day.toReversed().map(({ at, requests, refused, failed, errors }) => (
                <tr key={at}>
                  <th scope="row">{minute(at)}</th>
                  <td>{count(requests)}</td>
                  <td>{count(refused)}</td>
                  <td>{count(failed)}</td>
                  <td>{percent(errors, requests)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
