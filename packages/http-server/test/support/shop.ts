/** An application that embeds the engine and keeps orders in the same database, on either. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { nodePlatform } from "@tolem/adapter-node"
import { postgres } from "@tolem/adapter-postgres"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"
import type { ReactionHandlers } from "@tolem/core/embedded/EmbeddedReactions"
import type { SettingsPart } from "@tolem/core/engine/Settings"
import type { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { connect } from "@tolem/testing-postgres/Client"
import { createMigrated } from "@tolem/testing-postgres/Databases"
import { type Layer, Redacted } from "effect"
import { inject, onTestFinished } from "vitest"

/** What a handler writes through, whichever database it is. */
export interface Tx {
  readonly write: (text: string) => Promise<void>
  /** As the database's driver has it. */
  readonly raw: object
}

/** A transaction of the application on a connection of its own. */
export interface OwnTx extends Tx {
  readonly commit: () => Promise<void>
  readonly rollback: () => Promise<void>
}

/** How the application is started. */
export interface Started {
  readonly on?: ReactionHandlers<Tx>
  readonly settings?: SettingsPart
  readonly agents?: boolean
  readonly provider?: Layer.Layer<PaymentProvider>
}

const secretKeys = ["a key for tests only, of no use anywhere else"] as const
const quick = { pollMs: 20, retryWaitsMs: [50, 50] }

const table = "create table orders (note text not null)"

const onSqlite = () => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-shop-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const filename = join(folder, "shop.db")
  const own = <A>(use: (db: DatabaseSync) => A): A => {
    const db = new DatabaseSync(filename)
    try {
      return use(db)
    } finally {
      db.close()
    }
  }
  own((db) => db.exec(table))
  const wrap = (tx: DatabaseSync): Tx => ({
    raw: tx,
    write: async (text) => void tx.prepare("insert into orders (note) values (?)").run(text)
  })
  const begin = async (): Promise<OwnTx> => {
    const db = new DatabaseSync(filename)
    onTestFinished(() => db.close())
    db.exec("begin immediate")
    return { ...wrap(db), commit: async () => db.exec("commit"), rollback: async () => db.exec("rollback") }
  }
  return {
    begin,
    url: `sqlite:${filename}`,
    notes: async () =>
      own((db) =>
        db
          .prepare("select note from orders order by rowid")
          .all()
          .map(({ note }) => String(note))
      ),
    make: (on: ReactionHandlers<Tx> | undefined, rest: object) =>
      createEngine({
        ...rest,
        ...(on && { on: wrapped(on, wrap) }),
        database: sqlite({ filename }),
        platform: nodePlatform(),
        secretKeys
      })
  }
}

const onPostgres = async () => {
  const { url, query, drop } = await createMigrated()
  onTestFinished(drop)
  await query("create table orders (note text not null, at bigint generated always as identity)")
  type Query = { readonly query: (text: string, values?: ReadonlyArray<unknown>) => Promise<unknown> }
  const wrap = (tx: Query): Tx => ({
    raw: tx,
    write: async (text) => void (await tx.query("insert into orders (note) values ($1)", [text]))
  })
  const begin = async (): Promise<OwnTx> => {
    const client = await connect(url)
    onTestFinished(() => client.end())
    const say = async (text: string) => void (await client.query(text))
    await say("begin")
    return { ...wrap(client), commit: () => say("commit"), rollback: () => say("rollback") }
  }
  return {
    begin,
    url,
    notes: async () => (await query("select note from orders order by at")).map(({ note }) => String(note)),
    make: (on: ReactionHandlers<Tx> | undefined, rest: object) =>
      createEngine({
        ...rest,
        ...(on && { on: wrapped(on, wrap) }),
        database: postgres({ url: Redacted.make(url) }),
        platform: nodePlatform(),
        secretKeys
      })
  }
}

const wrapped = <From>(on: ReactionHandlers<Tx>, wrap: (tx: From) => Tx): ReactionHandlers<From> =>
  Object.fromEntries(
    Object.entries(on).map(([type, handler]) => [
      type,
      (fact: never, context: { tx: From }) => handler?.(fact, { ...context, tx: wrap(context.tx) } as never)
    ])
  )

/** The database of one test, with the merchant, and the application as often as it is started. */
export const openShop = async () => {
  const database = await (inject("database") === "postgres" ? onPostgres() : onSqlite())
  const start = async ({ on, settings, agents = true, provider }: Started = {}) => {
    const reactions = { ...quick, ...settings?.reactions }
    const engine = await database.make(on, {
      agents,
      settings: { ...settings, reactions },
      ...(provider && { provider })
    })
    onTestFinished(() => engine.close().catch(() => {}))
    return engine
  }
  const first = await start({ agents: false })
  const { organization } = await first.organizations.create({ name: "Shop", ownerPhone: "77001234567" })
  const tenant = { organizationId: organization.id, mode: "sandbox" as const }
  const shop = first.of(tenant)
  const paid = async (externalOrderId: string) => {
    const { id } = await shop.invoices.create({ amount: 10, externalOrderId })
    await shop.invoices.simulate(id, "paid")
    return id
  }
  return { ...database, first, start, shop, tenant, paid }
}
