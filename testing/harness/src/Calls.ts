/**
 * What the HTTP servers of this process really answered, and in which test: a line of JSON each in a file of the folder
 * that `TOLEM_TEST_CALLS` names. Servers are watched, not clients, so that it does not matter who calls.
 */
import { subscribe } from "node:diagnostics_channel"
import { appendFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"

/** A test by its file, from the root of the repository, and its whole name. */
export interface TestName {
  readonly file: string
  readonly name: string
}

/** A request that a test's server answered. `code` is null unless it was refused with one. */
export interface RecordedCall extends TestName {
  readonly method: string
  /** Ids are `:id`; without a query. */
  readonly path: string
  readonly status: number
  readonly code: string | null
}

type Listener = (call: Omit<RecordedCall, "file" | "name">) => void

let listener: Listener = () => {}

/** Tells of an answer that did not pass through Node's HTTP server, because the request was not good enough for it. */
export const noteRefusal = (status: number, body: string): void =>
  listener({ method: "", path: "", status, code: codeIn(body) })

const codeIn = (body: unknown): string | null => {
  const text = typeof body === "string" ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : ""
  return /^\{"error":"([a-z_]+)"/.exec(text)?.[1] ?? null
}

/** Records from now on, for as long as the process lives. `current` tells which test runs. */
export const recordCalls = (folder: string, current: () => TestName | undefined): void => {
  const known = new Set<string>()
  const file = join(folder, `${process.pid}.jsonl`)
  listener = (call) => {
    const test = current()
    if (test === undefined) return
    const line = `${JSON.stringify({ ...call, ...test })}\n`
    if (known.has(line)) return
    known.add(line)
    appendFileSync(file, line)
  }
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse }
    const { end } = response
    response.end = (...args: Array<unknown>) => {
      const path = (request.url ?? "").replace(/[?#].*$/s, "").replaceAll(/[a-z]+_[0-9a-z]{20,}/g, ":id")
      const { statusCode: status } = response
      listener({ method: request.method ?? "", path, status, code: status < 400 ? null : codeIn(args[0]) })
      return Reflect.apply(end, response, args)
    }
  })
}
