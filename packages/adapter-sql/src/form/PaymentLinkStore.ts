/** The core's `PaymentLinkStore` in SQL. */
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { PaymentLinkStore, SlugTaken, TooManyLinks } from "@tolem/core/paymentlink/PaymentLinkStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import * as KeptRows from "./KeptRows.ts"
import { paymentLinkTable } from "./PaymentLinkRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<PaymentLinkStore, never, Database> = Layer.effect(
  PaymentLinkStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): PaymentLinkStore["Service"] => {
  const { sql, dialect, tables, transaction } = database
  const { hasRoom, insert, update, find, findBy, list, remove } = KeptRows.make(
    database,
    "payment_links",
    paymentLinkTable,
    "PaymentLinkStore"
  )

  // The index would refuse the second of two as well, but as a failed statement.
  const lockSlug = (slug: string) => dialect.lockName(`payment link ${slug}`)

  const add = (link: PaymentLink, limit: number) => {
    const write = Effect.gen(function* () {
      if (!(yield* hasRoom(link, limit))) return yield* new TooManyLinks()
      yield* lockSlug(link.slug)
      const isFree = yield* insert(link, "on conflict (slug) where removed_at is null do nothing")
      if (!isFree) return yield* new SlugTaken()
    })
    return transaction("PaymentLinkStore.add", write)
  }

  const replace = (link: PaymentLink) => {
    const write = Effect.gen(function* () {
      yield* lockSlug(link.slug)
      const rivals = yield* sql`
        select id from ${tables.payment_links} where slug = ${link.slug} and removed_at is null and id <> ${link.id}`
      if (rivals.length > 0) return yield* new SlugTaken()
      return yield* update(link)
    })
    return transaction("PaymentLinkStore.replace", write)
  }

  return { add, find, findSlug: (slug) => findBy("findSlug", sql`slug = ${slug}`), list, replace, remove }
}
