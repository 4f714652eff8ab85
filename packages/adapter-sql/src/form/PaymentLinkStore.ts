/** The core's `PaymentLinkStore` in SQL. */
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { PaymentLinkStore, SlugTaken, TooManyLinks } from "@tolem/core/paymentlink/PaymentLinkStore"
import { Effect, Layer, Option } from "effect"
import { Database } from "../base/Database.ts"
import * as LinkTotals from "../invoice/LinkTotals.ts"
import * as KeptRows from "./KeptRows.ts"
import * as LinkPictures from "./LinkPictures.ts"
import * as LinkSweeps from "./LinkSweeps.ts"
import { type LinkRecord, paymentLinkTable } from "./PaymentLinkRow.ts"
import * as PlaceTakers from "./PlaceTakers.ts"

/** The store over the database. */
export const layer: Layer.Layer<PaymentLinkStore, never, Database> = Layer.effect(
  PaymentLinkStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): PaymentLinkStore["Service"] => {
  const { sql, dialect, tables, transaction, statement } = database
  const pictures = LinkPictures.make(database)
  const kept = KeptRows.make(database, "payment_links", paymentLinkTable, "PaymentLinkStore")
  const { hasRoom, insert, update, find, findBy, list } = kept

  // The index would refuse the second of two as well, but as a failed statement.
  const lockSlug = (slug: string) => dialect.lockName(`payment link ${slug}`)

  const add: PaymentLinkStore["Service"]["add"] = (link, limit, picture = null) => {
    const write = Effect.gen(function* () {
      if (!(yield* hasRoom(link, limit))) return yield* new TooManyLinks()
      yield* lockSlug(link.slug)
      if (picture !== null) yield* pictures.lock(link.organizationId)
      const free = "on conflict (slug) where removed_at is null do nothing"
      const isFree = yield* insert(link, free, pictures.keep(picture))
      if (!isFree) return yield* new SlugTaken()
    })
    return transaction("PaymentLinkStore.add", write)
  }

  const { of: totalsOf, mend } = LinkTotals.make(database)
  const withTotals = Effect.fnUntraced(function* (links: ReadonlyArray<LinkRecord>) {
    const ids = links.map(({ id }) => id)
    const all = yield* statement("PaymentLinkStore.totals", totalsOf(ids), { writes: false })
    return links.map((link): PaymentLink => ({ ...link, totals: LinkTotals.totalsIn(all, link.id) }))
  })
  const withOwn = <E>(found: Effect.Effect<Option.Option<LinkRecord>, E>) =>
    Effect.flatMap(found, (link) =>
      Effect.map(withTotals(Option.toArray(link)), ([one]) => Option.fromUndefinedOr(one))
    )

  const replace: PaymentLinkStore["Service"]["replace"] = (link, picture = null) => {
    const write = Effect.gen(function* () {
      yield* lockSlug(link.slug)
      const before = yield* pictures.shownBy(link)
      const rivals = yield* sql`
        select id from ${tables.payment_links} where slug = ${link.slug} and removed_at is null and id <> ${link.id}`
      if (rivals.length > 0) return yield* new SlugTaken()
      const isWritten = yield* update(link, pictures.exchange(link.organizationId, before, picture))
      // Its row is locked by now, and what may be sold depends on its sums.
      if (isWritten && link.maxPayments !== null) yield* mend([link.id])
      return isWritten
    })
    return transaction("PaymentLinkStore.replace", write)
  }

  const remove: PaymentLinkStore["Service"]["remove"] = (organizationId, id, now) => {
    const write = Effect.gen(function* () {
      const before = yield* pictures.shownBy({ organizationId, id })
      return yield* kept.remove(organizationId, id, now, pictures.exchange(organizationId, before, null))
    })
    return transaction("PaymentLinkStore.remove", write)
  }

  return {
    add,
    find: (id) => withOwn(find(id)),
    findSlug: (slug) => withOwn(findBy("findSlug", sql`slug = ${slug}`)),
    list: (scope) => Effect.flatMap(list(scope), withTotals),
    replace,
    ...PlaceTakers.make(database),
    ...LinkSweeps.make(database),
    remove
  }
}
