/** A provider in plain promises: everything of the port for those who do not write Effect. */
import { Effect, Layer, Redacted } from "effect"
import { Answer, map, refused } from "./Answer.ts"
import * as Deadline from "./Deadline.ts"
import { type Call, type Calls, PaymentProvider } from "./PaymentProvider.ts"

/** What a call is given beside its request: `signal` ends it once its answer is not waited for any more. */
export interface CallOptions {
  readonly signal: AbortSignal
}

// Secrets are plain texts here. They must not be logged.
type Plain<Value> =
  Value extends Redacted.Redacted<string>
    ? string
    : Value extends object
      ? { readonly [Name in keyof Value]: Value[Name] extends Redacted.Redacted<string> ? string : Value[Name] }
      : Value

type ValueOf<Name extends Call> =
  ReturnType<Calls[Name]> extends Effect.Effect<Answer<infer Value>> ? Plain<Value> : never

/** A call of the port as a promise. One that is rejected may have been done: it counts as unknown. */
export type PlainCall<Name extends Call> = (
  request: Parameters<Calls[Name]> extends readonly [infer Request] ? Plain<Request> : undefined,
  options: CallOptions
) => Promise<Answer<ValueOf<Name>>>

type Findable = "stateByOurs" | "refundState"

/** What a provider can do that some cannot. The engine never does twice what it cannot find out. */
export interface Abilities {
  /**
   * Payments and refunds are found by our ids. Without it a create or a refund without an answer stays unknown, and is
   * never repeated, until a person resolves it.
   */
  readonly findByOurs?: boolean
  /** Pushes can be withdrawn. Without it they stay payable until they end by themselves. */
  readonly cancel?: boolean
}

/** A provider. Calls that it cannot do are left out, and `can` says so. */
export type ProviderDefinition = { readonly [Name in Exclude<Call, Findable | "cancel">]: PlainCall<Name> } & {
  readonly [Name in Findable | "cancel"]?: PlainCall<Name>
} & {
  /** For people, in logs and pages. */
  readonly name: string
  /** Everything that is not denied. */
  readonly can?: Abilities
  /** Time of one call, in milliseconds; see `Deadline`. */
  readonly timeoutMs?: number
}

/** Answers of plain providers. */
export const outcome = {
  accepted: <Value>(value: Value): Answer<Value> => Answer.Accepted({ value }),
  refused,
  unknown: Answer.Unknown({ reason: "unreadable" }) satisfies Answer<never>,
  sessionLost: Answer.SessionLost() satisfies Answer<never>,
  throttled: (retryAfterMs: number): Answer<never> => Answer.Throttled({ retryAfterMs })
}

/** The port over the definition. Throws if a call is missing that it does not deny. */
export const defineProvider = (given: ProviderDefinition): Layer.Layer<PaymentProvider> => {
  const { name, can = {}, timeoutMs } = given
  const needed = [
    ...(can.findByOurs === false ? [] : (["stateByOurs", "refundState"] as const)),
    ...(can.cancel === false ? [] : (["cancel"] as const))
  ]
  const missing = needed.find((call) => given[call] === undefined)
  if (missing !== undefined) {
    const flag = missing === "cancel" ? "cancel" : "findByOurs"
    throw new TypeError(`The provider ${name} lacks ${missing}: write it, or say can: { ${flag}: false }`)
  }
  return Layer.succeed(PaymentProvider, { name, ...Deadline.within(callsOf(given), timeoutMs) })
}

const callsOf = (given: ProviderDefinition): Calls => {
  const { can = {}, stateByOurs, refundState, cancel } = given
  const finds = can.findByOurs !== false
  const text = Redacted.value
  const as = <Request extends { readonly session: Redacted.Redacted<string> }>(request: Request) => ({
    ...request,
    session: text(request.session)
  })
  return {
    createQr: (request) => promised((options) => given.createQr(as(request), options)),
    createPush: (request) => promised((options) => given.createPush(as(request), options)),
    stateByReference: (request) => promised((options) => given.stateByReference(as(request), options)),
    stateByOurs: (request) =>
      finds && stateByOurs ? promised((options) => stateByOurs(as(request), options)) : cannotTell,
    cancel: (request) =>
      can.cancel !== false && cancel
        ? promised((options) => cancel(as(request), options))
        : Effect.succeed(refused("other", { detail: "the provider withdraws nothing" })),
    refund: (request) => promised((options) => given.refund(as(request), options)),
    refundState: (request) =>
      finds && refundState ? promised((options) => refundState(as(request), options)) : cannotTell,
    initLogin: () => promised((options) => given.initLogin(undefined, options)),
    sendPhone: (request) => promised((options) => given.sendPhone(request, options)),
    verifyOtp: ({ processId, otp }) =>
      Effect.map(
        promised((options) => given.verifyOtp({ processId, otp: text(otp) }, options)),
        (answer) => map(answer, Redacted.make)
      ),
    checkSession: (session) => promised((options) => given.checkSession(text(session), options))
  }
}

const cannotTell = Effect.succeed(outcome.unknown)

const promised = <A>(call: (options: CallOptions) => Promise<Answer<A>>): Effect.Effect<Answer<A>> =>
  Effect.tryPromise({ try: (signal) => call({ signal }), catch: (error) => error }).pipe(
    Effect.catch((error) =>
      Effect.as(Effect.logWarning("Provider: no answer", error), Answer.Unknown({ reason: "connection" }))
    )
  )
