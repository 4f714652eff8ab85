/**
 * A scenario says, as data, what the customer does with a payment and what goes wrong with the calls about it.
 * Schemas, because scenarios also come from outside, through the control API.
 */
import { RefusalCode } from "@tolem/core/provider/Answer"
import type { Call } from "@tolem/core/provider/PaymentProvider"
import { Effect, Schema } from "effect"

const calls = [
  "createQr",
  "createPush",
  "stateByReference",
  "stateByOurs",
  "cancel",
  "refund",
  "refundState",
  "listOperations",
  "initLogin",
  "sendPhone",
  "verifyOtp",
  "checkSession"
] as const satisfies ReadonlyArray<Call>

/** Calls that a fault is meant for; `any` means each of them. */
export const FaultyCall = Schema.Literals([...calls, "any"])
/** See the schema of the same name. */
export type FaultyCall = typeof FaultyCall.Type

const milliseconds = (minimum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum: 86_400_000 }))
const orFalse = Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/**
 * What goes wrong with one call. `done`: whether what was asked for is done nevertheless.
 *
 * `silence`: the connection stays open and nothing comes. `drop`: it is cut before the answer. `error`: an answer of
 * the provider's own failure. `garbage`: an answer that is not what was asked for. `slow`: done at once, answered
 * later. `late`: done later, whether or not the caller is still there. `twice`: carried out two times, as by a proxy
 * that repeats. `throttle`, `lose_session`, `refuse`: the answers of the port, nothing done.
 */
export const Fault = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("silence"), done: orFalse }),
  Schema.Struct({ kind: Schema.Literal("drop"), done: orFalse }),
  Schema.Struct({
    kind: Schema.Literal("error"),
    status: Schema.Int.check(Schema.isBetween({ minimum: 500, maximum: 599 })),
    done: orFalse
  }),
  Schema.Struct({ kind: Schema.Literal("garbage"), body: Schema.String, done: orFalse }),
  Schema.Struct({ kind: Schema.Literal("slow"), delayMs: milliseconds(0) }),
  Schema.Struct({ kind: Schema.Literal("late"), delayMs: milliseconds(0) }),
  Schema.Struct({ kind: Schema.Literal("twice") }),
  Schema.Struct({ kind: Schema.Literal("throttle"), retryAfterMs: milliseconds(1) }),
  Schema.Struct({ kind: Schema.Literal("lose_session") }),
  Schema.Struct({ kind: Schema.Literal("refuse"), code: Schema.Literals(RefusalCode), retryable: orFalse })
])
/** See the schema of the same name. */
export type Fault = typeof Fault.Type

/** A fault and how many calls meet it; null: all of them. */
export const FaultRule = Schema.Struct({
  call: FaultyCall,
  times: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(1))
  ),
  fault: Fault
})
/** See the schema of the same name. */
export type FaultRule = typeof FaultRule.Type

/** What a customer or the bank does to a payment. `refund` gives back the whole rest, or `share` of the amount. */
const Deed = Schema.Literals(["scan", "pay", "refuse", "fail", "refund"])
/**
 * A deed and when: so many milliseconds after the payment was made, would expire (negative: before), was cancelled or
 * was paid.
 */
export const Step = Schema.Struct({
  after: Schema.Literals(["creation", "expiry", "cancellation", "payment"]),
  ms: milliseconds(-86_400_000),
  does: Deed,
  share: Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 1 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(1))
  )
})
/** See the schema of the same name. */
export type Step = typeof Step.Type

/** What happens: `steps` of the customer and the provider, `faults` of the calls. */
export const Script = Schema.Struct({
  steps: Schema.Array(Step).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  faults: Schema.Array(FaultRule).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})
/** See the schema of the same name. */
export type Script = typeof Script.Type

/** A script with a name, and with a number where amounts and phones choose it: see `Scenarios`. */
export interface Scenario extends Script {
  readonly name: string
  readonly number: number | null
  /** What a merchant sees, for the documents. */
  readonly about: string
}
