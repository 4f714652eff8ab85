/** The port over the provider protocol: for providers that run as servers of their own, the sandbox among them. */
import { type Abilities, cautious } from "@tolem/core/provider/Abilities"
import { type Answer, refused } from "@tolem/core/provider/Answer"
import * as Deadline from "@tolem/core/provider/Deadline"
import { guarded } from "@tolem/core/provider/Guarded"
import { isPageOf } from "@tolem/core/provider/Operation"
import type { MadeRefund, Payment } from "@tolem/core/provider/Payment"
import { type Calls, PaymentProvider, type ProviderSession, type QrRequest } from "@tolem/core/provider/PaymentProvider"
import { Clock, Duration, Effect, Layer, Option, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { exchange } from "./Exchange.ts"
import * as Protocol from "./Protocol.ts"
import * as Wire from "./Wire.ts"

/** Where the provider is, and how long a call waits for it. */
export interface Options {
  /** Without a trailing slash. */
  readonly url: string
  /** What it knows us by; without one only we may reach it. */
  readonly secret?: Redacted.Redacted | undefined
  /** Time of one call, in milliseconds; see `Deadline`. */
  readonly timeoutMs?: number | undefined
}

/** The port over the provider at `options.url`. */
export const make = (options: Options): Effect.Effect<PaymentProvider["Service"], never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const url = options.url.replace(/\/+$/, "")
    const fault = Protocol.addressFault(url)
    if (fault !== undefined) yield* Effect.logWarning(`Provider: its address ${fault}`)
    const { secret } = options
    const known = (request: HttpClientRequest.HttpClientRequest) =>
      secret === undefined
        ? request
        : HttpClientRequest.setHeader(request, Protocol.secretHeader, Redacted.value(secret))
    const knowing = HttpClient.mapRequest(client, known)
    const can = abilities(describe(knowing, url))
    const calls = Deadline.within(guarded(callsOf(knowing, url), can), options.timeoutMs)
    return { name: URL.parse(url)?.host ?? url, can, ...calls }
  })

/** See `make`. */
export const layer = (options: Options): Layer.Layer<PaymentProvider, never, HttpClient.HttpClient> =>
  Layer.effect(PaymentProvider, make(options))

/** What the server says of itself. */
export const describe = (
  client: HttpClient.HttpClient,
  url: string
): Effect.Effect<Answer<typeof Wire.Description.Type>> =>
  exchange(client, HttpClientRequest.get(`${url}/v1`), Wire.Description, (said) =>
    said.versions.includes(Protocol.version) ? said : undefined
  )

/** How long what a provider can do is believed: it may be another program after an update. */
const believedMs = 600_000
/** A provider that does not say what it can do soon delays no call for it. */
const describedMs = 2000
/** How long it is not asked again after it has not said: each call would wait anew. */
const silentMs = 5000

/** What the provider can do, as it said last; before it has said anything, nothing that could make anything twice. */
const abilities = (described: Effect.Effect<Answer<typeof Wire.Description.Type>>): Effect.Effect<Abilities> => {
  let known: Abilities | undefined
  let until = 0
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now < until) return known ?? cautious
    const said = Option.getOrUndefined(yield* Effect.timeoutOption(described, Duration.millis(describedMs)))
    if (said?._tag === "Accepted") {
      known = said.value.can
      until = now + believedMs
    } else {
      until = now + silentMs
      yield* Effect.logWarning("Provider: it does not say what it can do", said)
    }
    return known ?? cautious
  })
}

const callsOf = (client: HttpClient.HttpClient, url: string): Calls => {
  const get = (path: string) => HttpClientRequest.get(`${url}${path}`)
  const post = (path: string, body: object = {}) =>
    HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(`${url}${path}`), body)
  const as = (session: ProviderSession, request: HttpClientRequest.HttpClientRequest) =>
    HttpClientRequest.bearerToken(request, Redacted.value(session))

  const payment = (request: HttpClientRequest.HttpClientRequest, fits: (payment: Payment) => boolean) =>
    exchange(client, request, Wire.PaymentBody, (body) => {
      const value = Wire.paymentOf(body)
      return value !== undefined && fits(value) ? value : undefined
    })
  const create = ({ session, ours, amount, description }: QrRequest, phone: string | null) =>
    payment(
      as(session, post("/v1/payments", { ours, amount, description, phone })),
      (made) => made.ours === ours && made.amount === amount && (made.links === null) === (phone !== null)
    )
  const refund = (request: HttpClientRequest.HttpClientRequest, fits: (made: MadeRefund) => boolean) =>
    exchange(client, request, Wire.Refund, (body) => {
      const value = Wire.wireRefundOf(body)
      return fits(value) ? value : undefined
    })
  const done = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<Answer<void>> =>
    Effect.map(
      exchange(client, request, Wire.Done, (body) => body),
      withoutValue
    )

  return {
    createQr: (request) => create(request, null),
    createPush: (request) => create(request, request.phone),
    stateByReference: ({ session, reference }) =>
      withKey(reference, (key) =>
        payment(as(session, get(`/v1/payments/${key}`)), (found) => found.reference === reference)
      ),
    stateByOurs: ({ session, ours }) =>
      withKey(ours, (key) => payment(as(session, get(`/v1/orders/${key}`)), (found) => found.ours === ours)),
    cancel: ({ session, reference }) =>
      withKey(reference, (key) =>
        payment(as(session, post(`/v1/payments/${key}/cancel`)), (found) => found.reference === reference)
      ),
    refund: ({ session, reference, ours, amount }) =>
      withKey(reference, (key) =>
        refund(
          as(session, post(`/v1/payments/${key}/refunds`, { ours, amount })),
          (made) => made.ours === ours && made.amount === amount
        )
      ),
    refundState: ({ session, ours }) =>
      withKey(ours, (key) => refund(as(session, get(`/v1/refunds/${key}`)), (made) => made.ours === ours)),
    listOperations: ({ session, ...asked }) => {
      const { from, until, limit, after } = asked
      const query = { from, until, limit, ...(after !== null && { after }) }
      const request = as(session, HttpClientRequest.setUrlParams(get("/v1/operations"), query))
      return exchange(client, request, Wire.Operations, (body) => {
        const page = Wire.operationPageOf(body)
        return isPageOf(page, asked) ? page : undefined
      })
    },
    initLogin: () => exchange(client, post("/v1/login"), Wire.LoginBegun, (process) => process),
    sendPhone: (login) => done(post("/v1/login/phone", login)),
    verifyOtp: ({ processId, otp }) =>
      exchange(
        client,
        post("/v1/login/code", { processId, code: Redacted.value(otp) }),
        Wire.LoggedIn,
        ({ session }): ProviderSession => Redacted.make(session)
      ),
    checkSession: (session) => done(as(session, get("/v1/session")))
  }
}

/** A key of a path. One that would name another path names nothing that there is. */
const withKey = <A>(key: string, call: (encoded: string) => Effect.Effect<Answer<A>>): Effect.Effect<Answer<A>> =>
  /^\.{0,2}$/.test(key) ? Effect.succeed(refused("not_found")) : call(encodeURIComponent(key))

const withoutValue = (answer: Answer<object>): Answer<void> =>
  answer._tag === "Accepted" ? { _tag: "Accepted", value: undefined } : answer
