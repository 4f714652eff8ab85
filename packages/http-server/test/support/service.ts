/**
 * The whole service on a database of its own, listening on a free port of this machine. The project of the test run
 * says which database: SQLite in memory, or PostgreSQL.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeDns from "@effect/platform-node/NodeDns"
import { NodeWebhookSender } from "@tolem/adapter-node"
import * as Postgres from "@tolem/adapter-postgres/Postgres"
import * as SharpPictures from "@tolem/adapter-sharp/SharpPictures"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { CurrentActor } from "@tolem/core/audit/Audit"
import { Engine, type Stores } from "@tolem/core/engine/Engine"
import { defaults, type Settings } from "@tolem/core/engine/Settings"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { type CodeChannel, CodeChannels, type EmailChannel } from "@tolem/core/login/CodeChannel"
import { Mailer } from "@tolem/core/mail/Mailer"
import { KeyScope } from "@tolem/core/merchant/Merchant"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Messenger } from "@tolem/core/messenger/Messenger"
import type { PictureMaker } from "@tolem/core/picture/PictureMaker"
import type { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import type { Mode } from "@tolem/core/value/Mode"
import { createMigrated } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { inject } from "vitest"
import * as Server from "../../src/Server.ts"
import * as TestClock from "./clock.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Which database the service runs on. */
    readonly database: "sqlite" | "postgres"
  }
}

/** What differs from a service with default settings. */
export interface Given {
  readonly settings?: Partial<Settings>
  /** Set to hold the clock still. */
  readonly now?: number
  readonly limits?: Server.Options["limits"]
  readonly trustedProxies?: Server.Options["trustedProxies"]
  readonly drainMs?: number
  readonly graceMs?: number
  /** Who live invoices are paid through. */
  readonly provider?: Layer.Layer<PaymentProvider>
  /** Who carries login codes; default: a channel that keeps them, see `codes`. */
  readonly channels?: ReadonlyArray<CodeChannel | EmailChannel>
  /** A service on whose database this one runs too, as the next server of a cluster; it is stopped first. */
  readonly beside?: { readonly database: Database }
  /** Which database, whatever the project says. */
  readonly on?: "sqlite" | "postgres"
  /** What draws pictures; default: sharp. */
  readonly pictures?: Layer.Layer<never> | Layer.Layer<PictureMaker>
  /** Who takes letters; default: none are written. */
  readonly mailer?: Mailer["Service"]
  readonly messenger?: Messenger["Service"]
  /** Whether what is due is done by itself, and webhooks are sent; default: they are not. */
  readonly agents?: boolean
  /** Alters the store of invoices, to make it fail. */
  readonly alter?: (store: InvoiceStore["Service"]) => InvoiceStore["Service"]
}

/** A key that was made for a test. */
export interface Key {
  readonly organizationId: string
  readonly apiKey: string
  readonly keyId: string
}

const secretKey = Redacted.make("a key for tests only, of no use anywhere else")

