/** The service of kaspi-pos-automation over HTTP: one request a call, and what its statuses mean. */
import { outcome } from "@tolem/core"

/** What requests of a cashier carry; kept as one text. */
interface Session {
  readonly tokenSN: string
  readonly vtokenSecret: string
  readonly profileId: number | null
}

/** A session as one text. */
export const sessionText = (session: Session): string => JSON.stringify(session)

/** A JSON object as the service answers it. */
export type Body = Readonly<Record<string, unknown>>

/** What a request came to: a body, or an outcome that says why there is none. */
export type Exchange =
  | { readonly body: Body }
  | { readonly none: typeof outcome.unknown | typeof outcome.sessionLost | ReturnType<typeof outcome.throttled> }
  /** 400: a parameter is missing, or of a process that it does not know. */
  | { readonly wrong: true }

/** A request. A body makes it a POST. */
export interface Asked {
  readonly path: string
  readonly body?: object
  /** Text of the session; the login has none. */
  readonly session?: string
  readonly signal: AbortSignal
}

/** Asks the service at `url`. Rejected if no JSON comes back: it may have been done then. */
export const ask = async (url: string, { path, body, session, signal }: Asked): Promise<Exchange> => {
  const headers = session === undefined ? {} : headersOf(session)
  if (headers === undefined) return { none: outcome.sessionLost }
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}`, {
    ...init,
    headers: { ...headers, "content-type": "application/json" },
    // Elsewhere the session would be given to others, and a refund might be asked for twice.
    redirect: "manual",
    signal
  })
  const { status } = response
  if (status === 401) return { none: outcome.sessionLost }
  // Not the service itself, but what may stand before it.
  if (status === 429) return { none: outcome.throttled(1000 * (Number(response.headers.get("retry-after")) || 1)) }
  if (status === 400) return { wrong: true }
  if (status !== 200) return { none: outcome.unknown }
  const answer: unknown = JSON.parse(await textOf(response))
  return isBody(answer) ? { body: answer } : { none: outcome.unknown }
}

const maxBytes = 256 * 1024

/** The body as text. Rejected if it is longer than any answer of the service. */
const textOf = async (response: Response): Promise<string> => {
  const parts: Array<Uint8Array> = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > maxBytes) throw new Error(`an answer of more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString("utf8")
}

/** Kaspi's own answer within a body: `StatusCode` 0, and data. Undefined if Kaspi has refused. */
export const dataOf = (body: Body): Body | undefined =>
  body["StatusCode"] === 0 ? (isBody(body["Data"]) ? body["Data"] : {}) : undefined

const isBody = (value: unknown): value is Body => typeof value === "object" && value !== null && !Array.isArray(value)

/** The headers of a session; undefined of a text that is none. */
const headersOf = (text: string): Readonly<Record<string, string>> | undefined => {
  try {
    const { tokenSN, vtokenSecret, profileId }: Partial<Session> = JSON.parse(text)
    if (typeof tokenSN !== "string" || typeof vtokenSecret !== "string") return undefined
    const known = { "x-token-sn": tokenSN, "x-vtoken-secret": vtokenSecret }
    return typeof profileId === "number" ? { ...known, "x-profile-id": String(profileId) } : known
  } catch {
    return undefined
  }
}
