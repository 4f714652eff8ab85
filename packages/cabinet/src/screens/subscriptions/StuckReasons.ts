/** What there is to do about the code that keeps a run from being made. Pure. */
import type { StuckReason } from "../../texts/SubscriptionsTexts.ts"

/** The reason that advice is given about. */
export const reasonOf = (code: string): StuckReason => reasons[code] ?? "other"

const reasons: Readonly<Record<string, StuckReason>> = {
  not_live: "live",
  provider_session_not_configured: "cashier",
  connection_not_active: "cashier",
  provider_session_expired: "session",
  tariff_limit_reached: "quota",
  tariff_daily_burst: "quota",
  tariff_inactive: "quota",
  provider_error: "provider",
  invoice_create_failed: "provider",
  sandbox_limit: "sandbox"
}
