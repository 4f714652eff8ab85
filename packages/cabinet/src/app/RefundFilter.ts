/** What the list of refunds is narrowed down to, as its address has it. Pure. */

/** What may be asked for. */
export const refundStatuses = ["succeeded", "failed", "unknown", "pending"] as const

/** What is looked for. */
export interface RefundFilter {
  status?: (typeof refundStatuses)[number]
  /** Days in Almaty, `YYYY-MM-DD`. */
  from?: string
  to?: string
}

const forms = {
  status: new RegExp(`^(${refundStatuses.join("|")})$`),
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/
} satisfies Readonly<Record<keyof RefundFilter, RegExp>>

/** The filter in the parameters of an address; what is of another form is left out. */
export const refundsIn = (given: Record<string, unknown>): RefundFilter =>
  Object.fromEntries(
    Object.entries(forms).flatMap(([name, form]) => {
      const value = given[name]
      return typeof value === "string" && form.test(value) ? [[name, value]] : []
    })
  )
