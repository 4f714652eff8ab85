/** Tölem's storage on PostgreSQL. */
export { SchemaOutdated } from "@tolem/adapter-sql/Migrations"
export { layer, layer as postgres, migrate, type Options } from "./Postgres.ts"
export * as Url from "./Url.ts"
