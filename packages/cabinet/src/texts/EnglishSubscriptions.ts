/** The words of subscriptions in English. */
import type { ScheduleParts, SubscriptionsTexts } from "./SubscriptionsTexts.ts"

const weekdays = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"]
const months = "January February March April May June July August September October November December".split(" ")

const ordinal = (day: number): string => {
  const ending = day % 100 > 10 && day % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th")
  return `${day}${ending}`
}

const schedule = ({ interval, every, day, weekday, time }: ScheduleParts): string => {
  const how = every === 1 ? `every ${interval}` : `every ${every} ${interval}s`
  if (interval === "month") return `${how} on the ${ordinal(day)} at ${time}`
  return interval === "week" ? `${how} on ${weekdays[weekday]} at ${time}` : `${how} at ${time}`
}

/** The words. */
export const englishSubscriptions: SubscriptionsTexts = {
  title: "Subscriptions",
  text: "Invoices that are made by themselves, on their dates.",
  create: "New subscription",
  none: "No subscriptions yet",
  noneText: "Make one for a club, rent or a course: its invoices are made on their dates and sent to the customer.",
  noMatch: "Nothing found",
  noMatchText: "No subscription matches. Change or clear the filter.",
  back: "All subscriptions",
  nameless: "Without a name",
  states: { active: "Active", paused: "Paused", cancelled: "Cancelled", finished: "Finished" },
  stuck: "Stuck",
  views: { view: "View", list: "List", calendar: "Calendar" },
  filter: {
    name: "Filter",
    search: "Search",
    status: "Status",
    all: "All",
    stuck: "Stuck ones only",
    reset: "Clear"
  },
  older: "Show more",
  sums: {
    title: "What they bring",
    active: "Active",
    monthly: "In a month",
    soon: "Next 30 days",
    stuck: "Stuck"
  },
  soon: (runs, sum) => `${sum} · ${runs}`,
  schedule,
  next: (when) => `next: ${when}`,
  calendar: {
    title: "Calendar",
    text: "Invoices that are expected from now on, if nothing keeps them.",
    before: "Month before",
    after: "Next month",
    none: "Nothing falls due in this month.",
    noneOfDay: "Nothing falls due on this day.",
    more: "Show more",
    looking: "Looking further…"
  },
  month: (year, month) => `${months[month - 1]} ${year}`,
  weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
  invoices: (count) => `invoices: ${count}`,
  facts: {
    title: "Subscription",
    amount: "Amount",
    schedule: "Schedule",
    customer: "Customer",
    kind: "Payment",
    qr: "QR code or link",
    push: "Invoice to the phone",
    made: "Invoices made",
    retry: "If unpaid",
    cashier: "Cashier",
    defaultCashier: "the default one",
    upcoming: "Next dates",
    noUpcoming: "None"
  },
  madeOf: (runs, most) => (most === null ? runs : `${runs} of ${most}`),
  retryAfter: (hours) => `again after ${hours} h`,
  history: {
    title: "Runs",
    none: "No invoice was made yet.",
    outOfSchedule: "out of schedule",
    older: "Earlier runs",
    caption: "Newest first, with all invoices of each."
  },
  run: (number) => `Run ${number}`,
  tryOf: (number, of) => `try ${number} of ${of}`,
  againAt: (when) => `next try ${when}`,
  offeredAt: (when) => `the payment system is asked again ${when}`,
  stuckTitle: "The next invoice cannot be made",
  stuckSince: (since, tries, next) =>
    `Due since ${since}; tries: ${tries}.${next === null ? "" : ` The next one: ${next}.`}`,
  toDo: {
    live: "The organization is in sandbox mode. Switch it to live: the invoice is made by itself then.",
    cashier: "There is no cashier that works. Log one in under “Cashiers”, or choose another default one.",
    session: "The cashier was logged out. Log them in again under “Cashiers”.",
    quota: "The tariff's limit is used up. Take a larger tariff, or wait for the next day or month.",
    provider:
      "The payment system has refused or does not answer. It is tried again by itself; call it if that goes on.",
    sandbox: "The sandbox has made as many invoices today as it may. It goes on tomorrow.",
    other: "It is tried again by itself. If that goes on, remove what the reason names."
  },
  change: "Change",
  pause: "Pause",
  resume: "Resume",
  runNow: "Make an invoice now",
  cancel: "Cancel subscription",
  cancelText: "No invoices are made any more, and it cannot be resumed. Those that were made stay payable.",
  paused: "The subscription is paused.",
  resumed: "The subscription goes on.",
  ran: "The invoice is made.",
  cancelled: "The subscription is cancelled.",
  made: "The subscription is made.",
  saved: "Saved.",
  fields: {
    amount: "Amount, ₸",
    description: "What for",
    kind: "Payment",
    name: "Customer's name",
    phone: "Phone",
    email: "E-mail",
    interval: "Period",
    every: "Every",
    dayOfMonth: "Day of the month",
    startAt: "First date",
    nextRunAt: "Next date",
    maxRuns: "How many invoices",
    retry: "Again if unpaid, after hours",
    misfire: "If dates were missed",
    cashier: "Cashier"
  },
  hints: {
    email: "Invoices are sent here.",
    dayOfMonth: "1 to 28, at 10:00 in Almaty. Empty: the day and time of the first date.",
    startAt: "In Almaty. Empty: now.",
    maxRuns: "Empty: without an end.",
    retry: "Up to five numbers, as 24, 72."
  },
  intervals: { day: "Day", week: "Week", month: "Month" },
  misfires: { run_once: "One invoice for all of them", skip: "No invoice for them" },
  metadata: {
    title: "Your own data",
    text: "Kept with the subscription and with each of its invoices, for your own programs.",
    add: "Add a pair",
    nameless: "Write a name.",
    twice: "There is such a name already.",
    tooMuch: "This is more than can be kept. Make it shorter.",
    name: (number) => `Name ${number}`,
    value: (number) => `Value ${number}`,
    remove: (number) => `Remove pair ${number}`
  },
  more: "More",
  preview: "Next dates",
  previewNone: "No dates",
  amountWrong: "Write an amount.",
  whole: "Write whole numbers."
}
