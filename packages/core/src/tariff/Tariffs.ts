/** Use-cases of tariffs: what an organization may still do, and what the operator gives it. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../audit/Audit.ts"
import { AccountBlocked, OrganizationInactive } from "../error/Refusals.ts"
import type { StorageError } from "../error/StorageError.ts"
import { MerchantSettings } from "../merchant/MerchantSettings.ts"
import { MerchantStore, OrganizationNotFound } from "../merchant/MerchantStore.ts"
import type { Tariff } from "../merchant/TariffPlan.ts"
import { realNow } from "../time/SandboxClocks.ts"
import { type AccountId, type EarningId, Ids, type OrganizationId } from "../value/Ids.ts"
import type { Tenant } from "../value/Tenant.ts"
import {
  endAfter,
  InvalidTariff,
  isActive,
  quotaOf,
  sandboxQuota,
  type TariffInactive,
  tariffOfOrganization
} from "./Tariff.ts"
import { type OrganizationUsage, TariffStore } from "./TariffStore.ts"

/** Why an organization may make no live invoice now, whatever its quota. */
export type QuotaError = TariffInactive | OrganizationInactive | AccountBlocked | StorageError

/** Where an organization stands with its tariff, and through which cashiers it may make live invoices. */
export interface TariffStanding extends OrganizationUsage {
  readonly tariff: Tariff
  readonly active: boolean
}

/** A grant: for so many months, prolonging the same tariff, or without end. */
export interface Grant {
  readonly organizationId: OrganizationId
  readonly tariff: string
  readonly months: number | null
}

/** Most earnings that one call returns. */
const maxEarnings = 10_000

const make = Effect.gen(function* () {
  const merchants = yield* MerchantStore
  const store = yield* TariffStore
  const ids = yield* Ids
  const settings = yield* MerchantSettings
  const { catalogue, enforced, visitorsPart } = settings.tariffs
  const sandboxLimit = settings.sandbox.invoicesPerDay

  const quota = Effect.fnUntraced(function* ({ organizationId, mode }: Tenant) {
    if (mode === "sandbox")
      return sandboxLimit === null ? null : sandboxQuota(sandboxLimit, yield* realNow, visitorsPart)
    const found = Option.getOrUndefined(yield* merchants.owned(organizationId))
    if (found === undefined || found.organization.status === "archived") return yield* new OrganizationInactive()
    if (found.ownerStatus === "blocked") return yield* new AccountBlocked()
    if (!enforced) return null
    return yield* Effect.fromResult(quotaOf(found.organization, yield* Clock.currentTimeMillis, settings.tariffs))
  })

  const find = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const found = yield* merchants.organization(organizationId)
    return Option.isSome(found) ? found.value : yield* new OrganizationNotFound()
  })

  const standing = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const now = yield* Clock.currentTimeMillis
    const found = Option.getOrUndefined(yield* store.standing(organizationId, now))
    if (found === undefined) return yield* new OrganizationNotFound()
    const { organization } = found
    return {
      ...found,
      tariff: tariffOfOrganization(organization, catalogue),
      active: !enforced || isActive(organization, now)
    } satisfies TariffStanding
  })

  const grant = Effect.fn("Tariffs.grant")(function* ({ organizationId, tariff, months }: Grant) {
    if (!catalogue.some(({ code }) => code === tariff)) return yield* new InvalidTariff()
    const attempt = Effect.gen(function* () {
      const before = yield* find(organizationId)
      const now = yield* Clock.currentTimeMillis
      const after = { tariff, tariffUntil: months === null ? null : endAfter(before, { tariff, months }, now) }
      const detail = JSON.stringify(after)
      const deed = { action: "tariff.granted", organizationId, subject: organizationId, detail } as const
      return yield* store.setTerm(organizationId, before, after, yield* recordOf(ids, deed))
    })
    // It was changed in between: what is granted builds on that.
    yield* Effect.repeat(attempt, { until: (written) => written })
    return yield* standing(organizationId)
  })

  const payOut = Effect.fn("Tariffs.payOut")(function* (id: EarningId) {
    const audit = yield* recordOf(ids, { action: "earning.paid_out", organizationId: null, subject: id })
    return yield* store.payOut(id, yield* Clock.currentTimeMillis, audit)
  })

  const earnings = (accountId: AccountId | null) => store.earnings(accountId, maxEarnings)

  return {
    /** The limits for a new invoice; null: none. A sandbox has one of the day at most. */
    quota,
    /** What referrers have earned, newest first: one account's, or all. */
    earnings,
    /** By the operator: the earning was paid out. None if it is unknown, or was paid out before. */
    payOut,
    /** As it was at one moment. */
    standing,
    /** By the operator, for nothing. */
    grant
  }
})

/** The use-cases of tariffs: what is allowed, and how much of it is used. */
export class Tariffs extends Context.Service<Tariffs, Effect.Success<typeof make>>()("@tolem/core/Tariffs") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Tariffs, make)
}
