/** What of subscriptions is looked at, as the address has it. Pure. */

/** The statuses that may be asked for. */
export const subscriptionStatuses = ["active", "paused", "cancelled", "finished"] as const

/** What the list is narrowed down to, and which view is shown. */
export interface SubscriptionFilter {
  status?: (typeof subscriptionStatuses)[number]
  /** `1`: those alone whose next run could not be made. */
  stuck?: "1"
  search?: string
  /** The calendar in place of the list. */
  view?: "calendar"
  /** A day of the month that it shows, and a day whose subscriptions are shown, as `YYYY-MM-DD` in Almaty. */
  from?: string
  day?: string
}

const dayForm = /^(20|21)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

const forms = {
  status: new RegExp(`^(${subscriptionStatuses.join("|")})$`),
  stuck: /^1$/,
  search: /^.{1,200}$/,
  view: /^calendar$/,
  from: dayForm,
  day: dayForm
} satisfies Readonly<Record<keyof SubscriptionFilter, RegExp>>

/** The filter in the parameters of an address; what is of another form is left out. */
export const subscriptionsIn = (given: Record<string, unknown>): SubscriptionFilter =>
  Object.fromEntries(
    Object.entries(forms).flatMap(([name, form]) => {
      const value = given[name]
      // The router reads digits as a number.
      const text = typeof value === "number" ? String(value) : value
      return typeof text === "string" && form.test(text) ? [[name, text]] : []
    })
  )

/** Whether it keeps anything out of the list. */
export const isNarrowed = ({ status, stuck, search }: SubscriptionFilter): boolean =>
  [status, stuck, search].some((each) => each !== undefined)