/** Starts the service. The caller stops it. */
export const start = async (given: Given = {}) => {
  const logs: Array<string> = []
  const time: TestClock.TestTime = { now: given.now ?? 0 }
  const visitors = {
    ...defaults.visitors,
    invoicesPerMinute: 1e9,
    invoicesOfOnePerMinute: 1e9,
    invoicesOfOrganizationPerMinute: 1e9
  }
  const settings: Settings = { ...defaults, readsPerMinute: 1e9, writesPerMinute: 1e9, visitors, ...given.settings }
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))])
  const { on = inject("database"), beside } = given
  const database = beside?.database ?? (await (on === "postgres" ? onPostgres() : onSqlite()))
  const { alter = (store) => store, channels } = given
  const codes = new Map<string, string>()
  const kept: CodeChannel = {
    name: "kept",
    send: ({ phone, code }) => Effect.sync(() => void codes.set(phone, Redacted.value(code))).pipe(Effect.as("sent"))
  }
  const altered = Layer.effect(InvoiceStore, Effect.map(InvoiceStore, alter)).pipe(Layer.provideMerge(database.stores))
  const mail = Layer.merge(
    given.mailer === undefined ? Layer.empty : Layer.succeed(Mailer, given.mailer),
    given.messenger === undefined ? Layer.empty : Layer.succeed(Messenger, given.messenger)
  )
  const services = Engine.layer(settings).pipe(
    Layer.provideMerge(altered),
    Layer.provide(given.provider ?? Layer.empty),
    Layer.provide(given.pictures ?? SharpPictures.layer),
    Layer.provide(mail),
    Layer.provide(Layer.succeed(CodeChannels, channels ?? [kept])),
    Layer.provide(SecretBox.layer([secretKey])),
    Layer.provideMerge(NodeCrypto.layer)
  )
  const sender = Layer.provide(NodeWebhookSender.layer, NodeDns.layer)
  const agents = Engine.agents.pipe(Layer.provide(sender), Layer.provide(mail))
  const working = given.agents === true ? Layer.provideMerge(agents, services) : services
  const { limits, drainMs = 0, graceMs = 2000, trustedProxies = [] } = given
  const listening = { port: 0, host: "127.0.0.1", drainMs, graceMs, trustedProxies }
  const server = Server.layerNode({ ...listening, ...(limits && { limits }) })
  // As the program does: what is built under an actor must not act as that one afterwards.
  const builder = Layer.succeed(CurrentActor, { kind: "operator", id: "builder", origin: "layers" })
  const all = server.pipe(Layer.provideMerge(working), Layer.provide(logger), Layer.provide(builder))
  const runtime = ManagedRuntime.make(given.now === undefined ? all : Layer.provide(all, TestClock.layer(time)))
  const address = await runtime.runPromise(HttpServer.HttpServer.use((_) => Effect.succeed(_.address)))
  if (!("port" in address)) throw new Error("not an internet address")
  const run = runtime.runPromise
  let phone = 77_000_000_000

  /** At the service's own time, where that is held still. */
  const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    given.now === undefined ? effect : Effect.provide(effect, TestClock.layer(time))

  /** A fresh organization. */
  const organization = async (
    more: { tariff?: string; referralCode?: string } = {}
  ): Promise<{ readonly id: string; readonly ownerId: string }> => {
    const request = { name: "Dastarkhan", ownerPhone: String(++phone), tariff: "scale", ...more }
    const made = await run(inTime(Engine.use((engine) => engine.organizations.create(request))))
    return { id: made.organization.id, ownerId: made.owner.id }
  }

  /** A key, of a fresh organization unless one is given. A live one puts the organization live, cashier or not. */
  const key = async (
    options: { organizationId?: string; mode?: Mode; scopes?: ReadonlyArray<KeyScope>; connectionId?: string } = {}
  ): Promise<Key> => {
    const { mode = "sandbox", scopes = KeyScope.literals, organizationId = (await organization()).id } = options
    const request = { ...options, name: "test", mode, scopes, organizationId }
    if (mode === "live") await run(MerchantStore.use((store) => store.setMode(organizationId, mode)))
    const made = await run(Engine.use((engine) => engine.organizations.createKey(request)))
    return { organizationId, apiKey: Redacted.value(made.text), keyId: made.key.id }
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    settings,
    time,
    logs,
    database,
    /** The code that was sent to each phone last. */
    codes,
    run,
    organization,
    key,
    stop: async () => {
      await runtime.dispose()
      if (beside === undefined) await database.drop()
    }
  }
}

interface Database {
  readonly stores: Layer.Layer<Stores, unknown, SecretBox.SecretBox>
  readonly drop: () => Promise<void>
}

const onSqlite = async (): Promise<Database> => ({
  stores: Sqlite.layer({ filename: ":memory:" }),
  drop: async () => {}
})

const onPostgres = async (): Promise<Database> => {
  const { url, drop } = await createMigrated()
  // Without limits of time: on a crowded machine the last of many who want the same row wait for longer.
  return { stores: Postgres.layer({ url: Redacted.make(url), statementTimeoutMs: 0 }), drop }
}

/** A running service. */
export type Service = Awaited<ReturnType<typeof start>>
