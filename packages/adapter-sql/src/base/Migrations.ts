/** The schema, as numbered steps that only go forward. A published step never changes. */
import { Data, Effect, Layer, Record } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { createTables } from "../migrations/0001_init.ts"
import { createViews } from "../migrations/0002_views.ts"
import { createSecretChecks } from "../migrations/0003_secret_checks.ts"
import { createConnections } from "../migrations/0004_connections.ts"
import { addRefundReferences } from "../migrations/0005_refund_references.ts"
import { createSubscriptions } from "../migrations/0006_subscriptions.ts"
import { createMerchants } from "../migrations/0007_merchants.ts"
import { createPaymentLinks } from "../migrations/0008_payment_links.ts"
import { createLogins } from "../migrations/0009_logins.ts"
import { addDeliveryTurns } from "../migrations/0010_delivery_turns.ts"
import { addKeyUses } from "../migrations/0011_key_uses.ts"
import { addCreation } from "../migrations/0012_creation.ts"
import { indexShares } from "../migrations/0014_shares.ts"
import { addAnnouncements } from "../migrations/0016_announcements.ts"
import { addSeals } from "../migrations/0017_seals.ts"
import { createChains } from "../migrations/0018_chains.ts"
import { createFeed } from "../migrations/0020_feed.ts"
import { createReactions } from "../migrations/0021_reactions.ts"
import { addExternalKeys } from "../migrations/0023_external_keys.ts"
import { addAccountEmails } from "../migrations/0024_account_emails.ts"
import { noteEarlierEvents } from "../migrations/0029_earlier_events.ts"
import { fillCreation } from "../migrations/0030_filled_creation.ts"
import { guardFormHooks } from "../migrations/0034_form_hooks.ts"
import { addMemberTerms } from "../migrations/0035_member_terms.ts"
import { addFaces } from "../migrations/0036_faces.ts"
import { addLinkPages } from "../migrations/0037_link_pages.ts"
import { makeDialect } from "./Dialect.ts"
import type { Step } from "./Step.ts"
import { migrationsTable, type TableNaming } from "./Tables.ts"

/** A step that was run: its number and its name. */
export type MigrationStep = readonly [id: number, name: string]

/**
 * The last step before one that reads much and locks nothing. A run to here, and another one behind it, keep writers
 * waiting for the first one only.
 */
export const lockingUntil = 24

/**
 * Brings the schema up to date, or to the step `until`, and answers the steps that ran; none if it was. Each run is
 * one transaction, and two at once do the work once. Fails with `MigrationError` if a step does, and then nothing has
 * changed.
 */
export const migrate = (
  naming: TableNaming = {},
  until = Number.POSITIVE_INFINITY
): Effect.Effect<ReadonlyArray<MigrationStep>, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Migrator.make({})({ table: migrationsTable(naming), loader: Migrator.fromRecord(steps(naming, until)) })

/** Migrates when the layer is built. */
export const layer = (
  naming: TableNaming = {}
): Layer.Layer<never, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Layer.effectDiscard(migrate(naming))

/** The database has no schema yet, or an older one: `migrate` has work to do. `pending` names the missing steps. */
export class SchemaOutdated extends Data.TaggedError("SchemaOutdated")<{ readonly pending: ReadonlyArray<string> }> {
  override readonly message = `the database lacks ${this.pending.join(", ")}: migrate it first`
}

/** Fails if the schema lacks a step when the layer is built; changes nothing. */
export const upToDate = (
  naming: TableNaming = {}
): Layer.Layer<never, SchemaOutdated | SqlError.SqlError, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.flatMap(pending(naming), (missing) =>
      missing.length === 0 ? Effect.void : Effect.fail(new SchemaOutdated({ pending: missing }))
    )
  )

/**
 * The names of the steps that a database lacks, changing nothing; all of them if it has no schema yet. A
 * schema that is newer than this version lacks none.
 */
export const pending = (
  naming: TableNaming = {}
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const name = migrationsTable(naming)
    const table = sql(name)
    const [quoted] = sql`${table}`.compile(true)
    const exists = yield* sql.onDialectOrElse({
      pg: () => sql`select 1 as found where to_regclass(${quoted}) is not null`,
      orElse: () => sql`select 1 as found from sqlite_schema where type = 'table' and name = ${name}`
    })
    const rows =
      exists.length === 0
        ? []
        : yield* sql<{ readonly newest: number | null }>`select max(migration_id) as newest from ${table}`
    const newest = rows[0]?.newest ?? 0
    return Object.keys(all).filter((name) => numberOf(name) > newest)
  })

// A new step takes a number above all others, gaps or not: a database runs no step below the newest that it has.
const all: Readonly<Record<string, Step>> = {
  "0001_init": createTables,
  "0002_views": (sql, _, naming) => createViews(sql, naming),
  "0003_secret_checks": createSecretChecks,
  "0004_connections": createConnections,
  "0005_refund_references": addRefundReferences,
  "0006_subscriptions": createSubscriptions,
  "0007_merchants": createMerchants,
  "0008_payment_links": createPaymentLinks,
  "0009_logins": createLogins,
  "0010_delivery_turns": (sql, _, naming) => addDeliveryTurns(sql, naming),
  "0011_key_uses": addKeyUses,
  "0012_creation": addCreation,
  "0014_shares": (sql, _, naming) => indexShares(sql, naming),
  "0016_announcements": (sql, _, naming) => addAnnouncements(sql, naming),
  "0017_seals": addSeals,
  "0018_chains": createChains,
  "0020_feed": createFeed,
  "0021_reactions": createReactions,
  "0023_external_keys": addExternalKeys,
  "0024_account_emails": addAccountEmails,
  "0029_earlier_events": (sql, _, naming) => noteEarlierEvents(sql, naming),
  "0030_filled_creation": (sql, _, naming) => fillCreation(sql, naming),
  "0034_form_hooks": guardFormHooks,
  "0035_member_terms": addMemberTerms,
  "0036_faces": addFaces,
  "0037_link_pages": addLinkPages
}

const numberOf = (name: string) => Number.parseInt(name, 10)

const steps = (naming: TableNaming, until: number) =>
  Record.map(
    Record.filter(all, (_, name) => numberOf(name) <= until),
    (step) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* step(sql, yield* makeDialect(sql), naming)
      })
  )
