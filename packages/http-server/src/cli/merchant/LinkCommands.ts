/** `tolem link …` */
import { Engine } from "@tolem/core/engine/Engine"
import { linkFace } from "@tolem/core/paymentlink/LinkJson"
import { group, readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import * as Merchant from "../kit/Merchant.ts"
import { type Columns, localTime, members } from "../kit/Tables.ts"

type Shown = ReturnType<ReturnType<typeof linkFace>["one"]>

const columns: Columns<Shown> = {
  ID: ({ id }) => id,
  TITLE: ({ title }) => title,
  STATUS: ({ status }) => status,
  KZT: ({ amount }) => amount ?? "any",
  PAYMENTS: ({ totals }) => totals.payments,
  "PAID KZT": ({ totals }) => totals.paidAmount,
  CREATED: ({ createdAt }) => localTime(createdAt),
  URL: ({ url }) => url
}

const list = readingCommand(
  "list",
  "List payment links, oldest first",
  { ...Merchant.flags, baseUrl: Flags.baseUrlOfOthers, ...Lists.pageFlags },
  function* (given) {
    const { paymentLinks, settings } = yield* Engine
    const all = yield* paymentLinks.list(yield* Merchant.callerOf(given))
    const { rows, ...page } = yield* Lists.slice(all, given)
    const links = rows.map(linkFace(settings).one)
    return { json: { ...page, links }, text: Lists.paged(page, links, columns) }
  },
  Flags.baseSettings
)

const show = readingCommand(
  "show",
  "Show a payment link and what was paid at it",
  {
    ...Merchant.flags,
    baseUrl: Flags.baseUrlOfOthers,
    id: Flags.text("id", "ID", "Id of the link, as link list shows it")
  },
  function* ({ id, ...of }) {
    const { paymentLinks, settings } = yield* Engine
    const shown = linkFace(settings).one(yield* paymentLinks.get(yield* Merchant.callerOf(of), id))
    return { json: shown, text: textOf(shown) }
  },
  Flags.baseSettings
)

const textOf = (shown: Shown): string =>
  members({
    id: shown.id,
    url: shown.url,
    title: shown.title,
    description: shown.description,
    mode: shown.mode,
    status: shown.status,
    amount: shown.amount === null ? "as the customer types it" : `${shown.amount} KZT`,
    invoices: shown.totals.invoices,
    payments: shown.totals.payments,
    paid: `${shown.totals.paidAmount} KZT`,
    refunded: `${shown.totals.refundedAmount} KZT`,
    "places left": shown.totals.placesLeft,
    opens: localTime(shown.opensAt),
    closes: localTime(shown.closesAt),
    created: localTime(shown.createdAt),
    changed: localTime(shown.updatedAt)
  })

/** Payment links. */
export const link = group("link", "Payment links", [list, show])
