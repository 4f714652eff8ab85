/** Port: sends one request to an address that a merchant chose, so to a possibly hostile one. */
import { Context, Data, type Effect } from "effect"
import type { Mode } from "../../value/Mode.ts"

/** A request to be sent by POST. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Decides which addresses may be connected to, see `AddressPolicy`. */
  readonly mode: Mode
  /** Time for everything, from looking up the name to the last byte read. */
  readonly timeoutMs: number
  /** Bytes of the answer's body that are read; then the connection is closed, and the answer counts as whole. */
  readonly maxResponseBytes: number
}

/** An answer of any status. */
export interface WebhookResponse {
  readonly status: number
  /** The first bytes of the body, as text; null if it came from an address whose answers are not kept. */
  readonly body: string | null
  readonly durationMs: number
}

/**
 * Why there was no whole answer. `timeout`: not within the time. `refused_address`: the endpoint is where no endpoint
 * may be; nothing was sent. `name`: its name could not be resolved. `tls`: its certificate is not to be trusted, or it
 * does not speak TLS. `connection`: refused, unreachable or cut. `protocol`: what came was no HTTP.
 */
export type SendFailureReason = "timeout" | "refused_address" | "name" | "tls" | "connection" | "protocol"

/** No whole answer came. What had come of one until then is kept for the log. */
export class SendFailure extends Data.TaggedError("SendFailure")<{
  readonly reason: SendFailureReason
  readonly durationMs: number
  readonly status: number | null
  readonly body: string | null
}> {}

/** Sends one request to a receiver and answers what came of it. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * Sends the request and reads the answer. Follows no redirect. Ends within `timeoutMs`, whatever the receiver does,
     * and keeps no more than `maxResponseBytes` of what it says.
     */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResponse, SendFailure>
    /** Whether `send` can be relied on to end in time. Otherwise it is watched, which costs two fibers a request. */
    readonly keepsTime?: boolean
  }
>()("@tolem/core/WebhookSender") {}
