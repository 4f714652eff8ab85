/** What a gateway is told. */
import type { Json } from "./Template.ts"

/** A gateway, and how it is called. */
export interface Gateway {
  /** By which people choose the channel, as `sms`. */
  readonly name: string
  /** An https address, with placeholders in its path and query if need be. Its host is fixed. */
  readonly url: string
  /** Default `POST`. */
  readonly method?: "GET" | "POST" | "PUT"
  /** Such as `authorization`; what is secret in them comes from the environment. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body as JSON, with placeholders in its texts. */
  readonly json?: Json
  /** The body as a form, in place of JSON. */
  readonly form?: Readonly<Record<string, string>>
  /** The message, with `{code}` in it. */
  readonly text: string
  /** What an answer, 2xx in any case, has to have in it to mean that the message was taken. */
  readonly accepted?: RegExp
  /** What an answer has in it that means the opposite. */
  readonly refused?: RegExp
  /** For the whole call, milliseconds. The engine waits for half a minute at most. */
  readonly timeoutMs?: number
  /** Of an answer more is not read. */
  readonly maxAnswerBytes?: number
  /** Networks and hosts of one's own in which the gateway may be, also over http, as `10.1.0.0/16`. */
  readonly privateNetworks?: ReadonlyArray<string>
  /** Is told why a code was not sent. The reason holds neither code nor phone nor address. */
  readonly onFailure?: (reason: string) => void
}
