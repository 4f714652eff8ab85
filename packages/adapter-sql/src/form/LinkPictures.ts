/** Pictures of payment links, written with the links that show them. Links of one organization may share a picture. */
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import type { StoredPicture } from "@tolem/core/picture/PictureStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Database } from "../base/Database.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { pictureTable } from "../picture/PictureStore.ts"
import * as Chains from "../seal/Chains.ts"

type Entries = Effect.Effect<ReadonlyArray<Chains.Entry>, SqlError.SqlError>

/** The statements over this database, for use in a transaction. */
export const make = (database: Database["Service"]) => {
  const { sql, dialect, tables } = database
  const { pictures, payment_links: links } = tables
  const { insert } = TableStatements.make(database, pictureTable)
  const { removing } = Chains.make(database)
  const named = sql.literal("substr(picture, 1, 40)")

  /** Has changes of which link shows which picture take turns: what one lets go another may come to show. */
  const lock = (organizationId: OrganizationId) => dialect.lockName(`pictures of links ${organizationId}`)

  /** The name of the picture that a link shows, read behind the lock; null: none. */
  const shownBy = Effect.fnUntraced(function* ({ organizationId, id }: Pick<PaymentLink, "organizationId" | "id">) {
    yield* lock(organizationId)
    const rows = yield* sql<{ readonly name: string | null }>`
      select ${named} as name from ${links}
      where id = ${id} and organization_id = ${organizationId} and removed_at is null`
    return rows[0]?.name ?? null
  })

  /** Keeps a picture; one that is kept already stays. */
  const keep = (picture: StoredPicture | null): Entries =>
    picture === null
      ? Effect.succeed([])
      : Effect.map(insert(picture, "on conflict (id) do nothing returning *"), (rows) =>
          rows.map((row): Chains.Entry => ({ kind: "pictures", row }))
        )

  /** Keeps a picture once its link was written, and lets the one go that it had `before`, if no link shows it now. */
  const exchange = (organizationId: OrganizationId, before: string | null, picture: StoredPicture | null): Entries =>
    Effect.gen(function* () {
      const kept = yield* keep(picture)
      if (before === null) return kept
      const which = sql`id = ${before} and organization_id = ${organizationId} and not exists (
        select 1 from ${links} where organization_id = ${organizationId} and removed_at is null
          and ${named} = ${before})`
      const gone = yield* removing("pictures", which, sql`delete from ${pictures} where ${which} returning *`)
      return [...kept, ...gone.entries]
    })

  return { lock, shownBy, keep, exchange }
}
