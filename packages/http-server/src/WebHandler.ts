/** The whole service as one web-standard function, for mounting in any framework or runtime. */
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { routerConfig } from "./http/KnownRoutes.ts"
import { OnSent } from "./http/Room.ts"
import { Draining } from "./operations/Health.ts"
import * as Routes from "./Routes.ts"

/** What only the framework around the service knows of the client that sent a request. */
export interface Client {
  /** Its IP address: what limits of visitors, sessions and the audit log go by. */
  readonly address?: string | null | undefined
}

/** A function that answers requests, and the way to close what it holds. */
export interface WebHandler {
  /**
   * Answers a request. Visitors of public pages whose addresses it is not told share one limit,
   * `visitors.unknownPerMinute`.
   */
  readonly handler: (request: Request, client?: Client) => Promise<Response>
  /** Closes what the layer opened. May be called twice. */
  readonly dispose: () => Promise<void>
}

/**
 * The service over `services`: `Engine.layer` with its ports, or `Layer.succeedContext(context)` of an engine that runs
 * already. The layer is built at once.
 */
export const make = <E>(services: Layer.Layer<Routes.Needs, E>): WebHandler => {
  const clients = new WeakMap<object, Client>()
  const holds = new WeakMap<object, Set<() => void>>()
  const onSent: OnSent = ({ source }, done) => void holds.get(source)?.add(done)
  const routes = Routes.layer().pipe(
    Layer.provide(services),
    Layer.provide(Draining.layer),
    Layer.provide(Layer.succeed(OnSent, onSent))
  )
  const { handler, dispose } = HttpRouter.toWebHandler(routes, {
    routerConfig,
    disableLogger: true,
    middleware: (app) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const known = request.modify({ remoteAddress: Option.fromNullishOr(clients.get(request.source)?.address) })
        const held = new Set<() => void>()
        holds.set(request.source, held)
        return app.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, known),
          // The framework has the answer then; how it sends it is its own affair.
          Effect.ensuring(
            Effect.sync(() => {
              for (const release of held) release()
            })
          )
        )
      })
  })
  return {
    handler: (request, client = {}) => {
      clients.set(request, client)
      return handler(request)
    },
    dispose
  }
}
