/** `tolem tariff …` */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults, withSettings } from "@tolem/core/engine/Settings"
import { payUrl } from "@tolem/core/invoice/InvoiceJson"
import { accountJson } from "@tolem/core/partner/AccountJson"
import { toTenge } from "@tolem/core/value/Money"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { configuration } from "../config/ConfigFile.ts"
import * as Assembly from "../kit/Assembly.ts"
import { group, ofOrganization, readingCommand } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import { type Columns, localTime, table } from "../kit/Tables.ts"

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const { tariffs } = withSettings(defaults, (yield* configuration).settings)
    const all = tariffs.catalogue.map(({ price, ...tariff }) => ({
      ...tariff,
      price: price === null ? null : toTenge(price)
    }))
    const columns: Columns<(typeof all)[number]> = {
      TARIFF: ({ code }) => code,
      "LIVE A MONTH": ({ monthlyLimit }) => monthlyLimit,
      "LIVE A DAY": ({ dailyLimit }) => dailyLimit,
      "KZT A MONTH": ({ price }) => price ?? "not sold"
    }
    yield* (yield* Output).print({ json: all, text: table(all, columns) })
  })
).pipe(Command.withDescription("List the tariffs that there are"))

const show = readingCommand(
  "show",
  "Show an organization's tariff and what was used of it",
  { organization: Flags.organization },
  function* ({ organization }) {
    const { tariffs } = yield* Engine
    const standing = yield* ofOrganization(organization)(tariffs.standing(organization))
    const { tariff } = accountJson(standing, "live", [])
    const { code, active, validUntil, monthlyUsed, monthlyLimit, dailyUsed, dailyLimit } = tariff
    const until = validUntil === null ? "without end" : `until ${localTime(validUntil)}`
    const used = `${monthlyUsed} of ${monthlyLimit} used this month, ${dailyUsed} of ${dailyLimit} today`
    return { json: tariff, text: `${code}, ${active ? "active" : "not active"}, ${until}; ${used}.` }
  }
)

const buy = Command.make(
  "buy",
  {
    database: Flags.database,
    provider: Flags.provider,
    seller: Flags.seller,
    baseUrl: Flags.baseUrl,
    organization: Flags.organization,
    tariff: Flags.tariff
  },
  ({ database, provider, seller, baseUrl, organization, tariff }) => {
    const settings = {
      ...(Option.isSome(baseUrl) && { baseUrl: baseUrl.value }),
      ...(Option.isSome(seller) && { tariffs: { seller: seller.value } })
    }
    return Effect.gen(function* () {
      const { tariffSales, settings: inForce } = yield* Engine
      const { order, invoice } = yield* ofOrganization(organization)(tariffSales.buy(organization, tariff))
      const address = payUrl(invoice.id, inForce)
      yield* (yield* Output).print({
        json: { orderId: order.id, invoiceId: invoice.id, amount: toTenge(order.amount), payUrl: address },
        text: `Pay ${toTenge(order.amount)} KZT at ${address}; a month of ${tariff} starts then.`
      })
    }).pipe(Effect.provide(Assembly.layer(database, { settings, provider, tariff })))
  }
).pipe(Command.withDescription("Order a month of a tariff, paid with an invoice of the operator's organization"))

/** Tariffs, for merchants. */
export const tariffCommand = group(
  "tariff",
  "Tariffs of organizations: what there is, what was used, and how to buy one",
  [list, show, buy]
)
