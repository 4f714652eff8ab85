/** Tölem's engine: invoices and webhooks over ports that the application chooses. */

export {
  createEngine,
  type EmbeddedEngine,
  type EmbeddedMerchant,
  type EngineOptions,
  type MerchantRequest
} from "./embedded/createEngine.ts"
export type { EmbeddedChannel } from "./embedded/EmbeddedLogins.ts"
export type { EmbeddedLogger } from "./embedded/Logs.ts"
export { EngineClosed, TolemError } from "./embedded/TolemError.ts"
export { Engine, type Platform, type Stores, type UseCases } from "./engine/Engine.ts"
export { defaults, Settings, type SettingsPart } from "./engine/Settings.ts"
export * as ErrorCatalog from "./error/ErrorCatalog.ts"
export { defineMailer, type LetterRejected, type MailerDefinition, type PlainLetter } from "./mail/PlainMailer.ts"
export type { Abilities } from "./provider/Abilities.ts"
export {
  defineProvider,
  outcome,
  type PlainCall,
  type ProviderDefinition
} from "./provider/PlainProvider.ts"
export * as SecretBox from "./secret/SecretBox.ts"
export { Tiyn } from "./value/Money.ts"
