/** The schema, as numbered steps that only go forward. A published step never changes. */
import { Data, Effect, Layer } from "effect"
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
import { addExternalKeys } from "../migrations/0023_external_keys.ts"
import { addAccountEmails } from "../migrations/0024_account_emails.ts"
import { makeDialect } from "./Dialect.ts"
import { migrationsTable, type TableNaming } from "./Tables.ts"

/** A step that was run: its number and its name. */
export type MigrationStep = readonly [id: number, name: string]

/**
 * Brings the schema up to date and answers the steps that ran; none if it was. Each run is one transaction, and two
 * at once do the work once. Fails with `MigrationError` if a step does, and then nothing has changed.
 */
export const migrate = (
  naming: TableNaming = {}
): Effect.Effect<ReadonlyArray<MigrationStep>, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Migrator.make({})({ table: migrationsTable(naming), loader: Migrator.fromRecord(steps(naming)) })

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
    return Object.keys(steps(naming)).filter((name) => Number.parseInt(name, 10) > newest)
  })

const steps = (naming: TableNaming) => ({
  "0001_init": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createTables(sql, yield* makeDialect(sql), naming)
  }),
  "0002_views": Effect.flatMap(SqlClient.SqlClient, (sql) => createViews(sql, naming)),
  "0003_secret_checks": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createSecretChecks(sql, yield* makeDialect(sql), naming)
  }),
  "0004_connections": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createConnections(sql, yield* makeDialect(sql), naming)
  }),
  "0005_refund_references": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* addRefundReferences(sql, yield* makeDialect(sql), naming)
  }),
  "0006_subscriptions": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createSubscriptions(sql, yield* makeDialect(sql), naming)
  }),
  "0007_merchants": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createMerchants(sql, yield* makeDialect(sql), naming)
  }),
  "0008_payment_links": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createPaymentLinks(sql, yield* makeDialect(sql), naming)
  }),
  "0009_logins": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createLogins(sql, yield* makeDialect(sql), naming)
  }),
  "0010_delivery_turns": Effect.flatMap(SqlClient.SqlClient, (sql) => addDeliveryTurns(sql, naming)),
  "0011_key_uses": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* addKeyUses(sql, yield* makeDialect(sql), naming)
  }),
  "0012_creation": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* addCreation(sql, yield* makeDialect(sql), naming)
  }),
  "0014_shares": Effect.flatMap(SqlClient.SqlClient, (sql) => indexShares(sql, naming)),
  "0016_announcements": Effect.flatMap(SqlClient.SqlClient, (sql) => addAnnouncements(sql, naming)),
  "0017_seals": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* addSeals(sql, yield* makeDialect(sql), naming)
  }),
  "0018_chains": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createChains(sql, yield* makeDialect(sql), naming)
  }),
  "0020_feed": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createFeed(sql, yield* makeDialect(sql), naming)
  }),
  "0023_external_keys": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* addExternalKeys(sql, yield* makeDialect(sql), naming)
  }),
  "0024_account_emails": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* addAccountEmails(sql, yield* makeDialect(sql), naming)
  })
})
