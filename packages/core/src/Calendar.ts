/** Almaty's calendar: the days and months that quotas, daily totals and schedules are counted in. */
import { DateTime } from "effect"

/** The zone of every calendar computation. UTC+5 since 2024-03-01, UTC+6 before. */
export const zoneId = "Asia/Almaty"

const zone = DateTime.zoneMakeNamedUnsafe(zoneId)

/** The Almaty day of an instant (milliseconds) as `YYYY-MM-DD`. */
export const dayOf = (atMs: number): string => DateTime.formatIsoDate(DateTime.setZone(DateTime.makeUnsafe(atMs), zone))

/** ISO 8601 in UTC with milliseconds and `Z`, the form of every instant in answers. */
export const toIso = (atMs: number): string => DateTime.formatIso(DateTime.makeUnsafe(atMs))
