/** Moments that are near, as people say them. */
import { instant, isoDay, minute } from "@tolem/http-server/pages/Formats"
import type { Language } from "../texts/Translation.ts"

/** A moment soon: the minute, with its day if that is not today's. Pure. */
export const soon = (at: string, now: number, language: Language): string => {
  const moment = Date.parse(at)
  return isoDay(moment) === isoDay(now) ? minute(moment) : instant(moment, language)
}
