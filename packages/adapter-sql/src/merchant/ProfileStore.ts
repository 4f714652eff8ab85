/** The core's `ProfileStore` in SQL. A profile stands in the row of its organization, and is chained with it. */
import { type MerchantFace, noFace } from "@tolem/core/face/MerchantFace"
import { type Profile, ProfileStore } from "@tolem/core/face/ProfileStore"
import { isObject } from "@tolem/core/value/Checks"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Layer } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import { Unreadable } from "../base/ReadableRows.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { pictureTable } from "../picture/PictureStore.ts"
import * as Chains from "../seal/Chains.ts"

/** The columns of an organization that its profile is made of. */
export interface ProfileColumns {
  readonly name: string
  readonly legal_name: string | null
  readonly idn: string | null
  readonly face: string | null
  readonly logo: string | null
}

// How a seller is seen.
const sellerOf = ({ name, legal_name: legalName, idn, face, logo }: ProfileColumns) => ({
  name,
  legalName,
  idn,
  face: faceOf(face),
  logo
})

/** A face as it is kept. Throws `Unreadable` at what is none. */
export const faceOf = (stored: string | null): MerchantFace => {
  if (stored === null) return noFace
  try {
    const face: Partial<MerchantFace> | null = JSON.parse(stored)
    // Those of versions before say less.
    if (face !== null && isObject(face.contact)) return { ...noFace, ...face }
  } catch {
    // It is no JSON either.
  }
  throw new Unreadable("face")
}

/** The store over the database. */
export const layer: Layer.Layer<ProfileStore, never, Database> = Layer.effect(
  ProfileStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): ProfileStore["Service"] => {
  const { sql, tables, one, transaction } = database
  const audits = AuditLog.make(database)
  const pictures = TableStatements.make(database, pictureTable)
  const { following, removing } = Chains.make(database)

  const find = (id: OrganizationId) => {
    const select = sql<ProfileColumns & { readonly id: string; readonly version: number | null }>`
      select id, name, legal_name, idn, face, logo, version from ${tables.organizations} where id = ${id}`
    return one("ProfileStore.find", select, ({ id, version, ...row }) => ({
      ...sellerOf(row),
      organizationId: id,
      version: version ?? 0
    }))
  }

  const replace: ProfileStore["Service"]["replace"] = (profile, logo, audit) => {
    const { organizationId: id, name, legalName, idn, version } = profile
    const update = sql`
      update ${tables.organizations} set name = ${name}, legal_name = ${legalName}, idn = ${idn},
        face = ${storedFaceOf(profile)}, logo = ${profile.logo}, version = cast(${version} as bigint)
      where id = ${id} and coalesce(version, 0) = cast(${version - 1} as bigint) returning *`
    const write = Effect.gen(function* () {
      const { rows, entries } = yield* following("organizations", sql`id = ${id}`, update)
      if (rows.length === 0) return false
      const kept = logo === null ? [] : yield* pictures.insert(logo, "on conflict (id) do nothing returning *")
      // Logos are the pictures in this form; those of links are not in it.
      const others = sql`organization_id = ${id} and content_type = 'image/png' and id <> ${profile.logo ?? ""}`
      const gone = yield* removing("pictures", others, sql`delete from ${tables.pictures} where ${others} returning *`)
      yield* audits.insert(audit, [
        ...entries,
        ...gone.entries,
        ...kept.map((row) => ({ kind: "pictures" as const, row }))
      ])
      return true
    })
    return transaction("ProfileStore.replace", write)
  }
  return { find, replace }
}

const storedFaceOf = ({ face }: Profile): string | null =>
  JSON.stringify(face) === JSON.stringify(noFace) ? null : JSON.stringify(face)
