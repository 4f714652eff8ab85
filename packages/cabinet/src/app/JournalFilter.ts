/** What the journal is narrowed down to, as its address has it. Pure. */

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

/** What is looked for. */
export interface JournalFilter {
  /** A person or a key. */
  actor?: string
  kind?: (typeof deedKinds)[number]
  /** Days in Almaty, `YYYY-MM-DD`. */
  from?: string
  to?: string
}

const forms = {
  actor: /^\w{1,80}$/,
  kind: new RegExp(`^(${deedKinds.join("|")})$`),
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/
} satisfies Readonly<Record<keyof JournalFilter, RegExp>>

/** The filter in the parameters of an address; what is of another form is left out. */
export const journalIn = (given: Record<string, unknown>): JournalFilter =>
  Object.fromEntries(
    Object.entries(forms).flatMap(([name, form]) => {
      const value = given[name]
      return typeof value === "string" && form.test(value) ? [[name, value]] : []
    })
  )
