/** The shop's own orders, kept in the engine's database: an order and its invoice are one transaction. */
import { DatabaseSync } from "node:sqlite"
import { migrate, postgres } from "@tolem/adapter-postgres"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, type EmbeddedEngine, type EngineOptions } from "@tolem/core"
import pg from "pg"

/** Makes the invoice of an order in the transaction `tx`, and answers its id. */
export type MakeInvoice = (tx: object) => Promise<string>

/** Orders in a database. */
export interface Orders {
  /** Opens the engine on the database. From then on each paid invoice marks its order. */
  readonly open: (options: Omit<EngineOptions<never>, "database" | "on">) => Promise<EmbeddedEngine>
  /** Takes an order, if that was not done before, and answers its invoice. */
  readonly take: (order: string, make: MakeInvoice) => Promise<string>
  /** Every order: its invoice, and how often it was marked as paid. */
  readonly all: () => Promise<ReadonlyArray<{ readonly id: string; readonly invoice: string; readonly paid: number }>>
  readonly close: () => Promise<void>
}

const table = "create table if not exists orders (id text primary key, invoice text, paid integer not null default 0)"

/** On SQLite the shop and the engine share one connection. */
export const onSqlite = (filename: string): Orders => {
  const database = new DatabaseSync(filename, { timeout: 5_000 })
  database.exec(`pragma journal_mode = wal; ${table}`)
  return {
    open: (options) =>
      createEngine({
        ...options,
        database: sqlite({ database }),
        on: {
          "invoice.paid": ({ invoice }, { tx }) => {
            tx.prepare("update orders set paid = paid + 1 where invoice = ?").run(invoice.id)
          }
        }
      }),
    take: async (order, make) => {
      const known = database.prepare("select invoice from orders where id = ?").get(order)
      if (known !== undefined) return String(known["invoice"])
      database.exec("begin immediate")
      try {
        const invoice = await make(database)
        database.prepare("insert into orders (id, invoice) values (?, ?)").run(order, invoice)
        database.exec("commit")
        return invoice
      } catch (error) {
        if (database.isTransaction) database.exec("rollback")
        throw error
      }
    },
    all: async () => database.prepare("select id, invoice, paid from orders").all() as never,
    close: async () => database.close()
  }
}

/** On PostgreSQL they share the pool. */
export const onPostgres = (connectionString: string): Orders => {
  const pool = new pg.Pool({ connectionString })
  // Connections that end, as in a failover, would end the process: those that nothing uses, and those in a transaction,
  // whose statements fail by themselves. The next ones are new.
  pool.on("error", (error) => console.error(`orders: a connection has ended: ${error.message}`))
  pool.on("connect", (client) => client.on("error", () => {}))
  return {
    open: async (options) => {
      await migrate({ pool })
      await pool.query(table)
      return createEngine({
        ...options,
        database: postgres({ pool }),
        on: {
          "invoice.paid": async ({ invoice }, { tx }) => {
            await tx.query("update orders set paid = paid + 1 where invoice = $1", [invoice.id])
          }
        }
      })
    },
    take: async (order, make) => {
      const client = await pool.connect()
      try {
        await client.query("begin")
        // Another request with the same order waits here until it is known what became of this one.
        await client.query("insert into orders (id) values ($1) on conflict do nothing", [order])
        const { rows } = await client.query("select invoice from orders where id = $1", [order])
        const invoice = rows[0].invoice ?? (await make(client))
        await client.query("update orders set invoice = $2 where id = $1", [order, invoice])
        await client.query("commit")
        return invoice
      } catch (error) {
        await client.query("rollback").catch(() => {})
        throw error
      } finally {
        client.release()
      }
    },
    all: async () => (await pool.query("select id, invoice, paid from orders")).rows,
    close: () => pool.end()
  }
}
