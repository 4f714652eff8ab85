/**
 * What `tolem.config.ts` says: the parts and settings of the reference server that no flag can name.
 *
 * ```ts
 * import { defineMailer, defineProvider } from "@tolem/core"
 * import { defineConfig } from "@tolem/http-server"
 *
 * export default defineConfig({
 *   provider: defineProvider({ name: "Bank", … }),
 *   channels: [{ name: "sms", send: async ({ phone, code }) => { … } }],
 *   mailer: defineMailer({ send: async ({ to, subject, text }) => { … } }),
 *   settings: { webhook: { timeoutMs: 5000 } }
 * })
 * ```
 */
import type { EmbeddedChannel } from "@tolem/core/embedded/EmbeddedLogins"
import type { SettingsPart } from "@tolem/core/engine/Settings"
import type { Mailer } from "@tolem/core/mail/Mailer"
import type { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import type { Layer } from "effect"

/** A tariff that organizations may have. */
export interface TariffOffer {
  readonly code: string
  /** As people know it. */
  readonly name: string
  /** Live invoices in a calendar month of Almaty. */
  readonly monthlyLimit: number
  /** Live invoices in a day of Almaty; default a fifth of the month's, at least 50. */
  readonly dailyLimit?: number
  /** Tenge for a month; without it the tariff cannot be bought. */
  readonly priceTenge?: number
  /** Whether it opens the partner API. */
  readonly partner?: boolean
}

/** What the file of the reference server may say. What a flag or a variable says goes before it. */
export interface TolemConfig {
  /** Who live invoices are paid through, as `defineProvider` of `@tolem/core` answers it. */
  readonly provider?: Layer.Layer<PaymentProvider> | undefined
  /** What carries login codes, the preferred channel first. `--login-channel` chooses among them by their names. */
  readonly channels?: ReadonlyArray<EmbeddedChannel> | undefined
  /** Takes letters to customers: what `defineMailer` of `@tolem/core` answers, or `SmtpMailer.layer`. */
  readonly mailer?: Layer.Layer<Mailer> | undefined
  /** The tariffs that there are, in place of the usual ones: the first is that of a new organization. */
  readonly tariffs?: "none" | ReadonlyArray<TariffOffer> | undefined
  /** What differs from the default settings, as `{ webhook: { timeoutMs: 5000 } }`. */
  readonly settings?: SettingsPart | undefined
}

/** The configuration as it is, for the default export of `tolem.config.ts`. It is checked when the server reads it. */
export const defineConfig = (config: TolemConfig): TolemConfig => config
