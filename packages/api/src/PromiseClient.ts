/**
 * Typed clients for plain promises. They need `fetch` and nothing else; types and addresses come from the contract.
 *
 * Branch on the member `error` of a failure: it is stable. `message` is Kazakh text for people and may change.
 */
import type { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Api } from "./Api.ts"
import type { PanelApi } from "./PanelApi.ts"
import { panelRoutes, routes } from "./Routes.ts"

/** Where the service is and who calls. `baseUrl` has no path: the contract's paths begin with `/api/v1`. */
export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: string
  /** Takes the place of the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** Where the service is, and whose session calls if no browser sends its cookie. */
export interface PanelOptions {
  readonly baseUrl: string
  readonly token?: string
  /** Takes the place of the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** What methods reject with. `error` is a code of the catalogue, or `unreachable`: the service gave no answer. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly error: string
  /** HTTP status; null if no answer came. */
  readonly status: number | null
  /** How long to wait, if the service said so. */
  readonly retryAfterSeconds: number | null
  /** Names the request in the service's logs. */
  readonly requestId: string | null

  constructor(
    error: string,
    message: string,
    answer: Pick<ApiError, "status" | "retryAfterSeconds" | "requestId">,
    options?: ErrorOptions
  ) {
    super(message, options)
    this.error = error
    this.status = answer.status
    this.retryAfterSeconds = answer.retryAfterSeconds
    this.requestId = answer.requestId
  }
}

/**
 * The client: `await client.invoices.create({ payload: { amount: 1500 } })`. Parts of a request that may be empty may
 * be left out; `signal` gives a call up. Its methods reject with `ApiError`.
 */
export const makePromise = ({ apiKey, ...rest }: ClientOptions): PromiseClient =>
  methodsOf<PromiseClient>(routes, { ...rest, identity: { "x-api-key": apiKey } })

/**
 * The same for the cabinet's calls. In a page of the service's own origin the browser sends the cookie of the session
 * by itself; elsewhere the token is given.
 */
export const makePanel = ({ token, ...rest }: PanelOptions): PanelClient =>
  methodsOf<PanelClient>(panelRoutes, {
    ...rest,
    identity: token === undefined ? {} : { authorization: `Bearer ${token}` }
  })

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
  Part<"payload", Exclude<Endpoint["~Payload"]["Type"], void>> & { readonly signal?: AbortSignal }

type Call<Request, Success> = object extends Request
  ? (request?: Request) => Promise<Success>
  : (request: Request) => Promise<Success>

type Texts = Readonly<Record<string, string>>
type Values = Readonly<Record<string, unknown>>

interface Target {
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  readonly identity: Texts
}

interface AnyRequest {
  readonly params?: Texts
  readonly query?: Values
  readonly headers?: Values
  readonly payload?: unknown
  readonly signal?: AbortSignal
}

const methodsOf = <Client>(groups: RoutesOf<Client>, target: Target): Client => {
  const methods = mapValues(groups, (group: Texts) =>
    mapValues(group, (route) => {
      const [method = "GET", path = "/"] = route.split(" ")
      return (request: AnyRequest = {}) => send(target, method, path, request)
    })
  )
  return methods as Client
}

/** For each method of a client its HTTP method and path. A missing or an unknown one does not compile. */
type RoutesOf<Client> = { readonly [Group in keyof Client]: { readonly [Name in keyof Client[Group]]: string } }

const send = async (target: Target, method: string, path: string, request: AnyRequest): Promise<unknown> => {
  const { params = {}, query = {}, headers = {}, payload, signal } = request
  const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  const search = new URLSearchParams(pairsOf(query)).toString()
  const url = `${target.baseUrl.replace(/\/+$/, "")}${address}${search === "" ? "" : `?${search}`}`
  const body = payload === undefined ? undefined : JSON.stringify(payload)
  const response = await (target.fetch ?? fetch)(url, {
    method,
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...Object.fromEntries(pairsOf(headers)),
      ...target.identity
    },
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal })
  }).catch((cause: unknown) => {
    throw new ApiError("unreachable", cause instanceof Error ? cause.message : String(cause), nothing, { cause })
  })
  return answerOf(response)
}

const nothing = { status: null, retryAfterSeconds: null, requestId: null }

const answerOf = async (response: Response): Promise<unknown> => {
  const { ok, status, headers } = response
  const body = await response
    .text()
    .then((text): unknown => (text === "" ? undefined : JSON.parse(text)))
    .catch(() => unreadable)
  if (ok && body !== unreadable) return body
  const { error, message } = (typeof body === "object" && body !== null ? body : {}) as Values
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN)
  throw new ApiError(
    typeof error === "string" ? error : "unreachable",
    typeof message === "string" ? message : `HTTP ${status}`,
    {
      status,
      retryAfterSeconds: Number.isInteger(retryAfter) ? retryAfter : null,
      requestId: headers.get("x-request-id")
    }
  )
}

/** Stands for a body that is no JSON. */
const unreadable = Symbol("unreadable")

/** Names with their texts: an array is a name that comes several times, what is not given is left out. */
const pairsOf = (values: Values): Array<[string, string]> =>
  Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined && each !== null)
      .map((each): [string, string] => [name, String(each)])
  )

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]))
