/** Tölem's storage on PostgreSQL. */
export { layer, layer as postgres, migrate, type Options, SchemaOutdated } from "./Postgres.ts"
export * as Url from "./Url.ts"
