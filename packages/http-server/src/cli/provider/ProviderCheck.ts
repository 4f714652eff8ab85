/** Holds a provider over HTTP to the protocol and to the suite of providers, case by case. */
import { type Abilities, complete } from "@tolem/core/provider/Abilities"
import type { Answer } from "@tolem/core/provider/Answer"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { exchange, jsonOf } from "@tolem/provider-sandbox/Exchange"
import * as HttpProvider from "@tolem/provider-sandbox/HttpProvider"
import * as Protocol from "@tolem/provider-sandbox/Protocol"
import * as Wire from "@tolem/provider-sandbox/Wire"
import { expectEqual } from "@tolem/testing/Expectation"
import { type ControlPart, ProviderControl, whyNot } from "@tolem/testing/provider/ProviderCase"
import { allProviderCases } from "@tolem/testing/provider/ProviderSuite"
import { Cause, Effect, Layer, Logger, Option, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as TroubledClient from "./TroubledClient.ts"

/** What is checked, and how. */
export interface Options {
  readonly url: string
  readonly secret: Redacted.Redacted | undefined
  /** Time of one call, in milliseconds. */
  readonly timeoutMs: number
}

/** What became of a case; `why` it was skipped, or what is broken. */
export interface Outcome {
  readonly name: string
  readonly outcome: "kept" | "broken" | "skipped"
  readonly why: string | null
}

/** What a check has found. */
export interface Report {
  readonly can: Required<Abilities>
  readonly outcomes: ReadonlyArray<Outcome>
}

/** What can be tried, or why nothing can. */
export const check = Effect.fnUntraced(function* (options: Options) {
  const sound = yield* HttpClient.HttpClient
  const url = options.url.replace(/\/+$/, "")
  const { secret } = options
  const known = HttpClient.mapRequest(sound, (request) =>
    secret === undefined ? request : HttpClientRequest.setHeader(request, Protocol.secretHeader, Redacted.value(secret))
  )
  const described = yield* HttpProvider.describe(known, url)
  if (described._tag !== "Accepted") return `GET ${url}/v1 does not answer as the protocol has it: ${short(described)}.`
  const steered = yield* exchange(known, HttpClientRequest.get(`${url}/control`), Wire.Controls, (said) => said)
  if (steered._tag !== "Accepted") return `GET ${url}/control does not answer as a check needs it: ${short(steered)}.`

  const can = complete(described.value.can)
  const { client, trouble } = TroubledClient.make(sound)
  const provider = HttpProvider.make({ url, secret, timeoutMs: options.timeoutMs }).pipe(
    Effect.provideService(HttpClient.HttpClient, client)
  )
  const control = controlOf(known, url, steered.value, trouble)
  const services = Layer.mergeAll(
    Layer.effect(PaymentProvider, provider),
    Layer.succeed(ProviderControl, control),
    Logger.layer([])
  )
  const lacking = parts.filter((part) => !steered.value.parts.includes(part))
  const suite = Effect.forEach(allProviderCases, (one) => {
    const why = whyNot(one, can, lacking)
    return why === null
      ? judged(one.name, Effect.provide(one.run, services))
      : Effect.succeed<Outcome>({ name: one.name, outcome: "skipped", why })
  })
  const outcomes = [...(yield* protocolCases(sound, known, url, secret)), ...(yield* suite)]
  return { can, outcomes } satisfies Report
})

const parts = ["refundOutside", "loseSessions", "passTime"] as const satisfies ReadonlyArray<ControlPart>

const short = (answer: Answer<unknown>): string =>
  answer._tag === "Refused" ? (answer.detail ?? answer.code) : answer._tag === "Unknown" ? answer.reason : answer._tag

/** Longer than a case lasts in which a call is waited for until its deadline; then the provider hangs. */
const caseMs = 120_000

const judged = <E>(name: string, run: Effect.Effect<void, E>): Effect.Effect<Outcome> =>
  Effect.matchCause(Effect.timeout(run, caseMs), {
    onSuccess: () => ({ name, outcome: "kept" as const, why: null }),
    onFailure: (cause) => {
      const error = Cause.squash(cause)
      return { name, outcome: "broken" as const, why: error instanceof Error ? error.message : String(error) }
    }
  })

const controlOf = (
  client: HttpClient.HttpClient,
  url: string,
  { cashiers, codes }: typeof Wire.Controls.Type,
  trouble: TroubledClient.TroubledClient["trouble"]
): ProviderControl["Service"] => {
  const steer = (path: string, body: object = {}) => {
    const request = HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(`${url}/control${path}`), body)
    return Effect.flatMap(Effect.orDie(client.execute(request)), ({ status }) =>
      status === 200 ? Effect.void : Effect.die(new Error(`POST /control${path} answers ${status}`))
    )
  }
  return {
    cashiers,
    codes,
    // Real time is not moved: what ends at a deadline is waited for.
    deadlineMs: 0,
    act: (reference, does) => steer(`/payments/${encodeURIComponent(reference)}/${does}`),
    refundOutside: (reference, amount) => steer(`/payments/${encodeURIComponent(reference)}/refund`, { amount }),
    loseSessions: steer("/sessions/lose"),
    trouble: (call, what) => Effect.sync(() => trouble(call, what)),
    passTime: (ms) => (ms === 0 ? Effect.void : steer("/clock", { advanceMs: ms }))
  }
}

/** What the protocol says beside what its calls come to. */
const protocolCases = (
  stranger: HttpClient.HttpClient,
  known: HttpClient.HttpClient,
  url: string,
  secret: Redacted.Redacted | undefined
): Effect.Effect<ReadonlyArray<Outcome>> => {
  const name = (what: string) => `the protocol ${what}`
  const login = HttpClientRequest.post(`${url}/v1/login`)
  const wrong = HttpClientRequest.setHeader(login, Protocol.secretHeader, "x".repeat(32))
  const refusal = Effect.fnUntraced(function* (
    client: HttpClient.HttpClient,
    request: HttpClientRequest.HttpClientRequest
  ) {
    const response = yield* client.execute(request)
    const body = Option.getOrUndefined(yield* Effect.option(jsonOf(response)))
    const decoded = Schema.decodeUnknownOption(Wire.Refusal)(body)
    return `${response.status} ${decoded._tag === "Some" ? decoded.value.error : "without a refusal"}`
  })
  const unreadable = HttpClientRequest.bodyText(HttpClientRequest.post(`${url}/v1/login/phone`), "{")
  return Effect.all([
    secret === undefined
      ? Effect.succeed<Outcome>({ name: name("keeps strangers out"), outcome: "skipped", why: "there is no secret" })
      : judged(
          name("keeps strangers out"),
          Effect.gen(function* () {
            for (const request of [login, wrong]) {
              expectEqual(yield* refusal(stranger, request), "401 secret_rejected", "without the secret")
            }
          })
        ),
    judged(
      name("refuses what cannot be understood"),
      Effect.map(refusal(known, unreadable), (seen) => expectEqual(seen, "422 invalid", "a body that is no JSON"))
    )
  ])
}
