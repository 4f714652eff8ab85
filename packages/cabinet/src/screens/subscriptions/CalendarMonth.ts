/** The days of a month in their weeks. Pure. */

/** A day, `YYYY-MM-DD`, with its place in the week: 0 is Monday. */
export interface MonthDay {
  readonly day: string
  readonly weekday: number
}

const dayMs = 86_400_000

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs

const two = (number: number): string => String(number).padStart(2, "0")

/** The month, `YYYY-MM`, so many months later. */
export const otherMonth = (month: string, by: number): string => {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + by
  return `${Math.floor(months / 12)}-${two((months % 12) + 1)}`
}

/** All days of a month, `YYYY-MM`, in order. */
export const daysOf = (month: string): ReadonlyArray<MonthDay> => {
  const first = numberOf(`${month}-01`)
  const length = numberOf(`${otherMonth(month, 1)}-01`) - first
  // The first day of the epoch was a Thursday.
  return Array.from({ length }, (_, index) => ({
    day: `${month}-${two(index + 1)}`,
    weekday: (first + index + 3) % 7
  }))
}
