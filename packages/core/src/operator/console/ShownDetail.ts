/**
 * What operators are shown of the detail of a record: ids, instants, amounts, and words of programs. What a merchant or
 * a member has typed may tell of customers, and is left out. Pure.
 */
import type { AuditRecord } from "../../audit/Audit.ts"
import { Tiyn, toTenge } from "../../value/Money.ts"

/** Members whose values are of programs; each other one is left out. */
const shown = new Set([
  "accountId",
  "actor",
  "amount",
  "amountHere",
  "amountThere",
  "cause",
  "day",
  "earning",
  "export",
  "from",
  "isWhole",
  "kind",
  "lang",
  "made",
  "mode",
  "months",
  "refundId",
  "rows",
  "status",
  "table",
  "tariff",
  "tariffUntil",
  "to"
])

const forms = [
  /^[a-z]{3}_[0-9a-z]{1,40}$/,
  /^\d{4}-\d\d-\d\d(T[\d:.]{5,12}(Z|[+-]\d\d:\d\d)?)?$/,
  // No phone and no number of a person: so many digits stand in no word of a program.
  /^(?!.*\d{5})[\w.:-]{1,40}$/
]

/** Null: there is nothing of it that may be shown. */
export const shownDetail = ({ action, detail }: Pick<AuditRecord, "action" | "detail">): string | null => {
  if (detail === null) return null
  const members = membersOf(detail)
  if (members === null) return detail.split(" ").every(isOfPrograms) ? detail : null
  const kept = Object.entries(members).flatMap(([name, value]): ReadonlyArray<readonly [string, unknown]> => {
    // Written by an operator, who answers for it to the owner and to other operators.
    if (name === "reason" && typeof value === "string") return [[name, withoutContacts(value)]]
    if (!shown.has(name)) return []
    // Earnings are told in tiyn.
    if (name === "amount" && action === "earning.paid_out") return [[name, toTenge(Tiyn(Number(value)))]]
    return isOfPrograms(value) ? [[name, value]] : []
  })
  return kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept))
}

const isOfPrograms = (value: unknown): boolean =>
  typeof value === "string"
    ? forms.some((form) => form.test(value))
    : typeof value === "number" || typeof value === "boolean"

const membersOf = (detail: string): Readonly<Record<string, unknown>> | null => {
  if (!detail.startsWith("{")) return null
  try {
    return JSON.parse(detail)
  } catch {
    return null
  }
}

/** So many digits are of a phone or of a number of identification; a date has fewer. */
const digitsOfPeople = 9

/** A text with phones, numbers of identification and addresses left out. */
const withoutContacts = (text: string): string =>
  text
    .replaceAll(/\S+@\S+/g, "…")
    .replaceAll(/\d[\d ()-]*\d/g, (found) => (found.replaceAll(/\D/g, "").length < digitsOfPeople ? found : "…"))
