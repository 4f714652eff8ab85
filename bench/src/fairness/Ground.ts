/** Databases of the fairness bench: the same rows on both, written in SQL that both understand. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { openDesk, openFile } from "@tolem/testing-harness/Desk"
import pg from "pg"
import { secretKey } from "../Children.ts"
import { openWorld } from "../postgres/World.ts"

/** A database with merchants, and statements on it beside its server. */
export interface Ground {
  readonly name: string
  /** As `--database` has it. */
  readonly url: string
  readonly desk: Awaited<ReturnType<typeof openDesk>>
  readonly execute: (sql: string) => Promise<void>
  readonly count: (sql: string) => Promise<number>
}

/** Runs `use` on a fresh SQLite file. */
export const onSqlite = async <A>(use: (ground: Ground) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-bench-"))
  try {
    const file = join(folder, "fairness.db")
    const desk = openFile(file, secretKey)
    await desk.merchant() // makes the tables
    const db = new DatabaseSync(file, { timeout: 10_000 })
    try {
      return await use({
        name: "SQLite",
        url: `sqlite:${file}`,
        desk,
        execute: async (sql) => db.exec(sql),
        count: async (sql) => Number(db.prepare(sql).get()?.["n"])
      })
    } finally {
      db.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs `use` on a fresh database of a PostgreSQL that is started for it. */
export const onPostgres = async <A>(use: (ground: Ground) => Promise<A>): Promise<A> => {
  const world = await openWorld()
  try {
    return await world.withDatabase("fairness", async (url) => {
      const client = new pg.Client({ connectionString: url })
      client.on("error", () => {}) // the caller of a statement learns of it, too
      await client.connect()
      try {
        return await use({
          name: "PostgreSQL",
          url,
          desk: await openDesk(url, secretKey),
          execute: async (sql) => void (await client.query(sql)),
          count: async (sql) => Number((await client.query(sql)).rows[0]?.n)
        })
      } finally {
        await client.end()
      }
    })
  } finally {
    await world.dispose()
  }
}

/** Has so many deliveries of paid invoices due for each of these endpoints, each of an invoice of its own. */
export const addDue = async (
  { execute }: Ground,
  endpoints: ReadonlyArray<string>,
  countOfEach: number
): Promise<void> => {
  const at = Date.now() - 60_000
  const each = `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${countOfEach})
    select e.id as endpoint, e.organization_id as org,
      substr(e.id, 15, 16) || substr(cast(10000000000 + i as text), 2) as own
    from n cross join tolem_endpoints e where e.id in ('${endpoints.join("', '")}')) as due`
  await execute(`insert into tolem_invoices (id, organization_id, mode, kind, status, amount, refunded, created_at,
      updated_at, paid_at, late, expires_at, sequence, version, day, search_text)
    select 'inv_' || own, org, 'sandbox', 'qr', 'paid', 1000, 0, ${at}, ${at}, ${at}, 0, ${at}, 2, 2, '2026-01-01', ''
    from ${each}`)
  await execute(`insert into tolem_events (invoice_id, sequence, id, organization_id, type, from_status, to_status,
      source, refunded, late, created_at)
    select 'inv_' || own, 2, 'evt_' || own, org, 'invoice.paid', 'pending', 'paid', 'api', 0, 0, ${at}
    from ${each}`)
  await execute(`insert into tolem_deliveries (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id,
      sequence, status, attempt_count, due_at, ready_at, lease, created_at, completed_at)
    select 'dlv_' || own, endpoint, org, 'sandbox', 'invoice.paid', 'inv_' || own, 'evt_' || own, 2, 'pending', 0,
      ${at}, ${at}, null, ${at}, null from ${each}`)
}
