/**
 * Sends webhooks over Undici to addresses that merchants chose, so to possibly hostile ones.
 *
 * Bounds: one deadline for look-up, connect, headers and body together; no redirect; a limited part of the answer; and
 * only addresses that the policy allows. Each attempt resolves the name, checks every address that it has, and connects
 * to one of those over a connection of its own: so a name cannot pass the check as one address and be connected to as
 * another, no attempt fails for a connection that an earlier one left behind, and none waits for another's.
 */
import * as Undici from "@effect/platform-node/Undici"
import { AddressPolicy } from "@tolem/core/webhook/AddressPolicy"
import {
  SendFailure,
  type SendFailureReason,
  type WebhookRequest,
  WebhookSender
} from "@tolem/core/webhook/WebhookSender"
import { Clock, Duration, Effect, Layer } from "effect"
import { Dns, type NetAddress } from "effect/net"
import { connectionTo } from "./NodeConnection.ts"
import { addressesOf } from "./ReceiverNames.ts"
import { reasonOf } from "./SendReasons.ts"

/** The sender. `Dns` resolves names; `AddressPolicy` says where names may lead. */
export const layer: Layer.Layer<WebhookSender, never, Dns.Dns> = Layer.effect(
  WebhookSender,
  Effect.suspend(() => make)
)

const maxHeaderBytes = 16 * 1024

/** What has come of an answer so far, kept for the log when the rest does not come. */
interface Heard {
  status: number | null
  readonly parts: Array<Uint8Array>
  left: number
}

const make = Effect.gen(function* () {
  const dns = yield* Dns.Dns
  const allowed = yield* AddressPolicy

  const attempt = Effect.fnUntraced(function* (request: WebhookRequest, heard: Heard) {
    const url = URL.parse(request.url)
    if (url === null) return yield* Effect.fail("refused_address" as const)
    const addresses = yield* addressesOf(dns, url.hostname, request.mode)
    if (addresses.length === 0) return yield* Effect.fail("name" as const)
    // One bad answer spoils the name: whoever mixes public and private addresses is probing.
    if (!addresses.every((address) => allowed(address, request.mode))) {
      return yield* Effect.fail("refused_address" as const)
    }
    yield* Effect.acquireUseRelease(
      Effect.sync(() => open(url, addresses)),
      ({ client }) => exchange(client, url, request, heard),
      ({ close }) => Effect.sync(close)
    )
  })

  const send = Effect.fnUntraced(function* (request: WebhookRequest) {
    const startedAt = yield* Clock.currentTimeMillis
    const heard: Heard = { status: null, parts: [], left: request.maxResponseBytes }
    const answer = Effect.map(Clock.currentTimeMillis, (now) => ({
      status: heard.status,
      body: heard.status === null ? null : new TextDecoder().decode(Buffer.concat(heard.parts)),
      durationMs: now - startedAt
    }))
    yield* attempt(request, heard).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(request.timeoutMs),
        orElse: () => Effect.fail("timeout" as const)
      }),
      Effect.catch((reason: SendFailureReason) =>
        Effect.flatMap(answer, (sofar) => Effect.fail(new SendFailure({ reason, ...sofar })))
      )
    )
    const { status, body, durationMs } = yield* answer
    return { status: status ?? 0, body: body ?? "", durationMs }
  })

  return { send }
})

/** A client of one connection. It may be closed at any time, also while it still connects. */
const open = (url: URL, addresses: ReadonlyArray<NetAddress.IpAddress>) => {
  const connection = connectionTo(addresses)
  const client = new Undici.Client(url.origin, {
    connect: connection.connect,
    allowH2: false,
    pipelining: 0,
    maxHeaderSize: maxHeaderBytes,
    // The deadline of the attempt is all there is.
    headersTimeout: 0,
    bodyTimeout: 0
  })
  const close = () => {
    connection.close()
    void client.destroy()
  }
  return { client, close }
}

/** Ends when the answer does, or when enough of it was read. */
const exchange = (client: Undici.Client, url: URL, request: WebhookRequest, heard: Heard) =>
  Effect.callback<void, SendFailureReason>((resume) => {
    const { headers, body } = request
    client.dispatch(
      { path: url.pathname + url.search, method: "POST", headers: { ...headers }, body },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status) => {
          // Below 200 are announcements, of which a receiver may send any number.
          if (status >= 200) heard.status = status
        },
        onResponseData: (controller, chunk) => {
          heard.parts.push(Uint8Array.from(chunk.subarray(0, heard.left)))
          heard.left = Math.max(0, heard.left - chunk.length)
          if (heard.left > 0) return
          controller.pause()
          resume(Effect.void)
        },
        onResponseEnd: () => resume(Effect.void),
        onResponseError: (_controller, error) => resume(Effect.fail(reasonOf(error)))
      }
    )
  })
