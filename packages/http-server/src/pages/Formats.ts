/**
 * Instants as people in Kazakhstan read them, in words of our own: browsers know no Kazakh, and pages and cabinet
 * are to say the same. It runs in browsers too. Pure.
 */
import type { Language } from "./Language.ts"

/** Day and minute in Almaty: `22 November 2026 at 14:05`. */
export const instant = (at: number, language: Language): string => {
  const moment = momentOf(at)
  return words[language].instant(dateOf(moment, language), moment.time)
}

/** The day in Almaty: `22 November 2026`; `short` leaves out the year and shortens the month. */
export const day = (at: number, language: Language, short = false): string => {
  const moment = momentOf(at)
  return short
    ? words[language].short(moment.day, words[language].shortMonths[moment.month] ?? "")
    : dateOf(moment, language)
}

/** The minute in Almaty: `14:05`. */
export const minute = (at: number): string => momentOf(at).time

/** The Almaty day as `YYYY-MM-DD`, as addresses have it. */
export const isoDay = (at: number): string => {
  const { year, month, day: date } = momentOf(at)
  return [year, String(month + 1).padStart(2, "0"), String(date).padStart(2, "0")].join("-")
}

/** An instant of a day, `YYYY-MM-DD`, as words about days take it: noon in Almaty. */
export const noonOf = (day: string): number => Date.parse(`${day}T12:00:00+05:00`)

/**
 * How long ago it was, for what is less than a week old: `just now`, `5 minutes ago`, `yesterday at 14:05`; the day
 * and the minute of what is older. What lies ahead, as clocks may differ, is told as now.
 */
export const ago = (at: number, now: number, language: Language): string => {
  const { relative } = words[language]
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return relative.now
  if (minutes < 60) return relative.minutes(minutes)
  const days = dayNumber(now) - dayNumber(at)
  if (days === 0) return relative.hours(Math.floor(minutes / 60))
  const { time } = momentOf(at)
  if (days === 1) return `${relative.yesterday}, ${time}`
  if (days < 7) return `${relative.days(days)}, ${time}`
  return `${day(at, language, isoDay(at).slice(0, 4) === isoDay(now).slice(0, 4))}, ${time}`
}

interface Moment {
  readonly year: string
  /** From 0. */
  readonly month: number
  readonly day: number
  readonly time: string
}

// The numbers alone, which every runtime knows in English.
const numbers = new Intl.DateTimeFormat("en-GB", {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "Asia/Almaty"
})

const momentOf = (at: number): Moment => {
  const parts = Object.fromEntries(numbers.formatToParts(at).map(({ type, value }) => [type, value]))
  const { year = "", month = "1", day: date = "1", hour = "", minute: minutes = "" } = parts
  return { year, month: Number(month) - 1, day: Number(date), time: `${hour}:${minutes}` }
}

const dayNumber = (at: number): number => Date.parse(`${isoDay(at)}T00:00:00Z`) / 86_400_000

const dateOf = ({ day: date, month, year }: Moment, language: Language): string =>
  words[language].date(date, words[language].months[month] ?? "", year)

interface Words {
  readonly months: ReadonlyArray<string>
  readonly shortMonths: ReadonlyArray<string>
  readonly date: (day: number, month: string, year: string) => string
  readonly short: (day: number, month: string) => string
  readonly instant: (date: string, time: string) => string
  readonly relative: {
    readonly now: string
    readonly yesterday: string
    readonly minutes: (count: number) => string
    readonly hours: (count: number) => string
    readonly days: (count: number) => string
  }
}

const list = (text: string): ReadonlyArray<string> => text.split(" ")

/** The Russian word for a count: 1 минуту, 2 минуты, 5 минут. */
const counted = (count: number, one: string, few: string, many: string): string => {
  const last = count % 10
  if (last === 1 && count % 100 !== 11) return `${count} ${one}`
  return last >= 2 && last <= 4 && (count % 100 < 12 || count % 100 > 14) ? `${count} ${few}` : `${count} ${many}`
}

const kazakh: Words = {
  months: list("қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан"),
  shortMonths: list("қаң. ақп. нау. сәу. мам. мау. шіл. там. қыр. қаз. қар. жел."),
  date: (date, month, year) => `${year} ж. ${date} ${month}`,
  short: (date, month) => `${date} ${month}`,
  instant: (date, time) => `${date}, ${time}`,
  relative: {
    now: "жаңа ғана",
    yesterday: "кеше",
    minutes: (count) => `${count} минут бұрын`,
    hours: (count) => `${count} сағат бұрын`,
    days: (count) => `${count} күн бұрын`
  }
}

const russian: Words = {
  months: list("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
  shortMonths: list("янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек."),
  date: (date, month, year) => `${date} ${month} ${year} г.`,
  short: (date, month) => `${date} ${month}`,
  instant: (date, time) => `${date} в ${time}`,
  relative: {
    now: "только что",
    yesterday: "вчера",
    minutes: (count) => `${counted(count, "минуту", "минуты", "минут")} назад`,
    hours: (count) => `${counted(count, "час", "часа", "часов")} назад`,
    days: (count) => `${counted(count, "день", "дня", "дней")} назад`
  }
}

const english: Words = {
  months: list("January February March April May June July August September October November December"),
  shortMonths: list("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
  date: (date, month, year) => `${date} ${month} ${year}`,
  short: (date, month) => `${date} ${month}`,
  instant: (date, time) => `${date} at ${time}`,
  relative: {
    now: "just now",
    yesterday: "yesterday",
    minutes: (count) => (count === 1 ? "1 minute ago" : `${count} minutes ago`),
    hours: (count) => (count === 1 ? "1 hour ago" : `${count} hours ago`),
    days: (count) => (count === 1 ? "1 day ago" : `${count} days ago`)
  }
}

const words: Readonly<Record<Language, Words>> = { kk: kazakh, ru: russian, en: english }
