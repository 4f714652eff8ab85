/**
 * Sends webhooks over Undici to addresses that merchants chose.
 *
 * Bounds: one deadline for look-up, connect, headers and body together; no redirect; a limited part of the answer; and
 * only addresses that the policy allows, checked in the look-up of the connection itself, so that a name cannot pass the
 * check as one address and be connected to as another.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Undici from "@effect/platform-node/Undici"
import type { Mode } from "@tolem/core/Mode"
import { AddressPolicy } from "@tolem/core/webhook/AddressPolicy"
import {
  SendFailure,
  type SendFailureReason,
  type WebhookRequest,
  WebhookSender
} from "@tolem/core/webhook/WebhookSender"
import { Clock, Context, Effect, Exit, Layer, Result, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { Dns, NetAddress } from "effect/net"

/** The sender. `Dns` resolves names; `AddressPolicy` says where names may lead. */
export const layer: Layer.Layer<WebhookSender, never, Dns.Dns> = Layer.effect(
  WebhookSender,
  Effect.suspend(() => make)
)

// A slow receiver cannot take all sockets; the dispatcher's own limit per endpoint is as high.
const connectionsPerOrigin = 8

const make = Effect.gen(function* () {
  const clients = { live: yield* clientFor("live"), sandbox: yield* clientFor("sandbox") }
  const allowed = yield* AddressPolicy

  const send = Effect.fnUntraced(function* (request: WebhookRequest) {
    const startedAt = yield* Clock.currentTimeMillis
    const heard: Heard = { status: null, parts: [], left: request.maxResponseBytes }
    const failure = (reason: SendFailureReason) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.fail(
          new SendFailure({
            reason,
            durationMs: now - startedAt,
            status: heard.status,
            body: heard.status === null ? null : textOf(heard)
          })
        )
      )
    const url = URL.parse(request.url)
    if (url === null) return yield* failure("refused_address")
    // A literal address is connected to without a look-up, so it is checked here. Brackets are those of IPv6.
    const literal = NetAddress.ipFromString(url.hostname.replace(/^\[|\]$/g, ""))
    if (Result.isSuccess(literal) && !allowed(literal.success, request.mode)) return yield* failure("refused_address")

    const exchanged = yield* exchange(clients[request.mode], url, request, heard).pipe(
      Effect.timeoutOption(request.timeoutMs),
      Effect.exit
    )
    if (Exit.isFailure(exchanged)) return yield* failure(reasonOf(exchanged.cause))
    if (exchanged.value._tag === "None" || heard.status === null) return yield* failure("timeout")
    const now = yield* Clock.currentTimeMillis
    return { status: heard.status, body: textOf(heard), durationMs: now - startedAt }
  })

  return { send }
})

/** What has come of an answer so far, kept for the log when the rest does not come. */
interface Heard {
  status: number | null
  readonly parts: Array<Uint8Array>
  left: number
}

const exchange = (client: HttpClient.HttpClient, url: URL, request: WebhookRequest, heard: Heard) =>
  Effect.gen(function* () {
    const response = yield* client.execute(
      HttpClientRequest.post(url).pipe(
        HttpClientRequest.setHeaders(request.headers),
        HttpClientRequest.bodyText(request.body, "application/json")
      )
    )
    heard.status = response.status
    yield* response.stream.pipe(
      Stream.takeUntil((chunk) => {
        if (heard.left > 0) heard.parts.push(chunk.subarray(0, heard.left))
        heard.left = Math.max(0, heard.left - chunk.length)
        return heard.left === 0
      }),
      Stream.runDrain
    )
    // No trace header leaves the house.
  }).pipe(Effect.provideService(HttpClient.TracerPropagationEnabled, false))

const textOf = (heard: Heard): string => new TextDecoder().decode(Buffer.concat(heard.parts))

class Refused extends Error {
  readonly code = "TOLEM_REFUSED"
}

class Unresolved extends Error {
  readonly code = "ENOTFOUND"
}

/** A client whose every connection goes to an address that is allowed in this mode. */
const clientFor = Effect.fnUntraced(function* (mode: Mode) {
  const dns = yield* Dns.Dns
  const allowed = yield* AddressPolicy
  const run = Effect.runCallbackWith(yield* Effect.context())
  const agent = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Undici.Agent({
          connections: connectionsPerOrigin,
          connect: {
            lookup: (host, _options, callback) => {
              run(dns.lookup(host), {
                onExit: (exit) => {
                  const addresses = Exit.isSuccess(exit) ? exit.value : []
                  if (addresses.length === 0) return callback(new Unresolved(host), [])
                  // One bad answer spoils the name: whoever mixes public and private addresses is probing.
                  if (!addresses.every((address) => allowed(address, mode))) return callback(new Refused(host), [])
                  return callback(
                    null,
                    addresses.map((address) => ({
                      address: NetAddress.formatIp(address),
                      family: NetAddress.isIpv4Address(address) ? 4 : 6
                    }))
                  )
                }
              })
            }
          }
        })
    ),
    (undici) => Effect.promise(() => undici.destroy())
  )
  const context = yield* Layer.build(
    NodeHttpClient.layerUndiciNoDispatcher.pipe(Layer.provide(Layer.succeed(NodeHttpClient.Dispatcher, agent)))
  )
  return Context.get(context, HttpClient.HttpClient)
})

/** The codes of Node and Undici along the chain of causes, as one of the few reasons that the log knows. */
const reasonOf = (error: unknown): SendFailureReason => {
  const text = codesOf(error, 0).join(" ")
  if (text.includes("TOLEM_REFUSED")) return "refused_address"
  if (/ENOTFOUND|EAI_/.test(text)) return "name"
  if (/ERR_TLS|ERR_SSL|CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(text)) return "tls"
  if (/HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_|RESPONSE|INVALID|HTTP_PARSER)/.test(text)) return "protocol"
  return /UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT/.test(text) ? "timeout" : "connection"
}

const maxDepth = 8

const codesOf = (error: unknown, depth: number): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null || depth > maxDepth) return []
  const own = "code" in error && typeof error.code === "string" ? [error.code] : []
  const inner = ["cause", "reason", "reasons", "error", "defect", "errors"].flatMap((name): ReadonlyArray<unknown> => {
    const value: unknown = Reflect.get(error, name)
    return Array.isArray(value) ? value : [value]
  })
  return [...own, ...inner.flatMap((next) => codesOf(next, depth + 1))]
}
