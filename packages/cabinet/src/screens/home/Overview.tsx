/** What came in of a period, against the one before it, by day; and the last payments. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { isoDay } from "@tolem/http-server/pages/Formats"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { now } from "../../browser/Clock.ts"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import segments from "../../parts/Segments.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import { Chart } from "./Chart.tsx"
import { Last } from "./Last.tsx"
import styles from "./Overview.module.css"
import { netOf, type Totals } from "./Totals.ts"

const periods = [1, 7, 30] as const
const dayMs = 86_400_000
const everyMs = 60_000

/** The overview. */
export const Overview = () => {
  const { texts } = useWords()
  const { params, query } = useGiven()
  const { days = 7 } = useSearch({ strict: false })
  const period = { from: isoDay(now() - (days - 1) * dayMs), to: isoDay(now()) }
  const totals = reading("GET /panel/orgs/:organizationId/totals", { params, query: { ...query, ...period } })
  const { data, error } = useQuery({ ...totals, placeholderData: keepPreviousData, refetchInterval: everyMs })
  // Of an organization that begins there is nothing to tell yet.
  if (query.mode === "sandbox" && data !== undefined && data.created + data.before.created === 0) return null
  return (
    <>
      <Card title={texts.overview.received} action={<Periods chosen={days} />}>
        {error !== null && <Refused failure={error} />}
        {data === undefined && error === null && <Skeleton lines={3} tall />}
        {data !== undefined && (
          <>
            <p className={styles["sum"]}>
              {tenge(netOf(data))}
              <Change now={netOf(data)} before={netOf(data.before)} days={days} />
            </p>
            <dl className={styles["figures"]}>
              <Figure name={texts.overview.payments} value={count(data.paid)} />
              <Figure name={texts.overview.average} value={data.paid === 0 ? "–" : tenge(averageOf(data))} />
              <Figure name={texts.overview.conversion} value={shareOf(data.paid, data.created)} />
              <Figure name={texts.overview.refunded} value={tenge(data.refunded)} />
            </dl>
            {days > 1 && data.created > 0 && <Chart totals={data} />}
          </>
        )}
      </Card>
      <Last />
    </>
  )
}

const averageOf = ({ amount, paid }: Totals): number => Math.round((amount / paid) * 100) / 100
const shareOf = (part: number, all: number): string => (all === 0 ? "–" : `${Math.round((part / all) * 100)}\u00a0%`)

const Periods = ({ chosen }: { readonly chosen: number }) => {
  const { texts } = useWords()
  const navigate = useNavigate()
  const choose = (days: number) =>
    void navigate({ to: ".", search: ({ mode }) => ({ ...(mode !== undefined && { mode }), days }), replace: true })
  return (
    <fieldset className={segments["segments"]}>
      <legend className="visually-hidden">{texts.overview.period}</legend>
      {periods.map((days) => (
        <button key={days} type="button" aria-pressed={days === chosen} onClick={() => choose(days)}>
          {days === 1 ? texts.till.today : texts.overview.days(days)}
        </button>
      ))}
    </fieldset>
  )
}

interface ChangeProps {
  readonly now: number
  readonly before: number
  readonly days: number
}

/** How much more or less it is than before; nothing if there was nothing before. */
const Change = ({ now: current, before, days }: ChangeProps) => {
  const { texts } = useWords()
  if (before <= 0) return null
  const percent = Math.round(((current - before) / before) * 100)
  const sign = percent > 0 ? "+" : percent < 0 ? "\u2212" : "±"
  return (
    <small data-up={percent > 0 || undefined} data-down={percent < 0 || undefined}>
      {sign}
      {count(Math.abs(percent))} % {texts.overview.against(days)}
    </small>
  )
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
