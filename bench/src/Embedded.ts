/** Creates through the embedded engine, against the same rows written by hand in batches. */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { nodePlatform } from "@tolem/adapter-node"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine } from "@tolem/core/engine/Engine"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Effect, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { prepare, secretKey } from "./Children.ts"
import { makeInsert } from "./Rows.ts"
import { alternate, type Comparison, inTurns } from "./Table.ts"

const concurrency = 64

/** In so many turns a round of what is measured in CPU is done. */
const turns = 5

/** `count` creates a round. Both write to files of their own in `folder`, with the same durability. */
export const embedded = async (folder: string, rounds: number, count: number): Promise<Comparison> => {
  const ours = await engine(join(folder, "engine.db"), count)
  const peer = await bare(join(folder, "bare.db"), count)
  const results = await alternate(rounds, ours.run, peer.run)
  await ours.close()
  peer.close()
  return {
    name: `create, embedded engine, ${concurrency} at once`,
    against: `bare node:sqlite, batches of ${concurrency}`,
    atLeast: 1 / 3,
    rounds: results
  }
}

/**
 * The same with agents and no consumer, and with a consumer that hears of all, against an engine without agents:
 * creates for each second of CPU that this process uses, which waiting for the disk does not blur. Agents of ours look
 * on in the rounds of the peer; what they send is counted in `packages/adapter-sql/test/idle.test.ts`.
 */
export const reactions = async (folder: string, rounds: number, count: number): Promise<ReadonlyArray<Comparison>> => {
  const compared = async (name: string, file: string, consumer: string | null): Promise<Comparison> => {
    const measured = { measure: perCpuSecond }
    const ours = await engine(join(folder, `${file}.db`), count / turns, { agents: true, consumer, ...measured })
    const peer = await engine(join(folder, `${file}-without.db`), count / turns, measured)
    const results = await inTurns(rounds, turns, ours.run, peer.run)
    await ours.close()
    await peer.close()
    return { name, against: "no agents; a second of CPU", atLeast: consumer === null ? 0.95 : null, rounds: results }
  }
  return [
    await compared("create, agents and no consumer", "no-consumer", null),
    await compared("create, a consumer that hears of each", "consumer", "bench")
  ]
}

interface Running {
  readonly agents?: boolean
  /** Name of a consumer that hears of everything, and does nothing. */
  readonly consumer?: string | null
  readonly measure?: typeof timed
}

const engine = async (
  file: string,
  count: number,
  { agents = false, consumer = null, measure = timed }: Running = {}
) => {
  const { organizationId } = await prepare(file)
  const useCases = Engine.layer()
  const layer = (agents ? Layer.provideMerge(Engine.agents, useCases) : useCases).pipe(
    Layer.provide(Sqlite.layer({ filename: file })),
    Layer.provide(SecretBox.layer([Redacted.make(secretKey)])),
    Layer.provide(nodePlatform())
  )
  const runtime = ManagedRuntime.make(layer)
  const { invoices, reactions } = await runtime.runPromise(Engine)
  const hearing = Scope.makeUnsafe()
  if (consumer !== null) {
    const named = { name: consumer, types: [], organizations: [] }
    await runtime.runPromise(
      Scope.provide(
        reactions.handle(named, () => Effect.void),
        hearing
      )
    )
  }
  const caller = { organizationId, mode: "sandbox", connectionId: null, source: "api" } as const
  const body = {
    amount: 1500,
    description: "Two coffees",
    externalOrderId: "A-1",
    customer: { phone: "77001234567" },
    metadata: { table: 7 }
  }
  const run = () =>
    measure(count, () => {
      const create = Effect.suspend(() => invoices.create(caller, { body, headerKey: randomUUID() }))
      const worker = Effect.repeat(create, { times: count / concurrency - 1 })
      return runtime.runPromise(
        Effect.all(
          Array.from({ length: concurrency }, () => worker),
          { concurrency, discard: true }
        )
      )
    })
  return { run, close: () => runtime.dispose() }
}

const bare = async (file: string, count: number) => {
  const { organizationId } = await prepare(file)
  const db = new DatabaseSync(file)
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
  const insert = makeInsert(db, organizationId)
  const run = () =>
    timed(count, async () => {
      for (let done = 0; done < count; done += concurrency) {
        db.exec("begin immediate")
        for (let i = 0; i < concurrency; i++) {
          insert({
            amount: 1500,
            description: "Two coffees",
            externalOrderId: "A-1",
            phone: "77001234567",
            metadata: '{"table":7}',
            key: randomUUID(),
            fingerprint: "f".repeat(64)
          })
        }
        db.exec("commit")
      }
    })
  return { run, close: () => db.close() }
}

const timed = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return count / ((performance.now() - startedAt) / 1000)
}

const perCpuSecond = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return count / ((user + system) / 1_000_000)
}
