/** What is asked of the cabinet: every filter of its list, and what else reads many rows. */
import { dayOf } from "@tolem/core/value/Calendar"
import type { Shop } from "./Shop.ts"

/** A request, and what is to be told of its answer. */
export interface Question {
  readonly name: string
  /** Behind the organization's address. */
  readonly path: string
  readonly wantedMs: number
  readonly found: (answer: Answer) => string
}

/** The members of answers that are told. */
interface Answer {
  readonly invoices?: ReadonlyArray<object>
  readonly total?: number
  readonly count?: number
  readonly created?: number
  readonly payments?: number
  readonly lookedTo?: string | null
  readonly kinds?: ReadonlyArray<{ readonly kind: string; readonly count: number }>
}

/** What a member waits for at most; see the issue of the cabinet. */
const wantedMs = 300

/** The same of a statement, whose rows are all read. */
const statementMs = 1000

/** What the shop has something of. */
const wantedKinds = [
  "cashier_session_lost",
  "refund_unknown",
  "subscription_stuck",
  "endpoint_paused",
  "delivery_given_up",
  "late_money",
  "quota_low"
]

/** All of them. */
export const questions = (shop: Shop): ReadonlyArray<Question> => {
  const newest = shop.placeOf(shop.count - 1)
  const middle = shop.placeOf(Math.floor(shop.count / 2))
  const last = shop.placeOf(50)
  const filters: Readonly<Record<string, string>> = {
    "first page": "",
    "last page, by its place": `&after=${last.at.toString(36)}.${last.id}`,
    "a page in the middle, by its place": `&after=${middle.at.toString(36)}.${middle.id}`,
    "of a status": "&status=paid",
    "of some statuses": "&status=failed,cancelled",
    "of a status that none has": "&status=refunded",
    "of a way": "&kind=phone",
    "of an origin": "&source=subscription",
    "of a cashier": "&connectionId=con_bench107",
    "of a cashier that has none": "&connectionId=con_none",
    "of a cashier, status, way and origin": "&connectionId=con_bench107&status=paid&kind=phone&source=request",
    "of amounts that many have": "&minAmount=100&maxAmount=5000",
    "of an amount that few have": "&minAmount=777&maxAmount=777",
    "of an amount that none has": "&minAmount=200000",
    "of an order": `&externalOrderId=${shop.orderOf(Math.floor(shop.count / 2))}`,
    "search: a name that many have": "&search=akhmetov",
    "search: a part of a phone": `&search=${encodeURIComponent("77015")}`,
    "search: nothing such": "&search=nothing+such",
    "of a day half a year ago": `&from=${dayOf(middle.at)}&to=${dayOf(middle.at)}`,
    "of a month half a year ago": `&from=${dayOf(middle.at)}&to=${dayOf(middle.at + 30 * 86_400_000)}`,
    "of all filters at once":
      `&status=paid&kind=phone&source=request&connectionId=con_bench107&minAmount=10&maxAmount=90000&search=tea` +
      `&from=${dayOf(middle.at)}&to=${dayOf(newest.at)}`
  }
  const list = Object.entries(filters).map(([name, query]) => ({
    name: `list, ${name}`,
    path: `invoices?mode=live&limit=50${query}`,
    wantedMs,
    found: ({ invoices = [], total = 0, lookedTo }: Answer) =>
      `${invoices.length} of ${total}${lookedTo == null ? "" : ", goes on"}`
  }))
  const summed = Object.entries({
    all: "",
    "a status": "&status=paid",
    "amounts that many have": "&minAmount=100&maxAmount=5000",
    "a search": "&search=akhmetov",
    "a month half a year ago": `&from=${dayOf(middle.at)}&to=${dayOf(middle.at + 30 * 86_400_000)}`
  })
  const sums = summed.map(([name, query]) => ({
    name: `sums of ${name}`,
    path: `sums?mode=live${query}`,
    wantedMs,
    found: ({ count = 0, lookedTo }: Answer) => `${count}${lookedTo == null ? "" : ", goes on"}`
  }))
  const found = ({ created = 0 }: Answer) => String(created)
  const attention = ({ kinds = [] }: Answer) => {
    const missing = wantedKinds.filter((wanted) => !kinds.some(({ kind }) => kind === wanted))
    if (missing.length > 0) throw new Error(`nothing of ${missing.join(", ")} needs attention`)
    return `${kinds.reduce((sum, { count }) => sum + count, 0)} of ${kinds.length} kinds`
  }
  const ofYear = `totals?mode=live&from=${dayOf(newest.at - 364 * 86_400_000)}&to=${dayOf(newest.at)}`
  return [
    ...list,
    ...sums,
    { name: "totals of 7 days", path: "totals?mode=live", wantedMs, found },
    { name: "totals of a year", path: ofYear, wantedMs, found },
    ...statements(shop),
    { name: "what needs attention", path: "attention?mode=live", wantedMs, found: attention }
  ]
}

const statements = (shop: Shop): ReadonlyArray<Question> => {
  const [newest, middle] = [shop.placeOf(shop.count - 1), shop.placeOf(Math.floor(shop.count / 2))]
  const found = ({ payments = 0 }: Answer) => `${payments} payments`
  const of = (name: string, from: number, to: number): Question => ({
    name: `statement of ${name}`,
    path: `statement?mode=live&from=${dayOf(from)}&to=${dayOf(to)}`,
    wantedMs: statementMs,
    found
  })
  const onDay = `from=${dayOf(middle.at)}&to=${dayOf(middle.at)}`
  return [
    of("a year", newest.at - 364 * 86_400_000, newest.at),
    of("a month", middle.at, middle.at + 30 * 86_400_000),
    { name: "report of a till", path: `shift?mode=live&connectionId=con_bench107&${onDay}`, wantedMs, found }
  ]
}
