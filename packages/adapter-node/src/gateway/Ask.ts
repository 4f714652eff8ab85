/**
 * One call of a gateway: no redirect, one deadline for everything, a bounded part of the answer, and only addresses
 * that are allowed. The name is looked up once, and what was checked is what is connected to.
 */
import { lookup } from "node:dns"
import { request as http, type IncomingMessage } from "node:http"
import { request as https } from "node:https"
import type { LookupFunction } from "node:net"
import { type AddressRules, addressOf, standard } from "@tolem/core/webhook/sending/AddressPolicy"

/** What is asked. */
export interface Question {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly rules: AddressRules
}

/** The gateway is at an address that is not allowed. */
class Forbidden extends Error {}

/** The answer, or why there is none. Neither repeats what was sent. Never rejects. */
export const ask = async (
  { url, method, headers, body, rules }: Question,
  { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number }
): Promise<{ readonly status: number; readonly text: string } | string> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const send = url.startsWith("https:") ? https : http
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, headers, signal, agent: false, lookup: within(new URL(url), rules) }
      send(url, options, resolve).on("error", reject).end(body)
    })
    const parts: Array<Buffer> = []
    let size = 0
    for await (const part of response) {
      parts.push(part)
      size += part.length
      // Leaving the loop closes the connection.
      if (size >= maxBytes) break
    }
    const text = Buffer.concat(parts).subarray(0, maxBytes).toString()
    return { status: response.statusCode ?? 0, text }
  } catch (error) {
    if (signal.aborted) return `no answer within ${timeoutMs} ms`
    if (error instanceof Forbidden) return "is at an address that is not allowed"
    return `no connection (${error instanceof Error && "code" in error ? error.code : "broken"})`
  }
}

const within =
  ({ hostname, protocol }: URL, rules: AddressRules): LookupFunction =>
  (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      const isAllowed = ({ address }: { readonly address: string }) => {
        const parsed = addressOf(address)
        const verdict = parsed && standard(parsed, { mode: "live", host: hostname }, rules)
        return verdict === "inner" || (verdict === "open" && protocol === "https:")
      }
      const [first] = found ?? []
      if (error !== null || first === undefined) return callback(error ?? new Forbidden(), "")
      // One bad answer spoils the name.
      if (!found.every(isAllowed)) return callback(new Forbidden(), "")
      if (options.all === true) callback(null, found)
      else callback(null, first.address, first.family)
    })
