/** Tariffs: what an organization may do in a month, what that costs, and for how long it is paid. Pure. */

import { Data, Result } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { Organization } from "../merchant/Merchant.ts"
import type { Tariff } from "../merchant/TariffPlan.ts"
import type { Mode } from "../value/Mode.ts"
import { Tiyn } from "../value/Money.ts"
import { dateOf } from "../value/Rhythm.ts"

/** Limits of new invoices. */
export interface Quota {
  readonly monthlyLimit: number
  readonly dailyLimit: number
  /** Of each limit, what invoices that visitors have had made and not paid may take: a part of one. Default: all. */
  readonly visitorsPart?: number
  /** In whose day it counts; that of its making if nothing is said, but a sandbox may be ahead of time. */
  readonly countedAt?: number
}

/** The limit of sandbox invoices; a month has none. */
export const sandboxQuota = (dailyLimit: number, countedAt: number, visitorsPart = 1): Quota => ({
  monthlyLimit: Number.POSITIVE_INFINITY,
  dailyLimit,
  visitorsPart,
  countedAt
})

/** Catalogue codes of a quota that is used up. */
export type QuotaCode = "tariff_limit_reached" | "tariff_daily_burst" | "sandbox_limit"

/** The quota is used up, for the month or for the day. */
export class OverQuota extends Data.TaggedError("OverQuota")<{ readonly code: QuotaCode }> {}

/** The tariff has ended, and with it live invoices. */
export class TariffInactive extends refusal("TariffInactive", "tariff_inactive") {}

/** No such tariff, or none that can be bought. */
export class InvalidTariff extends refusal("InvalidTariff", "invalid_tariff") {}

/** Why one more invoice would be over the quota, the month first; undefined if it would not. */
export const overQuota = (
  quota: Quota,
  used: { readonly month: number; readonly day: number },
  mode: Mode
): QuotaCode | undefined => {
  if (mode === "sandbox") return used.day >= quota.dailyLimit ? "sandbox_limit" : undefined
  if (used.month >= quota.monthlyLimit) return "tariff_limit_reached"
  return used.day >= quota.dailyLimit ? "tariff_daily_burst" : undefined
}

/**
 * The limits of what visitors take: their part of each, one place at least. What they have not paid counts against
 * these as well; so however many codes a flood has made, the merchant has the rest.
 */
export const visitorsQuota = ({ monthlyLimit, dailyLimit, visitorsPart = 1 }: Quota): Quota => ({
  monthlyLimit: partOf(monthlyLimit, visitorsPart),
  dailyLimit: partOf(dailyLimit, visitorsPart)
})

const partOf = (limit: number, part: number): number => Math.min(limit, Math.max(1, Math.floor(limit * part)))

/** Whether the tariff of an organization is in force at `now`. */
export const isActive = ({ tariffUntil }: Pick<Organization, "tariffUntil">, now: number): boolean =>
  tariffUntil === null || now < tariffUntil

/** The tariff of an organization as the catalogue has it; one that it lacks any more allows nothing. */
export const tariffOfOrganization = (
  { tariff }: Pick<Organization, "tariff">,
  catalogue: ReadonlyArray<Tariff>
): Tariff =>
  catalogue.find(({ code }) => code === tariff) ?? {
    code: tariff,
    name: tariff,
    monthlyLimit: 0,
    dailyLimit: 0,
    price: null,
    partner: false
  }

/** The limits in force for an organization. */
export const quotaOf = (
  organization: Organization,
  now: number,
  { catalogue, visitorsPart }: { readonly catalogue: ReadonlyArray<Tariff>; readonly visitorsPart: number }
): Result.Result<Quota, TariffInactive> => {
  const { monthlyLimit, dailyLimit } = tariffOfOrganization(organization, catalogue)
  return isActive(organization, now)
    ? Result.succeed({ monthlyLimit, dailyLimit, visitorsPart })
    : Result.fail(new TariffInactive())
}

/** When a tariff that is bought for so many months at `now` ends. The same one, while in force, is prolonged. */
export const endAfter = (
  organization: Pick<Organization, "tariff" | "tariffUntil">,
  bought: { readonly tariff: string; readonly months: number },
  now: number
): number | null => {
  const isProlonged = organization.tariff === bought.tariff && isActive(organization, now)
  if (isProlonged && organization.tariffUntil === null) return null
  const from = isProlonged && organization.tariffUntil !== null ? organization.tariffUntil : now
  return dateOf({ interval: "month", every: 1, dayOfMonth: null, anchorAt: from }, bought.months)
}

/** The referrer's share of a payment, in whole tiyn, rounded down. */
export const referralShareOf = (amount: Tiyn, percent: number): Tiyn => Tiyn(Math.floor((amount * percent) / 100))
