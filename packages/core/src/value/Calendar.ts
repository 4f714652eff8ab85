/** Almaty's calendar: the days and months that quotas, daily totals and schedules are counted in. */
import { DateTime } from "effect"

/** The zone of every calendar computation. UTC+5 since 2024-03-01, UTC+6 before. */
const zoneId = "Asia/Almaty"

/** The zone of that name. It is made once, when it is first asked for: that takes some 20 ms. */
export const zone = (): DateTime.TimeZone.Named => DateTime.zoneMakeNamedUnsafe(zoneId)

const hourMs = 3_600_000
// A day after the change.
const since2024 = 1_717_200_000_000

/**
 * Whether the runtime's zone data know that Almaty has been at UTC+5 since 2024-03-01. With older data every schedule
 * would be an hour off, so that no server should start.
 */
export const isZoneCurrent = (): boolean =>
  DateTime.zonedOffset(DateTime.makeZonedUnsafe(since2024, { timeZone: zone() })) === 5 * hourMs

let lastHour = Number.NaN
let lastDay = ""

/**
 * The Almaty day of an instant (milliseconds) as `YYYY-MM-DD`. Days begin on the hour there, so the last answer serves
 * for the whole hour.
 */
export const dayOf = (atMs: number): string => {
  const hour = Math.floor(atMs / hourMs)
  if (hour !== lastHour) {
    lastDay = DateTime.formatIsoDate(DateTime.setZone(DateTime.makeUnsafe(atMs), zone()))
    lastHour = hour
  }
  return lastDay
}

const offsets = new Map<number, number>()

/** Hours of which offsets are kept: those of more than a year. */
const keptOffsets = 10_000

/**
 * How far Almaty's clock is ahead of UTC at an instant, in milliseconds. It changes on the hour, so one answer serves
 * for the whole of it: schedules of many subscriptions ask for the same hours.
 */
export const offsetAt = (atMs: number): number => {
  const hour = Math.floor(atMs / hourMs)
  const known = offsets.get(hour)
  if (known !== undefined) return known
  const offset = DateTime.zonedOffset(DateTime.makeZonedUnsafe(atMs, { timeZone: zone() }))
  if (offsets.size >= keptOffsets) offsets.clear()
  offsets.set(hour, offset)
  return offset
}

/** The clock of Almaty at an instant, `YYYY-MM-DD HH:MM:SS`. */
export const localTime = (atMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(atMs + offsetAt(atMs)))
    .slice(0, 19)
    .replace("T", " ")

/** The first instant of an Almaty day that exists, `YYYY-MM-DD`. */
export const startOfDay = (date: string): number => startOf(DateTime.makeUnsafe(`${date}T00:00:00Z`))

/** The last one, of the day's last millisecond. */
export const endOfDay = (date: string): number =>
  startOf(DateTime.add(DateTime.makeUnsafe(`${date}T00:00:00Z`), { days: 1 })) - 1

const startOf = (midnight: DateTime.Utc): number =>
  DateTime.toEpochMillis(DateTime.makeZonedUnsafe(midnight, { timeZone: zone(), adjustForTimeZone: true }))

/** ISO 8601 in UTC with milliseconds and `Z`, the form of every instant in answers. */
export const toIso = (atMs: number): string => {
  const day = Math.floor(atMs / dayMs)
  // Most instants that are shown one after the other lie in one day: what all of it begins with is kept.
  if (day !== isoDay) {
    isoDate = DateTime.formatIso(DateTime.makeUnsafe(day * dayMs)).slice(0, -midnight.length)
    isoDay = day
  }
  const ms = Math.floor(atMs - day * dayMs)
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`
  return `${isoDate}${clock}.${String(ms % 1000).padStart(3, "0")}Z`
}

const dayMs = 86_400_000
const midnight = "00:00:00.000Z"
const two = (value: number): string => (value < 10 ? `0${value}` : String(value))
let isoDay = Number.NaN
let isoDate = ""
