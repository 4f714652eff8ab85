/** Suites that any storage or provider adapter of Tölem must pass, as cases for any test runner. */
export type { ProviderCase, ProviderControl } from "./provider/ProviderCase.ts"
export { providerSuite } from "./provider/ProviderSuite.ts"
export type { StorageCase } from "./storage/StorageCase.ts"
export { storageSuite } from "./storage/StorageSuite.ts"
