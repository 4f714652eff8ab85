/** Tölem's storage on SQLite. */
export { SchemaOutdated } from "@tolem/adapter-sql/base/Migrations"
export { layer, layer as sqlite, type SqliteOptions } from "./Sqlite.ts"
export * as SqliteClient from "./SqliteClient.ts"
