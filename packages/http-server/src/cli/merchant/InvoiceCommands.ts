/** `tolem invoice …` */
import { Engine } from "@tolem/core/engine/Engine"
import { type Invoice, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { cancelExtras, detailExtras, type InvoiceObject, invoiceObject } from "@tolem/core/invoice/InvoiceJson"
import type { InvoiceSettings } from "@tolem/core/invoice/InvoiceSettings"
import { isObject, type JsonObject } from "@tolem/core/value/Checks"
import { Effect, Option, Record, Result } from "effect"
import { CliError, Flag } from "effect/cli"
import { changingCommand, group, readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as Lists from "../kit/Lists.ts"
import * as Merchant from "../kit/Merchant.ts"
import { type Columns, localTime, members, parts, section } from "../kit/Tables.ts"

const id = Flags.text("id", "ID", "Id of the invoice")

const optional = (name: string, metavar: string, about: string) => Flags.text(name, metavar, about).pipe(Flag.optional)

const common = { ...Merchant.flags, provider: Flags.provider, baseUrl: Flags.baseUrlOfOthers }

/** What such a command is assembled with: the provider of live invoices, and the address of pages. */
const assembly = ({ provider, baseUrl }: { readonly [K in "provider" | "baseUrl"]: Option.Option<string> }) => ({
  provider,
  ...Flags.baseSettings({ baseUrl })
})

const amount = Flag.Finite("amount").pipe(Flag.withMetavar("KZT"))

const columns: Columns<InvoiceObject> = {
  ID: ({ id }) => id,
  STATUS: ({ status }) => status,
  KZT: ({ amount }) => amount,
  CREATED: ({ createdAt }) => localTime(createdAt),
  PAID: ({ paidAt }) => localTime(paidAt),
  ORDER: ({ externalOrderId }) => externalOrderId,
  DESCRIPTION: ({ description }) => description
}

const list = readingCommand(
  "list",
  "List invoices, newest first",
  {
    ...Merchant.flags,
    baseUrl: Flags.baseUrlOfOthers,
    status: optional("status", "a,b", `Only those of these statuses, of ${InvoiceStatus.literals.join(", ")}`),
    search: optional("search", "TEXT", "Part of a description, order, customer or id"),
    order: optional("external-order-id", "ID", "Only those of this order of yours"),
    from: optional("from", "TIME", "Made from then on: an instant in ISO 8601, or a day of Almaty"),
    to: optional("to", "TIME", "Made until then, in the same form"),
    ...Lists.pageFlags
  },
  function* ({ organization, mode, order, limit, offset, status, search, from, to }) {
    const { invoices, settings } = yield* Engine
    const caller = yield* Merchant.callerOf({ organization, mode })
    const asked = Record.map({ status, search, externalOrderId: order, from, to }, Option.getOrUndefined)
    const request = { ...asked, ...(yield* Lists.pageOf({ limit, offset })) }
    const { invoices: found, ...page } = yield* invoices.list(caller, request)
    const shown = found.map((invoice) => invoiceObject(invoice, settings))
    return { json: { ...page, invoices: shown }, text: Lists.paged(page, shown, columns) }
  },
  Flags.baseSettings
)

const show = readingCommand(
  "show",
  "Show an invoice with its events and refunds",
  { ...Merchant.flags, baseUrl: Flags.baseUrlOfOthers, id },
  function* ({ id, ...of }) {
    const { invoices, settings } = yield* Engine
    const detail = yield* invoices.get(yield* Merchant.callerOf(of), id)
    const [shown, extras] = [invoiceObject(detail.invoice, settings), detailExtras(detail)]
    const text = parts(
      textOf(shown),
      section("Events", extras.events, {
        NUMBER: ({ sequence }) => sequence,
        TIME: ({ createdAt }) => localTime(createdAt),
        TYPE: ({ type }) => type,
        FROM: ({ source }) => source
      }),
      section("Refunds", extras.refunds, {
        ID: ({ id }) => id,
        KZT: ({ amount }) => amount,
        STATUS: ({ status }) => status,
        TIME: ({ createdAt }) => localTime(createdAt),
        REASON: ({ reason }) => reason
      })
    )
    return { json: { ...shown, ...extras }, text }
  },
  Flags.baseSettings
)

const textOf = (shown: InvoiceObject): string =>
  members({
    id: shown.id,
    status: shown.status,
    mode: shown.mode,
    amount: `${shown.amount} ${shown.currency}`,
    refunded: shown.refundedAmount === 0 ? null : `${shown.refundedAmount} ${shown.currency}`,
    description: shown.description,
    order: shown.externalOrderId,
    customer: [shown.customer.name, shown.customer.phone, shown.customer.email].filter(Boolean).join(", "),
    "pay page": shown.payUrl,
    receipt: shown.receiptUrl,
    expires: localTime(shown.expiresAt),
    paid: localTime(shown.paidAt),
    created: localTime(shown.createdAt)
  })

const metadata = optional("metadata", "JSON", "Your own members, as an object: '{\"table\": 7}'").pipe(
  Flag.mapEffect((given) =>
    Option.match(given, {
      onNone: () => Effect.succeedNone,
      onSome: (text) => {
        const parsed = Result.try((): unknown => JSON.parse(text))
        return Result.isSuccess(parsed) && isObject(parsed.success)
          ? Effect.succeedSome({ text, object: parsed.success })
          : Effect.fail(new CliError.ValidationError({ message: "--metadata: write an object in JSON" }))
      }
    })
  )
)

const create = changingCommand(
  "create",
  "Make an invoice, and print where it is paid",
  {
    ...common,
    amount: amount.pipe(Flag.withDescription("What is owed, in tenge")),
    kind: Flag.Literals("kind", ["qr", "phone"]).pipe(
      Flag.withDescription("qr: paid by a code or a link; phone: asked for at the customer's phone"),
      Flag.withDefault("qr")
    ),
    description: optional("description", "TEXT", "What customers read"),
    externalOrderId: optional("external-order-id", "ID", "Order of yours"),
    customer: {
      name: optional("customer-name", "TEXT", "Name of the customer"),
      phone: optional("customer-phone", "7XXXXXXXXXX", "Phone of the customer"),
      email: optional("customer-email", "ADDRESS", "Where letters about it go")
    },
    successUrl: optional("success-url", "URL", "Where customers are led after a payment"),
    failUrl: optional("fail-url", "URL", "Where they are led if it failed"),
    metadata,
    idempotencyKey: optional("idempotency-key", "TEXT", "The same key makes one invoice, however often it is sent")
  },
  function* ({ organization, mode, provider: _, baseUrl: __, amount, kind, customer, metadata, ...texts }) {
    const { invoices, settings } = yield* Engine
    const caller = yield* Merchant.callerOf({ organization, mode })
    const person = Record.getSomes(customer)
    const body: JsonObject = {
      amount,
      kind,
      ...Record.getSomes(texts),
      ...(Record.isEmptyRecord(person) ? {} : { customer: person }),
      ...(Option.isSome(metadata) && { metadata: metadata.value.object })
    }
    const rawMetadata = Option.getOrUndefined(Option.map(metadata, ({ text }) => text))
    const { invoice } = yield* invoices.create(caller, { body, rawMetadata })
    return shownOf(invoice, settings)
  },
  assembly
)

const shownOf = (invoice: Invoice, settings: InvoiceSettings) => {
  const shown = invoiceObject(invoice, settings)
  return { json: shown, text: textOf(shown) }
}

const cancel = changingCommand(
  "cancel",
  "Close an open invoice: it can be paid no more",
  { ...common, id },
  function* ({ id, ...of }) {
    const { invoices, settings } = yield* Engine
    const invoice = yield* invoices.cancel(yield* Merchant.callerOf(of), id)
    const { json, text } = shownOf(invoice, settings)
    return { json: { ...json, ...cancelExtras(invoice) }, text }
  },
  assembly
)

const refund = changingCommand(
  "refund",
  "Give back what was paid, or a part of it",
  {
    ...common,
    id,
    amount: amount.pipe(Flag.withDescription("How much, in tenge; default all that is left"), Flag.optional),
    reason: optional("reason", "TEXT", "Why, for your own records"),
    idempotencyKey: optional("idempotency-key", "TEXT", "The same key refunds once, however often it is sent")
  },
  function* ({ id, amount, reason, idempotencyKey, ...of }) {
    const { invoices, settings } = yield* Engine
    const given = Record.getSomes({ reason, idempotencyKey })
    const body: JsonObject = Option.isSome(amount) ? { ...given, amount: amount.value } : given
    const { invoice } = yield* invoices.refund(yield* Merchant.callerOf(of), id, { body })
    return shownOf(invoice, settings)
  },
  assembly
)

const pay = changingCommand(
  "pay",
  "Pay a sandbox invoice, as a customer would; no money moves",
  {
    organization: Flags.organization,
    baseUrl: Flags.baseUrlOfOthers,
    id,
    status: Flag.Literals("status", ["paid", "failed", "expired"]).pipe(
      Flag.withDescription("What becomes of it"),
      Flag.withDefault("paid")
    )
  },
  function* ({ organization, id, status }) {
    const { invoices, settings } = yield* Engine
    const caller = yield* Merchant.callerOf({ organization, mode: "sandbox" })
    return shownOf(yield* invoices.simulate(caller, id, { status }), settings)
  },
  Flags.baseSettings
)

/** Invoices. */
export const invoice = group("invoice", "Invoices", [create, list, show, pay, cancel, refund])
