/** What a journal is narrowed down to, as its address has it. Pure. */

/** Kinds of deeds. */
export const deedKinds = [
  "organization",
  "members",
  "keys",
  "webhooks",
  "cashiers",
  "refunds",
  "letters",
  "exports",
  "reconciliation",
  "tariff",
  "looks"
] as const

/** Kinds of what is of no organization, for those who run the platform. */
export const platformKinds = ["accounts", "sessions", "operators", "payouts", "sealing"] as const

/** What is looked for. */
export interface JournalFilter {
  /** A person or a key. */
  actor?: string
  kind?: (typeof deedKinds)[number]
  /** Days in Almaty, `YYYY-MM-DD`. */
  from?: string
  to?: string
}

/** The same over all organizations. */
export interface ConsoleJournalFilter extends Omit<JournalFilter, "kind"> {
  organization?: string
  kind?: (typeof deedKinds | typeof platformKinds)[number]
}

const oneOf = (kinds: ReadonlyArray<string>): RegExp => new RegExp(`^(${kinds.join("|")})$`)
const day = /^\d{4}-\d\d-\d\d$/

const forms = {
  actor: /^\w{1,80}$/,
  kind: oneOf(deedKinds),
  from: day,
  to: day
} satisfies Readonly<Record<keyof JournalFilter, RegExp>>

const consoleForms = {
  organization: /^\S{1,80}$/,
  actor: /^\S{1,80}$/,
  kind: oneOf([...deedKinds, ...platformKinds]),
  from: day,
  to: day
} satisfies Readonly<Record<keyof ConsoleJournalFilter, RegExp>>

const filterOf = (forms: Readonly<Record<string, RegExp>>, given: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(forms).flatMap(([name, form]) => {
      const value = given[name]
      return typeof value === "string" && form.test(value) ? [[name, value]] : []
    })
  )

/** The filter in the parameters of an address; what is of another form is left out. */
export const journalIn = (given: Record<string, unknown>): JournalFilter => filterOf(forms, given)

/** The same over all organizations. */
export const consoleJournalIn = (given: Record<string, unknown>): ConsoleJournalFilter => filterOf(consoleForms, given)

/** A filter with another value of one member; empty: nothing is asked of it. */
export const narrowed = <F extends object>(filter: F, name: keyof F & string, value: string): F => {
  const { [name]: _, ...rest } = filter
  return (value === "" ? rest : { ...rest, [name]: value }) as F
}
