/** A provider in plain promises: everything of the port for those who do not write Effect. */
import { Effect, Layer, Redacted } from "effect"
import { type Abilities, type Ability, complete } from "./Abilities.ts"
import { Answer, map, refused } from "./Answer.ts"
import * as Deadline from "./Deadline.ts"
import { guarded } from "./Guarded.ts"
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

/** Calls that a provider may lack, by the ability that they are. */
const optional = {
  stateByOurs: "findByOurs",
  refundState: "findRefunds",
  cancel: "cancel",
  createPush: "push",
  listOperations: "listOperations"
} as const satisfies Partial<Record<Call, Ability>>

type Optional = keyof typeof optional

/** A provider. Calls that it cannot do are left out, and `can` says so. */
export type ProviderDefinition = { readonly [Name in Exclude<Call, Optional>]: PlainCall<Name> } & {
  readonly [Name in Optional]?: PlainCall<Name>
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
  const said = complete(can)
  const missing = Object.entries(optional).find(
    ([call, ability]) => said[ability] && given[call as Optional] === undefined
  )
  if (missing !== undefined) {
    const [call, ability] = missing
    throw new TypeError(`The provider ${name} lacks ${call}: write it, or say can: { ${ability}: false }`)
  }
  const abilities = Effect.succeed(can)
  const calls = Deadline.within(guarded(callsOf(given), abilities), timeoutMs)
  return Layer.succeed(PaymentProvider, { name, can: abilities, ...calls })
}

const callsOf = (given: ProviderDefinition): Calls => {
  const text = Redacted.value
  const as = <Request extends { readonly session: Redacted.Redacted<string> }>(request: Request) => ({
    ...request,
    session: text(request.session)
  })
  // One that is not there is denied, and never made.
  const absent = async () => outcome.unknown
  const all = {
    createPush: absent,
    stateByOurs: absent,
    cancel: absent,
    refundState: absent,
    listOperations: absent,
    ...given
  }
  return {
    createQr: (request) => promised((options) => all.createQr(as(request), options)),
    createPush: (request) => promised((options) => all.createPush(as(request), options)),
    stateByReference: (request) => promised((options) => all.stateByReference(as(request), options)),
    stateByOurs: (request) => promised((options) => all.stateByOurs(as(request), options)),
    cancel: (request) => promised((options) => all.cancel(as(request), options)),
    refund: (request) => promised((options) => all.refund(as(request), options)),
    refundState: (request) => promised((options) => all.refundState(as(request), options)),
    listOperations: (request) => promised((options) => all.listOperations(as(request), options)),
    initLogin: () => promised((options) => all.initLogin(undefined, options)),
    sendPhone: (request) => promised((options) => all.sendPhone(request, options)),
    verifyOtp: ({ processId, otp }) =>
      Effect.map(
        promised((options) => all.verifyOtp({ processId, otp: text(otp) }, options)),
        (answer) => map(answer, Redacted.make)
      ),
    checkSession: (session) => promised((options) => all.checkSession(text(session), options))
  }
}

const promised = <A>(call: (options: CallOptions) => Promise<Answer<A>>): Effect.Effect<Answer<A>> =>
  Effect.tryPromise({ try: (signal) => call({ signal }), catch: (error) => error }).pipe(
    Effect.catch((error) =>
      Effect.as(Effect.logWarning("Provider: no answer", error), Answer.Unknown({ reason: "connection" }))
    )
  )
