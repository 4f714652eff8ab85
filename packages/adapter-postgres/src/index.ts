/** Tölem's storage on PostgreSQL. */
export { SchemaOutdated } from "@tolem/adapter-sql/base/Migrations"
export { migrate } from "./Migrate.ts"
export type { PgPool } from "./PoolClient.ts"
export {
  layer,
  migrate as migrateEffect,
  type PostgresOptions,
  type PostgresPoolOptions,
  postgres
} from "./Postgres.ts"
export * as Url from "./Url.ts"
