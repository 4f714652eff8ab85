/** Slow receivers of two organizations hold what they can get: the first webhook of a third one leaves at once. */
import { mkdtempSync, rmSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nodePlatform } from "@tolem/adapter-node"
import * as Postgres from "@tolem/adapter-postgres/Postgres"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine, type Stores } from "@tolem/core/engine/Engine"
import { defaults, type Settings } from "@tolem/core/engine/Settings"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { receive, takes } from "@tolem/testing-harness/Receiver"
import { createMigrated } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { afterwards, receiver, until } from "../cluster/support/cluster.ts"

const box = SecretBox.layer([Redacted.make("a-key-for-tests-only-of-no-use-anywhere-else")])

const settings: Settings = {
  ...defaults,
  baseUrl: "http://localhost:3000",
  // Fewer places than the slow ones could take, and nothing that hangs ends by itself while the test runs.
  webhook: { ...defaults.webhook, concurrency: 64, concurrencyOfSandbox: 32, timeoutMs: 600_000 }
}

type Database = Layer.Layer<Stores, unknown, SecretBox.SecretBox>

const onFile = async (): Promise<Database> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-fairness-"))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  return Sqlite.layer({ filename: join(folder, "tolem.db") })
}

const onPostgres = async (): Promise<Database> => {
  const { url, drop } = await createMigrated()
  afterwards(drop)
  return Postgres.layer({ url: Redacted.make(url), statementTimeoutMs: 0 })
}

/** An engine with its agents on the database, and organizations of which each has sandbox endpoints. */
const world = async (stores: Database) => {
  /** The deliveries that each claim has leased, by their invoices; of claims under way there is none yet. */
  const claims: Array<ReadonlyArray<string>> = []
  const watched = Layer.effect(
    WebhookStore,
    Effect.map(WebhookStore, (store) => ({
      ...store,
      claim: (request: Parameters<typeof store.claim>[0]) =>
        Effect.suspend(() => {
          const number = claims.push([]) - 1
          return Effect.tap(store.claim(request), (jobs) =>
            Effect.sync(() => {
              claims[number] = jobs.map(({ delivery }) => delivery.invoiceId ?? "")
            })
          )
        })
    }))
  )
  const layer = Engine.agents.pipe(
    Layer.provideMerge(Engine.layer(settings)),
    Layer.provide(Layer.provideMerge(watched, stores)),
    Layer.provide(box),
    Layer.provide(nodePlatform())
  )
  const runtime = ManagedRuntime.make(layer)
  afterwards(() => runtime.dispose())
  let phone = 77_000_000_000

  const merchant = (addresses: ReadonlyArray<string>): Promise<Caller> =>
    runtime.runPromise(
      Effect.gen(function* () {
        const { organizations, webhooks } = yield* Engine
        const { organization } = yield* organizations.create({ name: "Shop", ownerPhone: String(++phone) })
        const owner = { organizationId: organization.id, mode: "sandbox" } as const
        for (const url of addresses) yield* webhooks.create(owner, { url })
        return { ...owner, connectionId: null, source: "api" }
      })
    )

  const pay = (caller: Caller, count: number): Promise<ReadonlyArray<string>> => {
    const one = Effect.gen(function* () {
      const { invoices } = yield* Engine
      const { invoice } = yield* invoices.create(caller, { body: { amount: 10 } })
      yield* invoices.simulate(caller, invoice.id, { status: "paid" })
      return invoice.id
    })
    return runtime.runPromise(
      Effect.all(
        Array.from({ length: count }, () => one),
        { concurrency: 50 }
      )
    )
  }
  return { merchant, pay, claims }
}

/** A receiver that answers nobody before it is told to, and counts who waits, by the first part of the path. */
const slowReceiver = async () => {
  const waiting: Array<readonly [party: string, response: ServerResponse]> = []
  const slow = await receive((response, { path }) => void waiting.push([path.split("/")[1] ?? "", response]))
  const release = () => {
    slow.behaviour = takes
    for (const [, response] of waiting.splice(0)) response.end()
  }
  afterwards(() => {
    release()
    return slow.close()
  })
  const waitingOf = (party: string) => waiting.filter(([of]) => of === party).length
  return { url: slow.url.slice(0, -1), waitingOf }
}

const { concurrency, concurrencyPerEndpoint, concurrencyOfSandbox, freePerPlace, soundShare } = settings.webhook
/** Places for parties of which nothing has arrived yet. */
const places = concurrencyOfSandbox * (1 - soundShare)
/** A party gets another place only while there are enough free ones for each that it has: this many, if it is alone. */
const most = Math.ceil(places / (freePerPlace + 1))
/** And this many beside another one that has the most. */
const least = Math.ceil((places - most) / (freePerPlace + 1))

describe("twenty slow endpoints of two organizations", () => {
  for (const [database, open] of Object.entries({ "a SQLite file": onFile, PostgreSQL: onPostgres })) {
    it(`get their shares of places, and delay no first webhook of another one, on ${database}`, async () => {
      const { merchant, pay } = await world(await open())
      const [slow, taken] = [await slowReceiver(), await receiver()]
      const parties = ["one", "two"]
      const greedy = await Promise.all(
        parties.map((party) => merchant(Array.from({ length: 10 }, (_, number) => `${slow.url}/${party}/${number}`)))
      )
      const victim = await merchant([taken.url])
      await Promise.all(greedy.map((caller) => pay(caller, 20)))
      expect(20 * concurrencyPerEndpoint).toBeGreaterThan(concurrency)
      await until("they hold their shares", 60_000, () => parties.every((party) => slow.waitingOf(party) >= least))
      // One after the other, so that each is the first one that is due.
      for (let count = 1; count <= 5; count++) {
        const [paid] = await pay(victim, 1)
        await until("it came", 60_000, () => taken.arrivals.length === count)
        expect(taken.arrivals.at(-1)?.invoice).toBe(paid)
      }
      // Each of those still hangs, and none of the places that are left was given to their next ones.
      for (const party of parties) expect(slow.waitingOf(party)).toBeLessThanOrEqual(most)
    })
  }
})

describe("a backlog of many claims", () => {
  for (const [database, open] of Object.entries({ "a SQLite file": onFile, PostgreSQL: onPostgres })) {
    it(`is not claimed before another merchant's first webhook, on ${database}`, async () => {
      const { merchant, pay, claims } = await world(await open())
      const [slow, taken] = [await slowReceiver(), await receiver()]
      const [greedy, victim] = [await merchant([`${slow.url}/greedy`]), await merchant([taken.url])]
      // A claim takes 64 of one endpoint at most.
      const backlog = new Set(await pay(greedy, 1000))
      await until("it is being sent", 60_000, () => slow.waitingOf("greedy") === concurrencyPerEndpoint)
      const before = claims.length
      const [paid = ""] = await pay(victim, 1)
      await until("it came", 60_000, () => taken.arrivals.length === 1)
      const at = claims.findIndex((claimed) => claimed.includes(paid))
      const ahead = claims.slice(before, at).flat()
      expect(ahead.filter((id) => backlog.has(id))).toEqual([])
      expect(claims[at]).toEqual([paid])
      expect(slow.waitingOf("greedy")).toBe(concurrencyPerEndpoint)
    })
  }
})
