/** The filter of a list of invoices as its address has it. Pure. */

/** What the list is narrowed down to. */
export interface InvoiceFilter {
  status?: string
  search?: string
  /** Days in Almaty, `YYYY-MM-DD`. */
  from?: string
  to?: string
}

const dayForm = /^\d{4}-\d\d-\d\d$/

/** The filter in the parameters of an address; what is of another form is left out. */
export const filterIn = (given: Record<string, unknown>): InvoiceFilter => {
  const { status, search, from, to } = given
  // The router reads digits as a number.
  const words = typeof search === "number" ? String(search) : search
  return {
    ...(typeof status === "string" && /^[a-z_,]+$/.test(status) && { status }),
    ...(typeof words === "string" && words !== "" && { search: words }),
    ...(typeof from === "string" && dayForm.test(from) && { from }),
    ...(typeof to === "string" && dayForm.test(to) && { to })
  }
}

/** Whether it narrows anything down. */
export const isNarrow = ({ status, search, from, to }: InvoiceFilter): boolean =>
  [status, search, from, to].some((part) => part !== undefined)
