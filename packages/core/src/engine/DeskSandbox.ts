/** What developers try their side with: the clock of their sandbox, and events that happen when they want them. */
import { Clock, Context, Effect, Layer } from "effect"
import { callerOf, type Desk } from "../cabinet/Desks.ts"
import { FieldRefused, NotSandbox } from "../error/Refusals.ts"
import { announcedTypes } from "../invoice/Consequences.ts"
import type { Caller } from "../invoice/InvoiceCreation.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { ClockStore } from "../time/ClockStore.ts"
import { isGiven, type JsonObject } from "../value/Checks.ts"
import type { OrganizationId } from "../value/Ids.ts"
import * as KeyedLock from "../work/KeyedLock.ts"
import { SandboxTime } from "./SandboxTime.ts"

/** An event that can be made to happen in a sandbox. */
export type SandboxEvent = (typeof announcedTypes)[number]

const dayMs = 86_400_000

/** How far a member moves a clock at once: a month is what most wait for, and its runs take some seconds. */
export const maxAdvanceMs = 31 * dayMs

/** No clock of the cabinet shows more than ten years ahead: what is due is worked off day by day. */
const maxAheadMs = 3_660 * dayMs

/** A request that takes longer would be given up by proxies; what is left is asked for by the next one. */
const withinMs = 5_000

/** What an invoice is over if it is not said. */
const usualAmount = 1500

const make = Effect.gen(function* () {
  const clocks = yield* ClockStore
  const time = yield* SandboxTime
  const invoices = yield* Invoices
  const inTurn = yield* KeyedLock.make

  const aheadOf = (id: OrganizationId) => Effect.map(clocks.ahead, (all) => all.get(id) ?? 0)

  const clock = Effect.fn("DeskSandbox.clock")(function* ({ mode, organization }: Desk) {
    if (mode !== "sandbox") return yield* new NotSandbox()
    const aheadMs = yield* aheadOf(organization.id)
    return { now: (yield* Clock.currentTimeMillis) + aheadMs, aheadMs }
  })

  const advance = Effect.fn("DeskSandbox.advance")(function* ({ mode, organization }: Desk, { seconds }: JsonObject) {
    if (mode !== "sandbox") return yield* new NotSandbox()
    const byMs = typeof seconds === "number" ? seconds * 1000 : Number.NaN
    if (!Number.isSafeInteger(byMs) || byMs <= 0 || byMs > maxAdvanceMs) {
      return yield* new FieldRefused({ code: "invalid_duration" })
    }
    const moved = Effect.gen(function* () {
      if ((yield* aheadOf(organization.id)) + byMs > maxAheadMs) {
        return yield* new FieldRefused({ code: "invalid_duration" })
      }
      return yield* Effect.catchTag(time.advance(organization.id, byMs, withinMs), "OrganizationNotFound", Effect.die)
    })
    // Two at once would look at the same rows; who waits moves it further.
    return yield* inTurn(organization.id)(moved)
  })

  const happen = Effect.fn("DeskSandbox.happen")(function* (caller: Caller, event: SandboxEvent, amount: unknown) {
    if (caller.mode !== "sandbox") return yield* new NotSandbox()
    const { invoice } = yield* invoices.create(caller, { body: { amount, description: event } })
    const { id } = invoice
    const paid = invoices.simulate(caller, id, { status: "paid" })
    const part = Math.max(1, Math.floor(invoice.amount / 300))
    const steps = {
      "invoice.paid": paid,
      "invoice.failed": invoices.simulate(caller, id, { status: "failed" }),
      "invoice.expired": invoices.simulate(caller, id, { status: "expired" }),
      "invoice.cancelled": invoices.cancel(caller, id),
      "invoice.refunded": Effect.andThen(paid, invoices.refund(caller, id, { body: {} })),
      "invoice.partially_refunded": Effect.andThen(paid, invoices.refund(caller, id, { body: { amount: part } }))
    }
    yield* steps[event]
    return yield* invoices.get(caller, id)
  })

  const trigger = Effect.fn("DeskSandbox.trigger")(function* (desk: Desk, { event, amount }: JsonObject) {
    const known = announcedTypes.find((each) => each === event)
    if (known === undefined) return yield* new FieldRefused({ code: "invalid_events" })
    return yield* happen(callerOf(desk, null), known, isGiven(amount) ? amount : usualAmount)
  })

  return {
    /** What the clock of the member's sandbox shows, and how many milliseconds that is ahead. */
    clock,
    /**
     * Moves it by `seconds` of the body, some seconds of real time at a request: what is left then is `leftMs` of the
     * answer. What falls due on the way happens.
     */
    advance,
    /** Has the `event` of the body happen to a new invoice over `amount`, as customers and merchants would. */
    trigger,
    /** The same for a caller. Answers the invoice as it is then. */
    happen
  }
})

/** What developers do with their sandbox. */
export class DeskSandbox extends Context.Service<DeskSandbox, Effect.Success<typeof make>>()(
  "@tolem/core/DeskSandbox"
) {
  /** The use-cases over those of the sandbox. */
  static readonly layer = Layer.effect(DeskSandbox, make)
}
