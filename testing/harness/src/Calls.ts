/**
 * What the HTTP servers of this process really answered, and in which test: a line of JSON each in a file of the folder
 * that `TOLEM_TEST_CALLS` names. Servers are watched, not clients, so that it does not matter who calls.
 */
import { subscribe } from "node:diagnostics_channel"
import { appendFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { complaintOf } from "./Answers.ts"

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

/** An answer that is not as the OpenAPI document says. */
export interface WrongAnswer extends TestName {
  readonly complaint: string
}

/** The tests of a process that run now: several, if they are concurrent. */
export class RunningTests {
  readonly #tests = new Map<string, TestName>()

  begin(id: string, test: TestName): void {
    this.#tests.set(id, test)
  }

  end(id: string): void {
    this.#tests.delete(id)
  }

  /** The one that began last: concurrent ones are of one file, which is all that is asked of them. */
  current(): TestName | undefined {
    return [...this.#tests.values()].at(-1)
  }
}

type Listener = (call: Omit<RecordedCall, "file" | "name">) => void

let listener: Listener = () => {}

/** Tells of an answer that did not pass through Node's HTTP server, because the request was not good enough for it. */
export const noteRefusal = (status: number, body: string): void =>
  listener({ method: "", path: "", status, code: codeIn(body) })

const codeIn = (body: unknown): string | null => /^\{"error":"([a-z_]+)"/.exec(textOf(body))?.[1] ?? null

const textOf = (body: unknown): string =>
  typeof body === "string" ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : ""

/** What was sent, before it was compressed. */
const unpacked = (response: ServerResponse & Sent, body: unknown): unknown => {
  const encoding = headerOf(response, "content-encoding")
  if (encoding === undefined || !(body instanceof Uint8Array)) return body
  return encoding === "br" ? brotliDecompressSync(body) : gunzipSync(body)
}

/** What Node has not typed: the head, once it was written. */
interface Sent {
  readonly _header?: string
}

const headerOf = (response: ServerResponse & Sent, name: string): string | undefined =>
  response.getHeader(name)?.toString() ?? new RegExp(`^${name}: *(.*?)\r?$`, "im").exec(response._header ?? "")?.[1]

/** Whether the service answers: tests have servers of others too, which do not name requests. */
const isOurs = (response: ServerResponse): boolean => headerOf(response, "x-request-id") !== undefined

/**
 * Records from now on, for as long as the process lives, and holds each answer against the OpenAPI document. What is
 * not as it says goes into a file of its own. `current` tells which test runs.
 */
export const recordCalls = (folder: string, current: () => TestName | undefined): void => {
  const known = new Set<string>()
  const write = (kind: "calls" | "wrong", said: object) => {
    const test = current()
    if (test === undefined) return
    const line = `${JSON.stringify({ ...said, ...test })}\n`
    if (known.has(line)) return
    known.add(line)
    appendFileSync(join(folder, `${process.pid}.${kind}`), line)
  }
  listener = (call) => write("calls", call)
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse }
    const { end, write: send } = response
    const sent: Array<unknown> = []
    response.write = (...args: Array<unknown>) => {
      sent.push(args[0])
      return Reflect.apply(send, response, args)
    }
    response.end = (...args: Array<unknown>) => {
      const whole = (request.url ?? "").replace(/\?.*$/s, "").replace(/^\/api\/v1\/orders/, "/api/v1/invoices")
      const path = whole.replace(/#.*$/s, "").replaceAll(/[a-z]+_[0-9a-z]{20,}/g, ":id")
      const { statusCode: status } = response
      const { method = "" } = request
      listener({ method, path, status, code: status < 400 ? null : codeIn(args[0]) })
      const body = unpacked(response, sent.length === 0 ? args[0] : sent.map(textOf).join(""))
      const type = headerOf(response, "content-type") ?? ""
      const complaint = isOurs(response) ? complaintOf({ method, path: whole, status, type, body }) : undefined
      if (complaint !== undefined) write("wrong", { complaint })
      return Reflect.apply(end, response, args)
    }
  })
}
