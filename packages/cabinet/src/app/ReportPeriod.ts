/** The period of the statement as its address has it, and the periods that are at hand. Pure. */
import { isoDay } from "@tolem/http-server/pages/Formats"

/** What a statement is of, and what its rows are. */
export interface StatementChoice {
  /** Days in Almaty, `YYYY-MM-DD`. */
  from?: string
  to?: string
  /** Default: by day. */
  by?: Grouping
  /** A cashier. */
  connectionId?: string
}

/** What the rows of a statement are. */
export const groupings = ["day", "month", "cashier", "source"] as const
/** See the list. */
export type Grouping = (typeof groupings)[number]

/** Periods that need no typing. */
export const presets = ["today", "yesterday", "month", "lastMonth"] as const

const forms = {
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/,
  by: new RegExp(`^(${groupings.join("|")})$`),
  connectionId: /^\w{1,80}$/
} satisfies Readonly<Record<keyof StatementChoice, RegExp>>

/** The choice in the parameters of an address; what is of another form is left out. */
export const statementIn = (given: Record<string, unknown>): StatementChoice =>
  Object.fromEntries(
    Object.entries(forms).flatMap(([name, form]) => {
      const value = given[name]
      return typeof value === "string" && form.test(value) ? [[name, value]] : []
    })
  )

/** Days, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

// From noon, which is far from either end of the day.
const shifted = (day: string, days: number): string => isoDay(Date.parse(`${day}T12:00:00+05:00`) + days * 86_400_000)

/** The day after another one. */
export const dayAfter = (day: string): string => shifted(day, 1)

/** The days of a period that is at hand, on the day `today`. */
export const presetDays = (preset: (typeof presets)[number], today: string): Days => {
  const first = `${today.slice(0, 7)}-01`
  switch (preset) {
    case "today":
      return { from: today, to: today }
    case "yesterday":
      return { from: shifted(today, -1), to: shifted(today, -1) }
    case "month":
      return { from: first, to: today }
    case "lastMonth": {
      const to = shifted(first, -1)
      return { from: `${to.slice(0, 7)}-01`, to }
    }
  }
}
