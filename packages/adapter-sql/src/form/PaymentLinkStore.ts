/** The core's `PaymentLinkStore` in SQL. */
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { PaymentLinkStore, SlugTaken, TooManyLinks } from "@tolem/core/paymentlink/PaymentLinkStore"
import type { Viewer } from "@tolem/core/value/Tenant"
import { Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as Chains from "../seal/Chains.ts"
import * as Row from "./PaymentLinkRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<PaymentLinkStore, never, Database> = Layer.effect(
  PaymentLinkStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): PaymentLinkStore["Service"] => {
  const { sql, dialect, tables, statement, transaction } = database
  const chains = Chains.make(database)
  const { chaining } = AuditLog.make(database)
  const source = dialect.source("s", Row.columns)
  const names = sql.literal(Object.keys(Row.columns).join(", "))

  // The index would refuse the second of two as well, but as a failed statement.
  const lockSlug = (slug: string) => dialect.lockName(`payment link ${slug}`)

  const add = (link: PaymentLink, limit: number) => {
    const { organizationId, mode } = link
    const write = Effect.gen(function* () {
      // Otherwise two servers could each count the same links, and each add the last one.
      yield* dialect.lockName(`payment links ${organizationId} ${mode}`)
      yield* lockSlug(link.slug)
      const [counted] = yield* sql<{ readonly count: number }>`
        select count(*) as count from ${tables.payment_links}
        where organization_id = ${organizationId} and mode = ${mode} and removed_at is null`
      if (counted !== undefined && counted.count >= limit) return yield* new TooManyLinks()
      const rows = yield* sql`
        insert into ${tables.payment_links} (${names}) select ${names} from ${source([Row.toRow(link)])} where true
        on conflict (slug) where removed_at is null do nothing
        returning *`
      if (rows.length === 0) return yield* new SlugTaken()
      yield* chains.append(rows.map((row) => ({ kind: "payment_links", row })))
    })
    return transaction("PaymentLinkStore.add", write)
  }

  const one = (operation: string, condition: Statement.Fragment) => {
    const select = sql<Row.PaymentLinkRow>`
      select * from ${tables.payment_links} where ${condition} and removed_at is null`
    return Effect.map(statement(operation, select, { writes: false }), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), Row.fromRow)
    )
  }

  const list = ({ organizationId, mode, connectionId }: Viewer) => {
    const ofCashier = connectionId === null ? sql.literal("") : sql`and connection_id = ${connectionId}`
    const select = sql<Row.PaymentLinkRow>`
      select * from ${tables.payment_links}
      where organization_id = ${organizationId} and mode = ${mode} and removed_at is null ${ofCashier}
      order by created_at, id`
    return Effect.map(statement("PaymentLinkStore.list", select, { writes: false }), (rows) => rows.map(Row.fromRow))
  }

  const replace = (link: PaymentLink) => {
    const { id, organizationId, slug, title, description, amount, successUrl, failUrl, status, updatedAt } = link
    const write = Effect.gen(function* () {
      yield* lockSlug(slug)
      const rivals = yield* sql`
        select id from ${tables.payment_links} where slug = ${slug} and removed_at is null and id <> ${id}`
      if (rivals.length > 0) return yield* new SlugTaken()
      const update = sql`
        update ${tables.payment_links} set slug = ${slug}, title = ${title}, description = ${description},
          amount = cast(${amount} as bigint), success_url = ${successUrl}, fail_url = ${failUrl}, status = ${status},
          updated_at = cast(${updatedAt} as bigint), version = cast(${link.version} as bigint)
        where id = ${id} and organization_id = ${organizationId} and version = cast(${link.version - 1} as bigint)
          and removed_at is null
        returning *`
      const { rows, entries } = yield* chains.following("payment_links", sql`id = ${id}`, update)
      yield* chains.append(entries)
      return rows.length > 0
    })
    return transaction("PaymentLinkStore.replace", write)
  }

  const remove = (organizationId: string, id: string, now: number) => {
    const update = sql`
      update ${tables.payment_links} set removed_at = cast(${now} as bigint), updated_at = cast(${now} as bigint)
      where id = ${id} and organization_id = ${organizationId} and removed_at is null
      returning *`
    const write = chains.following("payment_links", sql`id = ${id}`, update)
    return Effect.map(chaining("PaymentLinkStore.remove", write), (rows) => rows.length > 0)
  }

  return {
    add,
    find: (id) => one("PaymentLinkStore.find", sql`id = ${id}`),
    findSlug: (slug) => one("PaymentLinkStore.findSlug", sql`slug = ${slug}`),
    list,
    replace,
    remove
  }
}
