/**
 * Sends webhooks over Undici to addresses that merchants chose, so to possibly hostile ones.
 *
 * Bounds: one deadline for look-up, connect, headers and body together; no redirect; a limited part of the answer; and
 * only addresses that the policy allows. Each attempt resolves the name, checks every address that it has, and uses a
 * connection to one of those, which it has to itself: so a name cannot pass the check as one address and be connected
 * to as another, and no attempt waits for another's. A connection that an earlier attempt has left open is used again
 * where it leads to the very same addresses; where it was closed meanwhile, a new one takes its place.
 */
import type * as Undici from "@effect/platform-node/Undici"
import { Settings } from "@tolem/core/engine/Settings"
import { AddressPolicy, type AddressRules, isListed, rulesOf } from "@tolem/core/webhook/sending/AddressPolicy"
import {
  SendFailure,
  type SendFailureReason,
  type WebhookRequest,
  WebhookSender
} from "@tolem/core/webhook/sending/WebhookSender"
import { Clock, Duration, Effect, Exit, Layer } from "effect"
import { Dns, NetAddress } from "effect/net"
import { connectionTo } from "./NodeConnection.ts"
import { addressesOf } from "./ReceiverNames.ts"
import { reasonOf } from "./SendReasons.ts"

/** The sender. `Dns` resolves names; `AddressPolicy` says where names may lead. */
export const layer: Layer.Layer<WebhookSender, never, Dns.Dns> = Layer.effect(
  WebhookSender,
  Effect.suspend(() => make)
)

const maxHeaderBytes = 16 * 1024

/** By then a process serves what it is asked, and has the time. */
const loadsAfterMs = 2_000

/** Connections that are kept open, and for how long; most servers close theirs after five seconds. */
const maxKept = 256
const idleMs = 4_000

/** What has come of an answer so far, kept for the log when the rest does not come. */
interface Heard {
  status: number | null
  readonly parts: Array<Uint8Array>
  left: number
  /** Whether the body is for the log: merchants are told nothing that private addresses say. */
  isKept: boolean
}

const make = Effect.gen(function* () {
  const dns = yield* Dns.Dns
  const policy = yield* AddressPolicy
  const connections = makeKept()
  const rulesIn = makeRules()
  const undici = makeUndici()
  yield* Effect.forkScoped(Effect.andThen(Effect.sleep(loadsAfterMs), Effect.suspend(undici)))
  yield* Effect.addFinalizer(() => Effect.sync(connections.close))

  const attempt = Effect.fnUntraced(function* (request: WebhookRequest, heard: Heard, until: number) {
    const url = URL.parse(request.url)
    if (url === null) return yield* Effect.fail("refused_address" as const)
    const rules = rulesIn(yield* Settings)
    const target = { mode: request.mode, host: url.hostname }
    const beInner = request.mode === "sandbox" || isListed(url.hostname, rules)
    const addresses = yield* within(until, addressesOf(dns, url.hostname, { beInner }))
    if (addresses.length === 0) return yield* Effect.fail("name" as const)
    const verdicts = new Set(addresses.map((address) => policy(address, target, rules)))
    // One bad answer spoils the name: one with public and private addresses is probing. Live events go unencrypted
    // nowhere but to the operator's own receivers.
    const isPlain = request.mode === "live" && url.protocol === "http:" && verdicts.has("open")
    if (verdicts.has("refused") || isPlain) return yield* Effect.fail("refused_address" as const)
    heard.isKept = !verdicts.has("inner")
    const key = `${url.origin} ${addresses.map(NetAddress.formatIp).join()}`
    const { Client } = yield* within(until, undici())
    const fresh = use(key, () => open(Client, url, addresses), url, request, heard, until)
    const kept = connections.take(key)
    // The receiver may have closed it a moment ago. It may also have got the request: it must bear a second one anyway.
    const isStale = (reason: SendFailureReason) => reason === "connection" && heard.status === null
    yield* kept === undefined
      ? fresh
      : Effect.catchIf(
          use(key, () => kept, url, request, heard, until),
          isStale,
          () => fresh
        )
  })

  const use = (key: string, take: () => Open, url: URL, request: WebhookRequest, heard: Heard, until: number) =>
    Effect.acquireUseRelease(
      Effect.sync(take),
      ({ client }) => Effect.flatMap(leftOf(until), (leftMs) => exchange(client, url, request, heard, leftMs)),
      (connection, exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit) && exit.value === "whole") connections.keep(key, connection)
          else connection.close()
        })
    )

  const send = Effect.fnUntraced(function* (request: WebhookRequest) {
    const startedAt = yield* Clock.currentTimeMillis
    const heard: Heard = { status: null, parts: [], left: request.maxResponseBytes, isKept: true }
    const answer = Effect.map(Clock.currentTimeMillis, (now) => ({
      status: heard.status,
      body: heard.status === null || !heard.isKept ? null : new TextDecoder().decode(Buffer.concat(heard.parts)),
      durationMs: now - startedAt
    }))
    yield* attempt(request, heard, startedAt + request.timeoutMs).pipe(
      Effect.catch((reason: SendFailureReason) =>
        Effect.flatMap(answer, (sofar) => Effect.fail(new SendFailure({ reason, ...sofar })))
      )
    )
    const { status, body, durationMs } = yield* answer
    return { status: status ?? 0, body, durationMs }
  })

  return { send, keepsTime: true }
})

