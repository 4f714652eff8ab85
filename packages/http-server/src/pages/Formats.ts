/** Instants as people in Kazakhstan read them. Pure. */
import { zoneId } from "@tolem/core/value/Calendar"
import type { Language } from "./Language.ts"

/** Day and minute in Almaty, in words of the language. */
export const instant = (at: number, language: Language): string => formats[language].format(at)

const formatOf = (language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", hourCycle: "h23", timeZone: zoneId })

const formats: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  kk: formatOf("kk"),
  ru: formatOf("ru"),
  en: formatOf("en-GB")
}
