/** Keys of organizations, and the tariffs that there are. Durations are milliseconds. */
import type { Effect } from "effect"
import { type SandboxSettings, sandboxDefaults } from "../time/SandboxSettings.ts"
import { hours, seconds, shareOf } from "../value/CommonSettings.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { type Tariff, tariffOf } from "./TariffPlan.ts"

/** The settings of organizations and tariffs. */
export interface MerchantSettings extends SandboxSettings {
  /** Organizations that a person may open in the cabinet; what the operator and partners open is not bounded. */
  readonly maxOwned: number
  /** Keys of an organization and mode: rates are counted by key, so that keys without a bound would be no bound. */
  readonly maxKeys: number
  /** How often uses of keys are written, which are kept to the minute. */
  readonly keyUsesMs: number
  readonly tariffs: {
    /** Whether tariffs limit what is made in live mode. Without it none ends. */
    readonly enforced: boolean
    /** What there is to choose from. The first one is that of a new organization. */
    readonly catalogue: ReadonlyArray<Tariff>
    /**
     * Of an organization's month and day, what invoices that visitors have had made and not paid may take, as a part
     * of one; and of its sandbox's day, what visitors may have made at all.
     */
    readonly visitorsPart: number
    /** How long a new organization may try it for nothing. */
    readonly trialMs: number
    /** The referrer's share of a tariff payment. */
    readonly referralPercent: number
    /** The operator's own organization, whose invoices tariffs are paid with; null: they cannot be bought. */
    readonly seller: { readonly organizationId: OrganizationId; readonly mode: Mode } | null
    /** How long an order waits for its payment. */
    readonly orderMs: number
    readonly pollMs: number
  }
}

/** Their defaults. */
export const merchantDefaults: MerchantSettings = {
  ...sandboxDefaults,
  maxOwned: 20,
  maxKeys: 20,
  keyUsesMs: 10 * seconds,
  tariffs: {
    enforced: true,
    catalogue: [
      tariffOf("trial", "Trial", 100),
      tariffOf("start", "Start", 500, { priceTenge: 5_000 }),
      tariffOf("business", "Business", 5_000, { priceTenge: 15_000 }),
      tariffOf("scale", "Scale", 50_000, { priceTenge: 60_000 }),
      tariffOf("partner", "Partner", 50_000, { priceTenge: 90_000, partner: true })
    ],
    // A flood of codes leaves the merchant half; a shop of links that has every second code paid never meets it.
    visitorsPart: 1 / 2,
    trialMs: 7 * 24 * hours,
    referralPercent: 20,
    seller: null,
    orderMs: 40 * 24 * hours,
    pollMs: 1 * seconds
  }
}

/** Those in force. */
export const MerchantSettings: Effect.Effect<MerchantSettings> = shareOf(merchantDefaults)
