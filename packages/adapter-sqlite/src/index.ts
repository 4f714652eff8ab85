/** Tölem's storage on SQLite. */
export { SchemaOutdated } from "@tolem/adapter-sql/base/Migrations"
export { migrate } from "./Migrate.ts"
export {
  layer,
  migrate as migrateEffect,
  type SqliteDatabaseOptions,
  type SqliteOptions,
  sqlite
} from "./Sqlite.ts"
export * as SqliteClient from "./SqliteClient.ts"
