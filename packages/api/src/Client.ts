/**
 * Typed clients, both derived from the contract: nothing here lists an endpoint.
 *
 * Branch on the member `error` of a failure: it is stable. `message` is Kazakh text for people and may change.
 */
import { Data, Effect, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"
import { PanelApi } from "./PanelApi.ts"

/** Where the service is and who calls. `baseUrl` has no path: the contract's paths begin with `/api/v1`. */
export interface Options {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted | string
}

/**
 * The client for Effect: `client.invoices.create({ headers: {}, payload: { amount: 1500 } })`. Its failures are the
 * contract's errors, each with its code in `error`, and those of the transport.
 */
export const make = (options: Options) =>
  HttpApiClient.make(Api, {
    baseUrl: options.baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", keyOf(options)))
  })

/** What the client's methods reject with. `error` is a code of the catalogue, or `unreachable`: no answer came. */
export class ApiError extends Data.Error<{
  readonly error: string
  readonly message: string
  /** HTTP status; null if no answer came. */
  readonly status: number | null
  /** How long to wait, if the service said so. */
  readonly retryAfterSeconds: number | null
  /** Names the request in the service's logs. */
  readonly requestId: string | null
}> {
  override readonly name = "ApiError"
}

/**
 * The client for plain promises: `await client.invoices.create({ payload: { amount: 1500 } })`. Parts of a request that
 * may be empty may be left out. Its methods reject with `ApiError`.
 */
export const makePromise = (options: Options): PromiseClient => {
  const httpClient = HttpClient.mapRequest(fetching(), HttpClientRequest.setHeader("x-api-key", keyOf(options)))
  const client: AnyClient = Effect.runSync(HttpApiClient.makeWith(Api, { baseUrl: options.baseUrl, httpClient }))
  return promises(client) as PromiseClient
}

/**
 * The same for the cabinet's calls. In a page of the service's own origin the browser sends the cookie of the session
 * by itself; elsewhere the token is given.
 */
export const makePanel = ({ baseUrl, token }: PanelOptions): PanelClient => {
  const httpClient =
    token === undefined ? fetching() : HttpClient.mapRequest(fetching(), HttpClientRequest.bearerToken(token))
  const client: AnyClient = Effect.runSync(HttpApiClient.makeWith(PanelApi, { baseUrl, httpClient }))
  return promises(client) as PanelClient
}

/** Where the service is, and whose session calls if no browser sends its cookie. */
export interface PanelOptions {
  readonly baseUrl: string
  readonly token?: Redacted.Redacted | string
}

const promises = (client: AnyClient) => mapValues(client, (group) => mapValues(group, (method) => promised(method)))

type Groups<A> = A extends HttpApi.HttpApi<infer _Id, infer G extends HttpApiGroup.Constraint> ? G : never

type Methods<A> = {
  readonly [Group in Groups<A> as Group["identifier"]]: {
    readonly [Name in keyof Group["endpoints"]]: Method<Group["endpoints"][Name]>
  }
}

/** Every endpoint of the contract as a method that answers a promise. */
export interface PromiseClient extends Methods<typeof Api> {}

/** Every call of the cabinet as a method that answers a promise. */
export interface PanelClient extends Methods<typeof PanelApi> {}

type Method<Endpoint> = Endpoint extends HttpApiEndpoint.ConstraintRequest
  ? Call<RequestOf<Endpoint>, HttpApiClient.SuccessType<Endpoint["~Success"]>>
  : never

type Part<Name extends string, Value> = [Value] extends [never]
  ? object
  : object extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }

type RequestOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Part<"params", Endpoint["~Params"]["Type"]> &
  Part<"query", Endpoint["~Query"]["Type"]> &
  Part<"headers", Endpoint["~Headers"]["Type"]> &
  Part<"payload", Exclude<Endpoint["~Payload"]["Type"], void>>

type Call<Request, Success> = object extends Request
  ? (request?: Request) => Promise<Success>
  : (request: Request) => Promise<Success>

type AnyCall = (request: never) => Effect.Effect<unknown, unknown>
type AnyClient = Readonly<Record<string, Readonly<Record<string, AnyCall>>>>

const promised =
  (call: AnyCall) =>
  (request?: object): Promise<unknown> =>
    Effect.runPromise(
      Effect.mapError(call({ query: {}, headers: {}, payload: {}, ...request } as never), (cause) =>
        cause instanceof ApiError ? cause : unreachable(cause)
      )
    )

const keyOf = ({ apiKey }: Options) => (typeof apiKey === "string" ? apiKey : Redacted.value(apiKey))

/** Answers of 400 and above become an `ApiError`, known to the contract or not. */
const refuseErrors = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  if (response.status < 400) return response
  const body: unknown = yield* Effect.orElseSucceed(response.json, () => null)
  const { error, message } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>
  const retryAfter = Number(response.headers["retry-after"])
  return yield* new ApiError({
    error: typeof error === "string" ? error : "unreachable",
    message: typeof message === "string" ? message : `HTTP ${response.status}`,
    status: response.status,
    retryAfterSeconds: Number.isInteger(retryAfter) ? retryAfter : null,
    requestId: response.headers["x-request-id"] ?? null
  })
})

const fetching = () =>
  Effect.runSync(Effect.provide(HttpClient.HttpClient, FetchHttpClient.layer)).pipe(
    HttpClient.transformResponse(Effect.flatMap(refuseErrors))
  )

const unreachable = (cause: unknown): ApiError =>
  new ApiError({
    error: "unreachable",
    message: cause instanceof Error ? cause.message : String(cause),
    status: null,
    retryAfterSeconds: null,
    requestId: null
  })

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]))
