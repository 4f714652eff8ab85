/**
 * The driver's limit: the rows of creates, inserted through `pg` without HTTP and without shared writes.
 *
 * 64 workers each write one create after another: the request is counted (an upsert that answers the count, in a pool
 * whose commits do not wait for the disk), then one named statement, which is one durable transaction, inserts the
 * invoice unless its idempotency key is taken, its event, and its part of the daily totals, and answers the id. Not
 * done: HTTP, JSON, the look-up of the key, checks, an answer. The statements are those of the Fastify peer.
 */
import { randomUUID } from "node:crypto"
import pg from "pg"
import type { Merchant } from "./Merchants.ts"
import { hit, insertion, newInvoice, sha256 } from "./Statements.ts"

/** Writes creates from many connections. */
export interface Driver {
  /** For that long; answers creates a second. */
  readonly run: (ms: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** A driver on a migrated database. */
export const openDriver = (url: string, { organizationId, keyId }: Merchant, workers: number): Driver => {
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  const counting = new pg.Pool({ connectionString: url, max: 8, options: "-c synchronous_commit=off" })
  for (const each of [pool, counting]) each.on("error", () => {}) // the waiting statement fails with it, too
  const fingerprint = sha256("the same for all")
  const create = async () => {
    const now = Date.now()
    await counting.query(hit(keyId, now))
    const draft = {
      organizationId,
      amount: 1500,
      description: "Two coffees",
      externalOrderId: "A-1",
      customer: { phone: "77001234567" },
      metadata: '{"table":7}',
      idempotencyKey: randomUUID(),
      fingerprint
    }
    await pool.query(insertion(newInvoice(draft, now)))
  }
  const run = async (ms: number) => {
    const startedAt = performance.now()
    let done = 0
    const worker = async () => {
      for (; performance.now() - startedAt < ms; done++) await create()
    }
    await Promise.all(Array.from({ length: workers }, worker))
    return done / ((performance.now() - startedAt) / 1000)
  }
  const close = async () => {
    await Promise.all([pool.end(), counting.end()])
  }
  return { run, close }
}
