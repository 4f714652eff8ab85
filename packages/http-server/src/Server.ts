/** The listening server: the routes on Node's HTTP server, and an orderly way to stop. */
import type { Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Engine } from "@tolem/core/engine/Engine"
import { Clock, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpMiddleware, HttpRouter, type HttpServer, type HttpServerError } from "effect/http"
import type { IpNetwork } from "effect/net"
import { maxBytes } from "./http/Bodies.ts"
import { Forwarding } from "./http/Edge.ts"
import { routerConfig } from "./http/KnownRoutes.ts"
import * as NodeServer from "./http/NodeServer.ts"
import * as Parties from "./http/Parties.ts"
import * as RequestContext from "./http/RequestContext.ts"
import { OnSent } from "./http/Room.ts"
import { securityHeaders } from "./http/SecurityHeaders.ts"
import * as TlsFiles from "./http/TlsFiles.ts"
import * as TlsFront from "./http/TlsFront.ts"
import { Draining } from "./operations/Health.ts"
import * as Routes from "./Routes.ts"

/** Where to listen, and how to stop. Durations are milliseconds. */
export interface Options {
  /** 0: any free port. */
  readonly port: number
  /** Default: all interfaces. */
  readonly host?: string
  /** How long it still serves while it says that it is not ready, so that load balancers notice. Default 1 s. */
  readonly drainMs?: number
  /** How long requests under way may take once it stops accepting. Default 5 s. */
  readonly graceMs?: number
  readonly limits?: Partial<NodeServer.ServerLimits>
  /** Networks of proxies whose `X-Forwarded-For` is believed. Default none: a visitor is the address that connects. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Speaks TLS itself, with this certificate; default: plain HTTP, for a proxy in front. */
  readonly tls?: TlsFiles.TlsFiles
  /** Further routes: an application's own, say. Global middlewares of theirs see requests as they came from proxies. */
  readonly more?: Routes.More
}

/** Of which it is known whose they are; some megabytes. */
const knownCredentials = 10_000

/**
 * Listens until the layer is closed. Closing it first answers 503 at `/health/ready` while still serving, then stops
 * accepting and lets requests finish, all within about `drainMs` and `graceMs`; whatever the layer needs is closed
 * after it.
 */
export const layerNode = (
  options: Options
): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError | TlsFiles.TlsUnusable, Routes.Needs> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { settings } = yield* Engine
      const { drainMs = 1000, graceMs = 5000, port, host, tls, trustedProxies = [] } = options
      const limits = { ...NodeServer.defaults, ...options.limits }
      const clock = yield* Clock.Clock
      const parties = Parties.make(knownCredentials, trustedProxies)
      const server = NodeServer.make(limits, () => securityHeaders(settings), {
        of: parties.nameOf,
        now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      })
      const renewing = tls === undefined ? Layer.empty : yield* withTls(server, tls, limits)
      const listening = NodeHttpServer.layerServer(() => server, {
        port,
        ...(host !== undefined && { host }),
        gracefulShutdownTimeout: graceMs
      })
      const serving = HttpRouter.serve(Routes.layer(options.more), {
        routerConfig,
        disableLogger: true,
        disableListenLog: true
      }).pipe(
        Layer.provide(RequestContext.layer),
        Layer.provide([
          Layer.succeed(OnSent, whenClosed),
          Layer.succeed(Parties.Learn, parties.learn),
          // Of what an application's own routes read. The service's own read as much as each of them says.
          Layer.succeed(HttpIncomingMessage.MaxBodySize, maxBytes)
        ]),
        Layer.provide(
          trustedProxies.length === 0
            ? Layer.empty
            : Layer.succeed(Forwarding, HttpMiddleware.xForwardedHeaders({ trustedProxies }))
        )
      )
      // Closed in reverse order of building: draining ends before the server stops accepting.
      return drain(server, drainMs, graceMs).pipe(
        Layer.provideMerge(serving),
        Layer.provideMerge(listening),
        Layer.provide(Draining.layer),
        Layer.provideMerge(renewing)
      )
    })
  )

/** Puts TLS in front, and follows its files for as long as the layer is open. */
const withTls = Effect.fnUntraced(function* (
  server: Server,
  files: TlsFiles.TlsFiles,
  { headersTimeoutMs }: NodeServer.ServerLimits
) {
  const identity = yield* TlsFiles.read(files)
  const front = TlsFront.putInFront(server, identity, headersTimeoutMs)
  return Layer.effectDiscard(Effect.forkScoped(TlsFiles.follow(files, identity, front)))
})

const whenClosed: OnSent = (request, done) => {
  const response = NodeHttpServerRequest.toServerResponse(request)
  if (response.destroyed) done()
  else response.once("close", done)
}

/** After `graceMs` requests are interrupted and answered; a client that has not taken the answer by then is cut off. */
const cutOffMs = 1000

const drain = (server: Server, drainMs: number, graceMs: number): Layer.Layer<never, never, Draining> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const draining = yield* Draining
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          draining.stopping = true
          if (drainMs > 0) yield* Effect.sleep(drainMs)
          // A client that never ends its request would hold the server open for as long as the request may take.
          NodeServer.cutOffAfter(server, graceMs + cutOffMs)
        })
      )
    })
  )
