/** Amounts and instants as people in Kazakhstan read them. Pure. */
import { zoneId } from "@tolem/core/Calendar"
import type { Tiyn } from "@tolem/core/Money"
import type { Language } from "./Language.ts"

/** `1 500,00 ₸` in every language; its spaces do not break. */
export const money = (amount: Tiyn): string => {
  const tenge = String(Math.floor(amount / 100)).replace(/\B(?=(\d{3})+$)/g, "\u00a0")
  return `${tenge},${String(amount % 100).padStart(2, "0")}\u00a0₸`
}

/** Day and minute in Almaty, in words of the language. */
export const instant = (at: number, language: Language): string => formats[language].format(at)

const formatOf = (language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", hourCycle: "h23", timeZone: zoneId })

const formats: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  kk: formatOf("kk"),
  ru: formatOf("ru"),
  en: formatOf("en-GB")
}
