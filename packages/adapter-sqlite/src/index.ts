/** Tölem's storage on SQLite. */
export { layer, layer as sqlite, type Options } from "./Sqlite.ts"
export * as SqliteClient from "./SqliteClient.ts"
