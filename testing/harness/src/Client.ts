/** A merchant's calls, as any HTTP client makes them. */

/** What may differ from a call that a key makes. */
export interface CallOptions {
  /** Default: `GET` without a body, `POST` with one. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** How long to wait for the answer; default: for ever. */
  readonly timeoutMs?: number
}

/** Calls the service at `url` with a key. Fails only if there is no answer. */
export const call = async (url: string, apiKey: string, path: string, body?: object, options: CallOptions = {}) => {
  const { method = body === undefined ? "GET" : "POST", headers, timeoutMs } = options
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs)
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
}
