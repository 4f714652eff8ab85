/** The filter of a list of invoices as its address has it. Pure. */

/** The ways to pay. */
export const kinds = ["qr", "phone"] as const

/** What makes invoices. */
export const origins = ["request", "subscription", "payment-link", "form-hook"] as const

/** What the list is narrowed down to. */
export interface InvoiceFilter {
  status?: string
  search?: string
  /** Days in Almaty, `YYYY-MM-DD`. */
  from?: string
  to?: string
  kind?: (typeof kinds)[number]
  source?: (typeof origins)[number]
  /** A cashier. */
  connectionId?: string
  /** Tenge, as `1500` or `1500.5`. */
  minAmount?: string
  maxAmount?: string
}

const forms = {
  status: /^[a-z_,]+$/,
  search: /./,
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/,
  kind: new RegExp(`^(${kinds.join("|")})$`),
  source: new RegExp(`^(${origins.join("|")})$`),
  connectionId: /^\w{1,80}$/,
  minAmount: /^\d{1,12}(\.\d{1,2})?$/,
  maxAmount: /^\d{1,12}(\.\d{1,2})?$/
} satisfies Readonly<Record<keyof InvoiceFilter, RegExp>>

/** The filter in the parameters of an address; what is of another form is left out. */
export const filterIn = (given: Record<string, unknown>): InvoiceFilter =>
  Object.fromEntries(
    Object.entries(forms).flatMap(([name, form]) => {
      const value = given[name]
      // The router reads digits as a number.
      const text = typeof value === "number" ? String(value) : value
      return typeof text === "string" && form.test(text) ? [[name, text]] : []
    })
  )

/** Whether it narrows anything down. */
export const isNarrow = (filter: InvoiceFilter): boolean => Object.keys(filterIn({ ...filter })).length > 0
