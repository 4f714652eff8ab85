/** Moves the clock of a sandbox ahead, and makes everything happen that falls due on the way, in order. */
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import { expiry } from "../invoice/live/InvoiceWatcher.ts"
import { MerchantStore, OrganizationNotFound } from "../merchant/MerchantStore.ts"
import { SubscriptionRuns } from "../subscription/SubscriptionRuns.ts"
import { SubscriptionStore } from "../subscription/SubscriptionStore.ts"
import { ClockStore } from "../time/ClockStore.ts"
import { ahead, SandboxClocks, sandboxOf } from "../time/SandboxClocks.ts"
import type { OrganizationId } from "../value/Ids.ts"
import * as Progress from "../work/Progress.ts"

/** No clock is moved further at once: years of a daily subscription take minutes. */
const maxByMs = 10 * 366 * 86_400_000

const dayMs = 86_400_000
const leaseMs = 20_000
const atOnce = 256
/** How long to wait for what another server is doing at the moment. */
const busyMs = 50

const make = Effect.gen(function* () {
  const clocks = yield* ClockStore
  const { forget } = yield* SandboxClocks
  const merchants = yield* MerchantStore
  const invoices = yield* InvoiceStore
  const subscriptions = yield* SubscriptionStore
  const runs = yield* SubscriptionRuns
  const expire = yield* expiry

  /** Does what is due at the fiber's time, and answers how much that was. */
  const happen = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const now = yield* Clock.currentTimeMillis
    const claim = [now, now + leaseMs, atOnce, sandboxOf(organizationId, atOnce)] as const
    const expired = yield* invoices.claim(...claim)
    yield* Effect.forEach(expired, expire, { discard: true })
    const followed = yield* subscriptions.claimRuns(...claim)
    yield* Effect.forEach(followed, runs.follow, { discard: true })
    const fired = yield* subscriptions.claim(...claim)
    yield* Effect.forEach(fired, runs.fire, { discard: true })
    return expired.length + followed.length + fired.length
  })

  const advance = Effect.fn("SandboxTime.advance")(function* (
    organizationId: OrganizationId,
    byMs: number,
    withinMs = Number.POSITIVE_INFINITY
  ) {
    if (!Number.isSafeInteger(byMs) || byMs <= 0 || byMs > maxByMs) {
      return yield* new FieldRefused({ code: "invalid_duration" })
    }
    if (Option.isNone(yield* merchants.organization(organizationId))) return yield* new OrganizationNotFound()
    let aheadMs = (yield* clocks.ahead).get(organizationId) ?? 0
    const stopsAt = (yield* Clock.currentTimeMillis) + withinMs
    const target = (yield* Clock.currentTimeMillis) + aheadMs + byMs
    let happened = 0
    const beganAt = target - byMs
    for (;;) {
      const due = yield* clocks.nextDueAt(organizationId)
      if (due === null || due > target) break
      const now = yield* Clock.currentTimeMillis
      if (now >= stopsAt) {
        yield* forget
        return { now: now + aheadMs, aheadMs, happened, leftMs: Math.max(0, target - now - aheadMs) }
      }
      const done = Math.floor(Math.max(0, due - beganAt) / dayMs)
      yield* Progress.tell({ what: "days", done, of: Math.ceil(byMs / dayMs) })
      aheadMs = yield* clocks.advance(organizationId, Math.max(aheadMs, due - now))
      const count = yield* ahead(aheadMs)(happen(organizationId))
      happened += count
      if (count === 0) yield* Effect.sleep(Duration.millis(busyMs))
    }
    aheadMs = yield* clocks.advance(organizationId, Math.max(aheadMs, target - (yield* Clock.currentTimeMillis)))
    yield* forget
    return { now: (yield* Clock.currentTimeMillis) + aheadMs, aheadMs, happened, leftMs: 0 }
  })

  return {
    /**
     * Moves the organization's sandbox clock by `byMs`: runs, expiries and tries happen at their own times, one after
     * the other, and their webhooks are sent for real. Live invoices always have the real clock. May be called again
     * after a crash: what has happened stays, and the clock is where it was then. It stops on the way once it has taken
     * `withinMs`. Answers what the clock shows then, how far that is ahead of the real one, how many things fell due,
     * and how far it is still to go.
     */
    advance
  }
})

/** Sends the clock of a sandbox ahead. */
export class SandboxTime extends Context.Service<SandboxTime, Effect.Success<typeof make>>()(
  "@tolem/core/SandboxTime"
) {
  /** The verb over the stores. */
  static readonly layer = Layer.effect(SandboxTime, make)
}
