/** Calls the server. */
import { serverPath } from "../browser/Place.ts"
import type { Answer, Call, Request } from "./Contract.ts"
import { exactText, readExact } from "./ExactJson.ts"

/** The server refused, or could not be reached: `offline`. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  /** How long to wait before the same is asked again, if the server says so. */
  readonly retryAfterSeconds: number | null

  constructor(code: string, status: number, retryAfterSeconds: number | null) {
    super(code)
    this.name = "Refusal"
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** What may be told beside what the contract names. */
export interface Asking {
  readonly signal?: AbortSignal
  /** Makes a repetition of the same harmless: the server does it once. */
  readonly idempotencyKey?: string
}

interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly body?: unknown
}

/** The address of a call. */
const addressOf = (path: string, { params = {}, query = {} }: Given): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "")
  const text = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString()
  return `${serverPath}${filled}${text === "" ? "" : `?${text}`}`
}

/** The address of a call that a link leads to, as of a file. */
export const linkOf = <C extends Call>(call: C, given: Request<C>): string =>
  addressOf(call.split(" ")[1] ?? "", given as Given)

/** Calls the server once; a session that is over is refused with `unauthorized`. Rejects with a `Refusal`. */
export const callOnce = async <C extends Call>(
  call: C,
  given: Request<C>,
  { signal, idempotencyKey }: Asking = {}
): Promise<Answer<C>> => {
  const response = await answered(call, given as Given, { signal, idempotencyKey })
  const answer: unknown = response.status === 204 ? undefined : await held(response)
  if (!response.ok) throw refusalOf(response, answer)
  return answer as Answer<C>
}

/** Calls the server once for a file. Rejects with a `Refusal`. */
export const callFile = async <C extends Call>(call: C, given: Request<C>): Promise<Blob> => {
  const response = await answered(call, given as Given, {})
  if (!response.ok) throw refusalOf(response, await held(response))
  return response.blob()
}

interface Sending {
  readonly signal?: AbortSignal | undefined
  readonly idempotencyKey?: string | undefined
}

const answered = (call: string, parts: Given, { signal, idempotencyKey }: Sending): Promise<Response> => {
  const [method = "GET", path = ""] = call.split(" ")
  const isChange = method !== "GET"
  return reached(addressOf(path, parts), {
    method,
    credentials: "same-origin",
    ...(signal !== undefined && { signal }),
    ...(isChange && {
      headers: {
        "content-type": "application/json",
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey })
      }
    }),
    ...(isChange && parts.body !== undefined && { body: exactText(parts.body) })
  })
}

// Only what merchants keep of their own has numbers that a browser would change.
const isOwn = (text: string): boolean => text.includes('"metadata":{')

/** Undefined: nothing that could be read. */
const held = async (response: Response): Promise<unknown> => {
  try {
    const text = await response.text()
    return isOwn(text) ? readExact(text) : JSON.parse(text)
  } catch {
    return
  }
}

const reached = async (url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init)
  } catch (failure) {
    if (init.signal?.aborted === true) throw failure
    throw new Refusal("offline", 0, null)
  }
}

const refusalOf = (response: Response, answer: unknown): Refusal => {
  const said: { readonly error?: unknown; readonly retryAfterSeconds?: unknown } =
    typeof answer === "object" && answer !== null ? answer : {}
  const code = typeof said.error === "string" ? said.error : "service_unavailable"
  const wait =
    typeof said.retryAfterSeconds === "number" ? said.retryAfterSeconds : Number(response.headers.get("retry-after"))
  return new Refusal(code, response.status, wait > 0 ? wait : null)
}
