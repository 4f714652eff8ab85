/** What was paid and given back in a period, in rows that add up. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { day, isoDay, noonOf } from "@tolem/http-server/pages/Formats"
import type { ReactNode } from "react"
import type { Answer } from "../../api/Contract.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import {
  type Days,
  type Grouping,
  groupings,
  presetDays,
  presets,
  type StatementChoice,
  statementIn
} from "../../app/ReportPeriod.ts"
import { now } from "../../browser/Clock.ts"
import { Card } from "../../parts/Card.tsx"
import { SelectField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import { count } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import segments from "../../parts/Segments.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import { useCashiers } from "../cashiers/Cashier.ts"
import { type Moved, signedTenge, useCashierNames } from "./Figures.ts"
import { Files } from "./Files.tsx"
import styles from "./Reports.module.css"
import { useReportsTexts } from "./Texts.ts"

type Statement = Answer<"GET /panel/orgs/:organizationId/statement">

/** The card. */
export const StatementCard = ({ action }: { readonly action: ReactNode }) => {
  const reports = useReportsTexts()
  const { language } = useWords()
  const { params, query } = useGiven()
  const navigate = useNavigate()
  const choice = statementIn(useSearch({ strict: false }))
  const { by = "day", connectionId } = choice
  const days: Days = { ...presetDays("month", isoDay(now())), ...(choice.from && choice.to ? pick(choice) : {}) }
  const wanted = { ...query, ...days, ...(connectionId !== undefined && { connectionId }) }
  const { data, error, isPlaceholderData } = useQuery({
    ...reading("GET /panel/orgs/:organizationId/statement", { params, query: wanted }),
    placeholderData: keepPreviousData
  })
  const choose = (more: StatementChoice) => {
    const search = statementIn({ ...choice, ...days, ...more })
    void navigate({
      to: ".",
      search: ({ mode }) => ({ ...(mode !== undefined && { mode }), ...search }),
      replace: true
    })
  }
  const isEmpty = data !== undefined && data.days.length === 0
  return (
    <Card title={reports.statement} text={reports.statementText} action={action}>
      <Choice days={days} by={by} connectionId={connectionId} onChoose={choose} />
      <p className={styles["period"]}>
        {[days.from, ...(days.to === days.from ? [] : [days.to])]
          .map((each) => day(noonOf(each), language))
          .join(" – ")}
      </p>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {isEmpty && <p className={styles["note"]}>{reports.none}</p>}
      {data !== undefined && !isEmpty && (
        <div className={isPlaceholderData ? styles["busy"] : undefined} aria-busy={isPlaceholderData || undefined}>
          <Table statement={data} by={by} />
        </div>
      )}
      {data !== undefined && !isEmpty && <Files query={wanted} by={by} />}
      {data !== undefined && data.latePayments > 0 && <p className={styles["note"]}>{reports.lateText}</p>}
    </Card>
  )
}

const pick = ({ from = "", to = "" }: StatementChoice): Days => ({ from, to })

interface ChoiceProps {
  readonly days: Days
  readonly by: Grouping
  readonly connectionId: string | undefined
  readonly onChoose: (more: StatementChoice) => void
}

const Choice = ({ days, by, connectionId = "", onChoose }: ChoiceProps) => {
  const reports = useReportsTexts()
  const cashiers = useCashiers()
  const today = isoDay(now())
  const isOf = (preset: (typeof presets)[number]) => {
    const { from, to } = presetDays(preset, today)
    return from === days.from && to === days.to
  }
  // On the first day of a month two are the same.
  const pressed = presets.find(isOf)
  return (
    <search className={styles["choice"]} aria-label={reports.presets}>
      <div className={styles["segments"]}>
        <fieldset className={segments["segments"]}>
          <legend className="visually-hidden">{reports.presets}</legend>
          {presets.map((preset) => (
            <button
              key={preset}
              type="button"
              aria-pressed={preset === pressed}
              onClick={() => onChoose({ ...presetDays(preset, today) })}
            >
              {reports.preset[preset]}
            </button>
          ))}
        </fieldset>
        <fieldset className={segments["segments"]}>
          <legend className="visually-hidden">{reports.grouped}</legend>
          {groupings.map((each) => (
            <button key={each} type="button" aria-pressed={each === by} onClick={() => onChoose({ by: each })}>
              {reports.by[each]}
            </button>
          ))}
        </fieldset>
      </div>
      <div className={styles["fields"]}>
        <Field
          label={reports.from}
          type="date"
          required
          max={days.to}
          value={days.from}
          onChange={({ target }) => target.value !== "" && onChoose({ from: target.value })}
        />
        <Field
          label={reports.to}
          type="date"
          required
          min={days.from}
          value={days.to}
          onChange={({ target }) => target.value !== "" && onChoose({ to: target.value })}
        />
        {cashiers.length > 0 && (
          <SelectField
            label={reports.cashier}
            value={connectionId}
            onChange={({ target }) => onChoose({ connectionId: target.value })}
          >
            <option value="">{reports.allCashiers}</option>
            {cashiers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </div>
    </search>
  )
}

interface TableProps {
  readonly statement: Statement
  readonly by: Grouping
}

/** What a month, as `2026-03`, is called. */
export const useMonthName = (): ((month: string) => string) => {
  const { months } = useReportsTexts()
  return (month) => `${months[Number(month.slice(5)) - 1] ?? ""} ${month.slice(0, 4)}`
}

/** The rows of a grouping, each with its name. */
const useRows = ({ statement, by }: TableProps): ReadonlyArray<Moved & { readonly name: string }> => {
  const { texts, language } = useWords()
  const monthName = useMonthName()
  const nameOf = useCashierNames()
  switch (by) {
    case "day":
      return statement.days.map((row) => ({ ...row, name: day(noonOf(row.day), language) }))
    case "month":
      return statement.months.map((row) => ({ ...row, name: monthName(row.month) }))
    case "cashier":
      return statement.cashiers.map((row) => ({ ...row, name: nameOf(row.connectionId) }))
    case "source":
      return statement.sources.map((row) => ({ ...row, name: texts.invoices.origins[row.source] }))
  }
}

const Table = ({ statement, by }: TableProps) => {
  const reports = useReportsTexts()
  const rows = useRows({ statement, by })
  const heads = [reports.payments, reports.paid, reports.late, reports.refunds, reports.refunded, reports.net]
  return (
    <table className={styles["table"]}>
      <thead>
        <tr>
          <th scope="col">{reports.by[by]}</th>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.name} heads={heads} row={row} />
        ))}
      </tbody>
      <tfoot>
        <Row heads={heads} row={{ ...statement, name: reports.sum }} />
      </tfoot>
    </table>
  )
}

interface RowProps {
  readonly heads: ReadonlyArray<string>
  readonly row: Moved & { readonly name: string }
}

const Row = ({ heads, row }: RowProps) => {
  const { payments, paid, late, refunds, refunded, net } = row
  const cells = [
    { text: count(payments) },
    { text: signedTenge(paid) },
    // What was neither late nor refunded takes no line of a phone.
    { text: signedTenge(late), isNothing: late === 0 },
    { text: count(refunds), isNothing: refunds === 0 },
    { text: signedTenge(refunded), isNothing: refunds === 0 },
    { text: signedTenge(net) }
  ]
  return (
    <tr>
      <th scope="row">{row.name}</th>
      {cells.map(({ text, isNothing }, index) => (
        <td key={heads[index]} data-name={heads[index]} data-nothing={isNothing}>
          {text}
        </td>
      ))}
    </tr>
  )
}
