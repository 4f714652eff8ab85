/** Tölem's storage over any SQL client of `effect/sql`: one SQL text for PostgreSQL and SQLite. */
export * as Migrations from "./Migrations.ts"
export * as Stores from "./Stores.ts"
export type { Naming } from "./Tables.ts"
