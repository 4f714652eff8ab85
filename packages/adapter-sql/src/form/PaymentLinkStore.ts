/** The core's `PaymentLinkStore` in SQL. */
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { PaymentLinkStore, SlugTaken, TooManyLinks } from "@tolem/core/paymentlink/PaymentLinkStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import * as Chains from "../seal/Chains.ts"
import * as KeptRows from "./KeptRows.ts"
import * as Row from "./PaymentLinkRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<PaymentLinkStore, never, Database> = Layer.effect(
  PaymentLinkStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): PaymentLinkStore["Service"] => {
  const { sql, dialect, tables, transaction } = database
  const chains = Chains.make(database)
  const kept = KeptRows.make(database, { table: "payment_links", port: "PaymentLinkStore", fromRow: Row.fromRow })
  const source = dialect.source("s", Row.columns)
  const names = sql.literal(Object.keys(Row.columns).join(", "))

  // The index would refuse the second of two as well, but as a failed statement.
  const lockSlug = (slug: string) => dialect.lockName(`payment link ${slug}`)

  const add = (link: PaymentLink, limit: number) => {
    const write = Effect.gen(function* () {
      if (!(yield* kept.hasRoom(link, limit))) return yield* new TooManyLinks()
      yield* lockSlug(link.slug)
      const rows = yield* sql`
        insert into ${tables.payment_links} (${names}) select ${names} from ${source([Row.toRow(link)])} where true
        on conflict (slug) where removed_at is null do nothing
        returning *`
      if (rows.length === 0) return yield* new SlugTaken()
      yield* chains.append(rows.map((row) => ({ kind: "payment_links", row })))
    })
    return transaction("PaymentLinkStore.add", write)
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

  const { find, list, remove } = kept
  return { add, find, findSlug: (slug) => kept.one("findSlug", sql`slug = ${slug}`), list, replace, remove }
}
