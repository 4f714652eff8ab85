/** The month of the subscriptions: on which days invoices are expected, and what these come to. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { day, isoDay, noonOf } from "@tolem/http-server/pages/Formats"
import { ChevronLeft, ChevronRight } from "lucide-react"
import type { Answer } from "../../api/Contract.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import type { SubscriptionFilter } from "../../app/SubscriptionFilter.ts"
import { now } from "../../browser/Clock.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Calendar.module.css"
import { daysOf, type MonthDay, otherMonth } from "./CalendarMonth.ts"
import { DueDialog } from "./DueDialog.tsx"
import { useFilterChange } from "./FilterChange.ts"
import { useSubscriptionsTexts } from "./Texts.ts"

const everyMs = 60_000

type DueDay = Answer<"GET /panel/orgs/:organizationId/subscription-calendar">["days"][number]

/** The card, and the subscriptions of the day that the address names. */
export const SubscriptionCalendar = ({ filter }: { readonly filter: SubscriptionFilter }) => {
  const { calendar } = useSubscriptionsTexts()
  const { params, query } = useGiven()
  const change = useFilterChange(filter)
  const month = (filter.from ?? isoDay(now())).slice(0, 7)
  const { data, error, isPlaceholderData } = useQuery({
    ...reading("GET /panel/orgs/:organizationId/subscription-calendar", {
      params,
      query: { ...query, from: `${month}-01` }
    }),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs
  })
  const isShown = data !== undefined && !isPlaceholderData
  return (
    <Card title={calendar.title} text={calendar.text}>
      <Months month={month} onChange={(next) => change({ from: `${next}-01`, day: "" })} />
      {error !== null && <Refused failure={error} />}
      {!isShown && error === null && <Skeleton lines={8} tall />}
      {isShown && <Total {...data} />}
      {isShown && data.days.length > 0 && (
        <Days month={month} today={data.today} due={data.days} onOpen={(opened) => change({ day: opened }, true)} />
      )}
      {filter.day !== undefined && <DueDialog day={filter.day} onClose={() => change({ day: "" })} />}
    </Card>
  )
}

interface MonthsProps {
  readonly month: string
  readonly onChange: (month: string) => void
}

const Months = ({ month, onChange }: MonthsProps) => {
  const { calendar, month: nameOf } = useSubscriptionsTexts()
  // Nothing is expected of what is past.
  const isFirst = month <= isoDay(now()).slice(0, 7)
  return (
    <div className={styles["months"]}>
      <Button
        look="plain"
        isSmall
        aria-label={calendar.before}
        aria-disabled={isFirst}
        onClick={() => !isFirst && onChange(otherMonth(month, -1))}
      >
        <ChevronLeft size={20} aria-hidden />
      </Button>
      <h3 aria-live="polite">{nameOf(month.slice(0, 4), Number(month.slice(5)))}</h3>
      <Button look="plain" isSmall aria-label={calendar.after} onClick={() => onChange(otherMonth(month, 1))}>
        <ChevronRight size={20} aria-hidden />
      </Button>
    </div>
  )
}

const Total = ({ runs, amount }: { readonly runs: number; readonly amount: number }) => {
  const { calendar, invoices } = useSubscriptionsTexts()
  return (
    <p className={styles["total"]}>{runs === 0 ? calendar.none : [invoices(count(runs)), tenge(amount)].join(" · ")}</p>
  )
}

interface DaysProps {
  readonly month: string
  readonly today: string
  readonly due: ReadonlyArray<DueDay>
  readonly onOpen: (day: string) => void
}

const Days = ({ month, today, due, onOpen }: DaysProps) => {
  const { weekdays } = useSubscriptionsTexts()
  const byDay = new Map(due.map((each) => [each.day, each]))
  return (
    <div>
      <div className={styles["weekdays"]} aria-hidden>
        {weekdays.map((each) => (
          <span key={each}>{each}</span>
        ))}
      </div>
      <ol className={styles["days"]}>
        {daysOf(month).map((each) => (
          <Cell key={each.day} place={each} today={today} due={byDay.get(each.day)} onOpen={onOpen} />
        ))}
      </ol>
    </div>
  )
}

interface CellProps extends Pick<DaysProps, "today" | "onOpen"> {
  readonly place: MonthDay
  readonly due: DueDay | undefined
}

const Cell = ({ place, today, due, onOpen }: CellProps) => {
  const { invoices, weekdays } = useSubscriptionsTexts()
  const { language } = useWords()
  const date = day(noonOf(place.day), language)
  const number = (
    <span className={styles["number"]} aria-hidden>
      {Number(place.day.slice(8))}
    </span>
  )
  return (
    <li
      data-weekday={place.weekday}
      data-due={due !== undefined || undefined}
      data-past={place.day < today || undefined}
      aria-current={place.day === today ? "date" : undefined}
    >
      {due === undefined ? (
        <>
          {number}
          <span className="visually-hidden">{date}</span>
        </>
      ) : (
        <button type="button" aria-haspopup="dialog" onClick={() => onOpen(place.day)}>
          {number}
          <span className={styles["date"]}>{[date, weekdays[place.weekday]].join(", ")}</span>
          <strong>{tenge(due.amount)}</strong>
          <small>{invoices(count(due.runs))}</small>
        </button>
      )}
    </li>
  )
}