/** Milliseconds until an instant; none if it has passed. */
const leftOf = (until: number) => Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, until - now))

/** A look-up, which must have ended at an instant. That of a literal address has ended at once. */
const within = <A>(until: number, lookUp: Effect.Effect<A>): Effect.Effect<A, SendFailureReason> =>
  Exit.isExit(lookUp)
    ? lookUp
    : Effect.flatMap(leftOf(until), (leftMs) =>
        Effect.timeoutOrElse(lookUp, {
          duration: Duration.millis(leftMs),
          orElse: () => Effect.fail("timeout" as const)
        })
      )

/** The rules of the settings, made once for as long as these are the same. */
const makeRules = () => {
  let made: { readonly of: Settings; readonly rules: AddressRules } | undefined
  return (settings: Settings): AddressRules => {
    if (made === undefined || made.of !== settings) made = { of: settings, rules: rulesOf(settings) }
    return made.rules
  }
}

/**
 * Undici, loaded by the first attempt, or a while after the start: it is a fourth of the program. Not later, as an
 * update may put other files in the place of these.
 */
const makeUndici = () => {
  let loaded: Effect.Effect<typeof Undici> | undefined
  const load = Effect.promise(async () => {
    const undici = await import("@effect/platform-node/Undici")
    loaded = Effect.succeed(undici)
    return undici
  })
  return () => loaded ?? load
}

/** A connection, and how it is closed. */
type Open = ReturnType<typeof open>

/** Connections kept for the next attempt; the oldest makes room. */
const makeKept = () => {
  const kept: Array<readonly [key: string, connection: Open]> = []
  return {
    take: (key: string): Open | undefined => {
      const index = kept.findLastIndex(([each]) => each === key)
      return index < 0 ? undefined : kept.splice(index, 1)[0]?.[1]
    },
    keep: (key: string, connection: Open): void => {
      kept.push([key, connection])
      if (kept.length > maxKept) kept.shift()?.[1].close()
    },
    close: (): void => {
      for (const [, connection] of kept.splice(0)) connection.close()
    }
  }
}

/** A client of one connection. It may be closed at any time, also while it still connects. */
const open = (Client: typeof Undici.Client, url: URL, addresses: ReadonlyArray<NetAddress.IpAddress>) => {
  const connection = connectionTo(addresses)
  const client = new Client(url.origin, {
    connect: connection.connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: maxHeaderBytes,
    // The deadline of the attempt is all there is.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs
  })
  const close = () => {
    connection.close()
    void client.destroy()
  }
  return { client, close }
}

/**
 * Ends when the whole answer is there, or when enough of it was read: then the connection is of no further use. It is
 * of none either once the time is over: a timer of Node's costs a fraction of what two fibers do.
 */
const exchange = (client: Undici.Client, url: URL, request: WebhookRequest, heard: Heard, leftMs: number) =>
  Effect.callback<"whole" | "enough", SendFailureReason>((resume) => {
    const { headers, body } = request
    const timer = setTimeout(() => resume(Effect.fail("timeout")), leftMs)
    const end = (exit: Effect.Effect<"whole" | "enough", SendFailureReason>) => {
      clearTimeout(timer)
      resume(exit)
    }
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
          end(Effect.succeed("enough"))
        },
        onResponseEnd: () => end(Effect.succeed("whole")),
        onResponseError: (_controller, error) => end(Effect.fail(reasonOf(error)))
      }
    )
    return Effect.sync(() => clearTimeout(timer))
  })
