/** Tölem's storage on PostgreSQL. */
export { SchemaOutdated } from "@tolem/adapter-sql/base/Migrations"
export { layer, layer as postgres, migrate, type PostgresOptions } from "./Postgres.ts"
export * as Url from "./Url.ts"
