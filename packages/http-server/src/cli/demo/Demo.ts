/** `tolem demo`: an invoice is created, paid and announced, over HTTP, with the signature verified by a receiver. */
import * as Wire from "@tolem/api/Invoice"
import { WebhookEndpointWithSecret } from "@tolem/api/WebhookEndpoint"
import { Engine } from "@tolem/core/engine/Engine"
import { KeyScope } from "@tolem/core/merchant/Merchant"
import { Clock, Effect, FileSystem, Option, Path, Redacted, References, Schema } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import type { Location } from "../kit/Database.ts"
import { developmentOnly } from "../kit/DevelopmentOnly.ts"
import { Output } from "../kit/Output.ts"
import * as Service from "../kit/Service.ts"
import { type Caller, call, failed } from "./Calls.ts"
import * as Receiver from "./Receiver.ts"

const Webhook = Schema.fromJsonString(Schema.Struct({ event: Schema.String, invoice: Wire.Invoice }))

/** Runs the main job on a temporary database and prints each step. Fails at the first thing that is not as told. */
export const demo = Command.make("demo", {}, () =>
  Effect.gen(function* () {
    yield* developmentOnly("demo")
    const output = yield* Output
    yield* Effect.scoped(run)
    yield* output.tell({ json: { done: true }, text: "Done: the service has stopped, the temporary database is gone." })
  }).pipe(Effect.provideServiceEffect(References.MinimumLogLevel, quieter))
).pipe(
  Command.withDescription("Show the main job on a temporary database: create, pay, webhook, verified signature"),
  Command.withShortDescription("Show the main job, from an invoice to a verified webhook")
)

/** Steps are the output here: logs only of what goes wrong. */
const quieter = Effect.map(References.MinimumLogLevel, (level) => (level === "Info" ? "Warn" : level))

const run = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const file = (yield* Path.Path).join(yield* fs.makeTempDirectoryScoped({ prefix: "tolem-demo-" }), "demo.db")
  const database: Location = { kind: "sqlite", url: `sqlite:${file}`, file, keyFile: `${file}.key` }
  const shop = yield* Effect.provide(openShop, Assembly.layer(database, { makes: true }))
  const host = Option.some("127.0.0.1")
  const provider = Option.none()
  const options = {
    port: 0,
    host,
    database,
    provider,
    loginChannels: Option.none(),
    trustedProxies: [],
    privateNetworks: Option.none(),
    baseUrl: Option.none(),
    seller: Option.none(),
    readsPerMinute: Option.none(),
    writesPerMinute: Option.none(),
    drainMs: 0
  }
  yield* Service.run(options, ({ port, baseUrl }) =>
    Effect.gen(function* () {
      const say = yield* narrator
      yield* say({ service: baseUrl }, `The service runs at ${baseUrl}, on a temporary database.`)
      yield* story({ url: `http://127.0.0.1:${port}/api/v1`, apiKey: Redacted.value(shop.text) }, say)
    })
  )
})

const openShop = Effect.gen(function* () {
  const { organizations } = yield* Engine
  const { organization } = yield* organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" })
  const request = { organizationId: organization.id, mode: "sandbox" as const, name: "demo", scopes: KeyScope.literals }
  return yield* organizations.createKey(request)
})

/** Prints numbered steps; further lines of a step are indented. */
const narrator = Effect.gen(function* () {
  const output = yield* Output
  let number = 0
  return (facts: object, ...lines: ReadonlyArray<string>) => {
    number++
    return output.tell({ json: { step: number, ...facts }, text: `${number}. ${lines.join("\n   ")}` })
  }
})

type Say = Effect.Success<typeof narrator>

const story = Effect.fnUntraced(function* (caller: Caller, say: Say) {
  const receiver = yield* Receiver.make
  const endpoint = yield* call(caller, {
    method: "POST",
    path: "/webhook-endpoints",
    body: { url: receiver.url },
    status: 201,
    schema: WebhookEndpointWithSecret
  })
  yield* say({ receiver: receiver.url }, `A merchant listens for webhooks at ${receiver.url}.`)

  const order = { amount: 1500, description: "Two coffees", externalOrderId: "A-1", metadata: { table: 7 } }
  const path = "/invoices"
  const created = yield* call(caller, { method: "POST", path, body: order, status: 201, schema: Wire.Invoice })
  const { id, amount } = created
  if (created.status !== "pending") return yield* failed(`The new invoice is ${created.status}, not pending`)
  yield* say(
    { created },
    `The merchant creates an invoice: POST /api/v1/invoices ${JSON.stringify(order)}`,
    `201: ${id} over ${amount} KZT is ${created.status}, to be paid at ${created.payUrl}`
  )

  const paid = yield* call(caller, {
    method: "POST",
    path: `/invoices/${id}/simulate`,
    body: { status: "paid" },
    status: 200,
    schema: Wire.Invoice
  })
  if (paid.status !== "paid") return yield* failed(`The invoice is ${paid.status}, not paid`)
  yield* say(
    { paid },
    "The customer pays, as the sandbox pretends.",
    `200: ${id} is paid, receipt ${paid.receiptNumber}`
  )

  yield* announced(yield* next(receiver), { secret: endpoint.secret, paid, say })

  const read = yield* call(caller, { method: "GET", path: `/invoices/${id}`, status: 200, schema: Wire.InvoiceDetail })
  const events = read.events.map(({ type }) => type)
  if (read.status !== "paid" || !events.includes("invoice.paid")) return yield* failed("The invoice does not say paid")
  yield* say({ read }, `The merchant reads the invoice: ${read.status}, after ${events.join(", ")}.`)
})

const next = (receiver: Effect.Success<typeof Receiver.make>) =>
  Effect.timeoutOrElse(receiver.next, {
    duration: "15 seconds",
    orElse: () => Effect.fail(failed("No webhook came within 15 seconds"))
  })

interface Announced {
  readonly secret: string
  readonly paid: Wire.Invoice
  readonly say: Say
}

const announced = Effect.fnUntraced(function* (received: Receiver.ReceivedCall, { secret, paid, say }: Announced) {
  const { headers, body } = received
  const now = yield* Clock.currentTimeMillis
  if (!Receiver.isSigned(received, secret, now)) return yield* failed("The webhook's signature is wrong")
  const webhook = yield* Effect.mapError(Schema.decodeEffect(Webhook)(body.toString()), ({ message }) =>
    failed(message)
  )
  if (webhook.event !== "invoice.paid" || webhook.invoice.id !== paid.id || webhook.invoice.status !== "paid") {
    return yield* failed(`The webhook tells something else: ${body}`)
  }
  yield* say(
    { webhook, signature: headers["x-webhook-signature"] },
    `The webhook ${webhook.event} of ${webhook.invoice.id} arrives.`,
    `X-Webhook-Timestamp: ${headers["x-webhook-timestamp"]}`,
    `X-Webhook-Signature: ${headers["x-webhook-signature"]}`,
    "The merchant's own HMAC-SHA256 over timestamp, dot and body is the same: the signature is right."
  )
  const forged = { headers, body: Buffer.from(body.toString().replace(`${paid.amount}`, "1")) }
  if (Receiver.isSigned(forged, secret, now)) return yield* failed("A forged webhook passes for a real one")
  yield* say({ forgedRefused: true }, "The same webhook with another amount is refused: the signature does not match.")
})
