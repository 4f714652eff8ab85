/** Suites that any storage or provider adapter of Tölem must pass, as cases for any test runner. */
export type { ProviderCase, ProviderControl, Trouble } from "./provider/ProviderCase.ts"
export { providerSuite, providerSuiteOf } from "./provider/ProviderSuite.ts"
export {
  type PlainControl,
  type ProviderTest,
  type ProviderUnderTest,
  providerTests
} from "./provider/ProviderTests.ts"
export type { StorageCase } from "./storage/StorageCase.ts"
export { storageSuite } from "./storage/StorageSuite.ts"
