/** Tölem's engine: invoices and webhooks over ports that the application chooses. */
export { Engine, type Platform, type Stores, type UseCases } from "./Engine.ts"
export * as ErrorCatalog from "./ErrorCatalog.ts"
export { createEngine, type EmbeddedEngine, type EngineOptions, TolemError } from "./Promise.ts"
export * as SecretBox from "./SecretBox.ts"
export { defaults, Settings } from "./Settings.ts"
