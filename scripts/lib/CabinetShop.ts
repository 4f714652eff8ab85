/** The demo shop with a week's work in it and something of each kind to look at, for pictures and measurements. */
import { join } from "node:path"
import { nodePlatform } from "@tolem/adapter-node"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine } from "@tolem/core/engine/Engine"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Tiyn } from "@tolem/core/value/Money"
import { changeOf, creationOf } from "@tolem/testing/fixtures"
import { type Service, serve } from "@tolem/testing-harness/Program"
import { Effect, Layer, Redacted } from "effect"
import * as DemoShop from "../../packages/http-server/src/cli/kit/DemoShop.ts"
import { earned } from "../../packages/http-server/test/support/earnings.ts"
import { liveTroubles, sandboxTroubles } from "../../packages/http-server/test/support/troubles.ts"
import { type Cookies, logInWith } from "./CabinetLogin.ts"

/** Whose invoice has letters. */
const customer = "customer@mail.example"

const secretKey = "a-key-for-the-demo-shop-only-of-no-other-use"
const payments = 30
const hourMs = 3_600_000

/** A server of the shop, with cookies of its owner and of a person who runs the platform. */
interface ServedShop {
  readonly server: Service
  readonly cookies: Cookies
  readonly operator: Cookies
}

/** Runs the platform, which sells the tariffs. */
const operatorPhone = "77000000009"

/** The server, with its data in the folder. */
export const serveShop = async (folder: string): Promise<ServedShop> => {
  const filename = join(folder, "shop.db")
  const box = SecretBox.layer([Redacted.make(secretKey)])
  const stores = Sqlite.layer({ filename }).pipe(Layer.provide(box))
  const engine = Engine.layer().pipe(Layer.provideMerge(stores), Layer.provide(box), Layer.provideMerge(nodePlatform()))
  const seller = await Effect.runPromise(Effect.provide(filled, engine))
  const flags = [
    "--login-channel",
    "console",
    "--database",
    `sqlite:${filename}`,
    "--operator-org",
    `${seller}:sandbox`
  ]
  const server = await serve(["start", ...flags], {
    cwd: folder,
    // Letters of a sandbox are kept, so that none is brought there.
    variables: {
      TOLEM_SECRET_KEY: secretKey,
      TOLEM_SMTP_URL: "smtp://127.0.0.1:9?plain=1",
      TOLEM_MAIL_FROM: "Demo shop <demo@shop.example>"
    }
  })
  const operator = await logInWith(server, operatorPhone)
  const cookies = await logInWith(server, DemoShop.phone)
  await withLetters(server, cookies)
  await withSubscriptions(server, cookies)
  return { server, cookies, operator }
}

const filled = Effect.gen(function* () {
  yield* DemoShop.open
  const now = Date.now()
  const invoices = yield* InvoiceStore
  const creations = Array.from({ length: payments }, (_, index) => {
    const at = now - (index + 1) * 5 * hourMs
    const times = { createdAt: at, updatedAt: at, expiresAt: at + hourMs, dueAt: at + hourMs }
    const amount = Tiyn(100 * (500 + ((index * 1_237) % 9_000)))
    return creationOf({ organizationId: DemoShop.id, mode: "sandbox", amount, ...times })
  })
  yield* invoices.insertMany(creations)
  const paid = ({ invoice }: (typeof creations)[number]) =>
    changeOf(invoice, InvoiceCommand.Pay({ paidAt: invoice.createdAt + 60_000 }))
  yield* invoices.commitMany(creations.map(paid))
  yield* sandboxTroubles(DemoShop.id, now)
  yield* liveTroubles(DemoShop.id, now)
  return yield* platform
})

/** Those who run the platform, with a referrer who has earned. */
const platform = Effect.gen(function* () {
  const { operators, organizations } = yield* Engine
  const { organization, owner } = yield* organizations.create({ name: "Tölem", ownerPhone: operatorPhone })
  yield* operators.grant(operatorPhone)
  yield* earned(owner.id, DemoShop.id, [100_000, 25_050])
  return organization.id
})

const posting = (cookies: Cookies) => {
  const headers = { authorization: `Bearer ${cookies[0]?.value}`, "content-type": "application/json" }
  return async (address: string, body: object) => {
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { readonly id: string }
  }
}

const withLetters = async ({ url }: Service, cookies: Cookies): Promise<void> => {
  const post = posting(cookies)
  const invoices = `${url}/panel/orgs/${DemoShop.id}/invoices`
  const { id } = await post(invoices, { amount: 4_900, description: "Honey cake", customer: { email: customer } })
  await post(`${invoices}/${id}/simulate`, { status: "paid" })
}

const withSubscriptions = async (server: Service, cookies: Cookies): Promise<void> => {
  const post = posting(cookies)
  const subscriptions = `${server.url}/panel/orgs/${DemoShop.id}/subscriptions`
  const customer = { name: "Aliya", email: "aliya@mail.example" }
  await post(subscriptions, { amount: 4_990, description: "Yoga by the month", dayOfMonth: 5, customer })
  await post(subscriptions, { amount: 120_000, description: "Rent of the hall", dayOfMonth: 5, maxRuns: 12 })
  await post(subscriptions, { amount: 2_500, description: "Bread", interval: "week" })
}
