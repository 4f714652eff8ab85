/** The report of a till: a day of a cashier, or the time of a shift. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { instant, isoDay } from "@tolem/http-server/pages/Formats"
import { type ReactNode, useState } from "react"
import type { Answer } from "../../api/Contract.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { dayAfter } from "../../app/ReportPeriod.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { now } from "../../browser/Clock.ts"
import { Card } from "../../parts/Card.tsx"
import { SelectField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import { useCashiers } from "../cashiers/Cashier.ts"
import { signedTenge, useCashierNames } from "./Figures.ts"
import styles from "./Reports.module.css"
import { useReportsTexts } from "./Texts.ts"

const everyMs = 60_000

type Shift = Answer<"GET /panel/orgs/:organizationId/shift">

interface Time {
  readonly connectionId: string
  readonly day: string
  readonly from: string
  readonly to: string
}

/** The instants of a shift; without times the whole day. Pure. */
const instantsOf = ({ day, from, to }: Time): { readonly from: string; readonly to: string } => {
  const last = from !== "" && to !== "" && to < from ? dayAfter(day) : day
  return {
    from: from === "" ? day : `${day}T${from}:00+05:00`,
    to: to === "" ? last : `${last}T${to}:59.999+05:00`
  }
}

/** The card. */
export const ShiftCard = ({ action }: { readonly action: ReactNode }) => {
  const reports = useReportsTexts()
  const { language } = useWords()
  const { params, query } = useGiven()
  const nameOf = useCashierNames()
  const [time, setTime] = useState<Time>({ connectionId: "", day: isoDay(now()), from: "", to: "" })
  const { connectionId } = time
  const wanted = { ...query, ...instantsOf(time), ...(connectionId !== "" && { connectionId }) }
  const { data, error, isPlaceholderData } = useQuery({
    ...reading("GET /panel/orgs/:organizationId/shift", { params, query: wanted }),
    placeholderData: keepPreviousData,
    // A shift that is under way goes on.
    refetchInterval: everyMs
  })
  const till = connectionId === "" ? reports.allCashiers : nameOf(connectionId)
  const spoken = data === undefined ? [] : [data.from, data.to].map((at) => instant(Date.parse(at), language))
  return (
    <Card title={reports.shift} text={reports.shiftText} action={action}>
      <TimeChoice time={time} onChange={setTime} />
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={3} tall />}
      {data !== undefined && (
        <>
          <p className={styles["period"]}>
            {till}: {spoken.join(" – ")}
          </p>
          <div className={isPlaceholderData ? styles["busy"] : undefined} aria-busy={isPlaceholderData || undefined}>
            <Figures shift={data} />
          </div>
        </>
      )}
    </Card>
  )
}

interface TimeChoiceProps {
  readonly time: Time
  readonly onChange: (time: Time) => void
}

const TimeChoice = ({ time, onChange }: TimeChoiceProps) => {
  const reports = useReportsTexts()
  const cashiers = useCashiers()
  return (
    <search className={styles["choice"]} aria-label={reports.shift}>
      <div className={styles["fields"]}>
        {cashiers.length > 0 && (
          <SelectField
            label={reports.cashier}
            value={time.connectionId}
            onChange={({ target }) => onChange({ ...time, connectionId: target.value })}
          >
            <option value="">{reports.allCashiers}</option>
            {cashiers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <Field
          label={reports.day}
          type="date"
          required
          value={time.day}
          onChange={({ target }) => target.value !== "" && onChange({ ...time, day: target.value })}
        />
        <Field
          label={reports.fromTime}
          type="time"
          value={time.from}
          onChange={({ target }) => onChange({ ...time, from: target.value })}
        />
        <Field
          label={reports.toTime}
          type="time"
          value={time.to}
          onChange={({ target }) => onChange({ ...time, to: target.value })}
        />
      </div>
      <p className={styles["note"]}>{reports.nextDay}</p>
    </search>
  )
}

const Figures = ({ shift }: { readonly shift: Shift }) => {
  const reports = useReportsTexts()
  return (
    <dl className={styles["figures"]}>
      <Figure name={reports.payments} value={count(shift.payments)} />
      <Figure name={reports.paid} value={signedTenge(shift.paid)} />
      <Figure name={reports.late} value={signedTenge(shift.late)} />
      <Figure name={reports.refunds} value={count(shift.refunds)} />
      <Figure name={reports.refunded} value={signedTenge(shift.refunded)} />
      <Figure name={reports.net} value={signedTenge(shift.net)} />
      <Payment name={reports.first} payment={shift.first} />
      <Payment name={reports.last} payment={shift.last} />
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
}

const Figure = ({ name, value }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

/** The first or the last payment; nothing if there is none. */
const Payment = ({ name, payment }: { readonly name: string; readonly payment: Shift["first"] }) => {
  const { receipt } = useReportsTexts()
  const { language } = useWords()
  const { params } = useGiven()
  const mayRead = useMay()("invoices:read") !== null
  if (payment === null) return null
  const { invoiceId, amount, receiptNumber, paidAt } = payment
  const facts = [instant(Date.parse(paidAt), language), receiptNumber === null ? null : receipt(receiptNumber)]
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {mayRead ? (
          <Link to="/$organizationId/invoices/$invoiceId" params={{ ...params, invoiceId }} search={modeAlone}>
            {tenge(amount)}
          </Link>
        ) : (
          tenge(amount)
        )}
        <small>{facts.filter(Boolean).join(" · ")}</small>
      </dd>
    </div>
  )
}
