/**
 * Use-cases of what needs attention: it is derived from what is stored, so it ends when its cause does. Members see
 * what the table of permissions lets them see.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { isNarrow, type Outlook } from "../cabinet/Desks.ts"
import { MerchantSettings } from "../merchant/MerchantSettings.ts"
import { type Permission, reachOf } from "../merchant/Permission.ts"
import { type TariffStanding, Tariffs } from "../tariff/Tariffs.ts"
import { realNow, SandboxClocks, type TimeOwner } from "../time/SandboxClocks.ts"
import { dayOf, startOfDay } from "../value/Calendar.ts"
import { AttentionStore, type Concern, concernOf, type StoredKind } from "./AttentionStore.ts"

/** What needs attention. */
export type AttentionKind = StoredKind | "quota_low" | "quota_used_up" | "tariff_ended"

/** `error`: something does not work, or money is in doubt. `warning`: it soon may, or a person has to look at it. */
export type Severity = "error" | "warning"

/** What each kind is, in the order in which they are shown. Pure. */
export const attentionKinds: Readonly<
  Record<AttentionKind, { readonly severity: Severity; readonly permission: Permission; readonly liveOnly?: true }>
> = {
  cashier_session_lost: { severity: "error", permission: "connections:read", liveOnly: true },
  tariff_ended: { severity: "error", permission: "organization:read", liveOnly: true },
  quota_used_up: { severity: "error", permission: "organization:read", liveOnly: true },
  refund_unknown: { severity: "error", permission: "invoices:read" },
  subscription_stuck: { severity: "error", permission: "subscriptions:read" },
  endpoint_paused: { severity: "warning", permission: "webhooks:read" },
  delivery_given_up: { severity: "warning", permission: "webhooks:read" },
  late_money: { severity: "warning", permission: "invoices:read" },
  quota_low: { severity: "warning", permission: "organization:read", liveOnly: true }
}

const allKinds = Object.keys(attentionKinds) as ReadonlyArray<AttentionKind>

/** What is at real time, as it leaves a sandbox; all else is at the time of its mode. */
const leavesSandbox: ReadonlySet<AttentionKind> = new Set(["endpoint_paused", "delivery_given_up"])

/** How much of a period's quota is used. */
export interface QuotaUse {
  readonly period: "month" | "day"
  readonly used: number
  readonly limit: number
}

/** One thing of a kind; `quota` where it is about that. */
export interface AttentionItem extends Concern {
  readonly kind: AttentionKind
  readonly quota: QuotaUse | null
}

/** Those of a kind that are shown, and how many there are, counted up to a bound. */
export interface AttentionOfKind {
  readonly kind: AttentionKind
  readonly count: number
  /** Whether there are more than that. */
  readonly more: boolean
  readonly items: ReadonlyArray<AttentionItem>
}

/** How many of a kind are shown, and up to where they are counted. */
const shown = 20
const counted = 100

/** For how long late money and deliveries that were given up are shown. */
const windowMs = 7 * 24 * 3_600_000

/** From which share of a quota on it is low: four fifths. */
const isLow = ({ used, limit }: QuotaUse): boolean => used * 5 >= limit * 4

const make = Effect.gen(function* () {
  const store = yield* AttentionStore
  const tariffs = yield* Tariffs
  const { enforced } = (yield* MerchantSettings).tariffs
  const { entering } = yield* SandboxClocks
  const timeOf = entering((_: TimeOwner) => Clock.currentTimeMillis)

  const ofTariff = Effect.fnUntraced(function* ({ organization }: Outlook, now: number) {
    return enforced ? tariffItems(yield* tariffs.standing(organization.id), now) : []
  })

  const stored = Effect.fnUntraced(function* (desk: Outlook, kind: StoredKind, now: number) {
    const narrow = isNarrow(desk) ? desk.connectionIds : undefined
    if (narrow?.length === 0) return []
    const whose = { organizationId: desk.organization.id, mode: desk.mode, among: narrow }
    const found = yield* store.concerns(kind, { ...whose, now, from: now - windowMs, limit: counted + 1 })
    return found.map((concern): AttentionItem => ({ ...concern, kind, quota: null }))
  })

  const list = Effect.fn("Attention.list")(function* (desk: Outlook) {
    const now = yield* realNow
    const ownTime = yield* timeOf({ organizationId: desk.organization.id, mode: desk.mode })
    const kinds = allKinds.filter((kind) => desk.mode === "live" || attentionKinds[kind].liveOnly !== true)
    const ofQuota = desk.mode === "live" ? yield* ofTariff(desk, now) : []
    const parts = yield* Effect.forEach(kinds, (kind) => {
      const reach = reachOf(desk.role, attentionKinds[kind].permission, desk.mode)
      if (reach === null) return Effect.succeed([])
      if (isStored(kind)) return stored({ ...desk, reach }, kind, leavesSandbox.has(kind) ? now : ownTime)
      return Effect.succeed(ofQuota.filter((item) => item.kind === kind))
    })
    return parts.flatMap((items, index): ReadonlyArray<AttentionOfKind> => {
      const kind = kinds[index]
      if (kind === undefined || items.length === 0) return []
      const count = Math.min(items.length, counted)
      return [{ kind, count, more: items.length > counted, items: items.slice(0, shown) }]
    })
  })

  return {
    /** What needs the attention of a member, by kind; kinds of which there is nothing are left out. */
    list
  }
})

/** The use-cases of what needs attention. */
export class Attention extends Context.Service<Attention, Effect.Success<typeof make>>()("@tolem/core/Attention") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Attention, make)
}

const isStored = (kind: AttentionKind): kind is StoredKind =>
  kind !== "quota_low" && kind !== "quota_used_up" && kind !== "tariff_ended"

const tariffItems = (standing: TariffStanding, now: number): ReadonlyArray<AttentionItem> => {
  const { tariff, usage, active, organization } = standing
  if (!active) {
    return [{ ...concernOf({ since: organization.tariffUntil ?? now }), kind: "tariff_ended", quota: null }]
  }
  const today = dayOf(now)
  const uses = [
    { since: startOfDay(`${today.slice(0, 7)}-01`), period: "month", used: usage.month, limit: tariff.monthlyLimit },
    { since: startOfDay(today), period: "day", used: usage.day, limit: tariff.dailyLimit }
  ] as const
  return uses.filter(isLow).map(({ since, ...quota }) => ({
    ...concernOf({ since }),
    kind: quota.used >= quota.limit ? "quota_used_up" : "quota_low",
    quota
  }))
}
