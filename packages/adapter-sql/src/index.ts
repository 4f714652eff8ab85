/** Tölem's storage over any SQL client of `effect/sql`: one SQL text for PostgreSQL and SQLite. */
export * as Migrations from "./base/Migrations.ts"
export type { TableNaming } from "./base/Tables.ts"
export * as Stores from "./Stores.ts"
