/** The whole service as one web-standard function, for mounting in any framework or runtime. */
import type { EmbeddedEngine } from "@tolem/core"
import { Engine } from "@tolem/core/engine/Engine"
import { Context, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Forwarding } from "./http/Edge.ts"
import { routerConfig } from "./http/KnownRoutes.ts"
import { OnSent } from "./http/Room.ts"
import { Draining } from "./operations/Health.ts"
import * as Routes from "./Routes.ts"

/** What only the framework around the service knows of the client that sent a request. */
export interface Client {
  /** Its IP address: what limits of visitors, sessions and the audit log go by. */
  readonly address?: string | null | undefined
}

/** What is served, and where. */
export interface Options {
  /** The path that all of it is under, as `/payments`; default that of `settings.baseUrl`. */
  readonly basePath?: string
  /** Only these parts; default all. */
  readonly only?: ReadonlyArray<Routes.Part>
}

/** Answers a request; see `WebHandler.handler`. */
export type FetchHandler = WebHandler["handler"]

/** A function that answers requests, and the way to close what it holds. */
export interface WebHandler {
  /**
   * Answers a request. Visitors of public pages whose addresses it is not told share one limit,
   * `visitors.unknownPerMinute`.
   */
  readonly handler: (request: Request, client?: Client) => Promise<Response>
  /** Lets requests end, those that wait for events at once, and closes what the layer opened. May be called twice. */
  readonly dispose: () => Promise<void>
}

/** How long requests may take to end once it is disposed of: as long as the server of its own lets them. */
const graceMs = 5000

/**
 * The service over `services`: `Engine.layer` with its ports, or `Layer.succeedContext(context)` of an engine that runs
 * already. The layer is built at once.
 */
export const make = <E>(services: Layer.Layer<Routes.Needs, E>, options: Options = {}): WebHandler => {
  const { basePath = "", only } = options
  const clients = new WeakMap<object, Client>()
  const holds = new WeakMap<object, Set<() => void>>()
  const onSent: OnSent = ({ source }, done) => void holds.get(source)?.add(done)
  const draining = { stopping: false }
  const running = new Set<Promise<Response>>()
  const settled = Effect.timeoutOption(
    Effect.promise(() => Promise.allSettled(running)),
    graceMs
  )
  const forwarding: Forwarding = (app) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const remoteAddress = Option.fromNullishOr(clients.get(request.source)?.address)
      const known = request.modify({ remoteAddress, url: within(basePath, request.url) })
      const held = new Set<() => void>()
      holds.set(request.source, held)
      // The answer is made by then. How the framework sends it is its own affair.
      const release = Effect.sync(() => {
        for (const done of held) done()
      })
      return Effect.ensuring(Effect.provideService(app, HttpServerRequest.HttpServerRequest, known), release)
    })
  const routes = Routes.layer(Layer.empty, only).pipe(
    Layer.provide(Layer.succeed(Draining, draining)),
    Layer.provide(Layer.succeed(OnSent, onSent)),
    Layer.provide(Layer.succeed(Forwarding, forwarding)),
    // Merged: what requests log and trace goes where the engine's own does.
    Layer.provideMerge(services)
  )
  const { handler, dispose } = HttpRouter.toWebHandler(routes, { routerConfig, disableLogger: true })
  return {
    handler: (request, client = {}) => {
      clients.set(request, client)
      const answer = handler(request)
      const ended = () => void running.delete(answer)
      running.add(answer)
      answer.then(ended, ended)
      return answer
    },
    dispose: async () => {
      draining.stopping = true
      await Effect.runPromise(settled)
      await dispose()
    }
  }
}

/** The address without the base path; frameworks that mount have taken it away before. */
const within = (basePath: string, url: string): string => {
  const rest = url.startsWith(basePath) ? url.slice(basePath.length) : url
  return rest.startsWith("/") ? rest : rest === "" || rest.startsWith("?") ? `/${rest}` : url
}

/**
 * The service of an engine that runs already, as one function; closing the engine closes it. `settings.baseUrl` has to
 * end with the base path, since customers' addresses begin with it.
 */
export const handler = ({ host }: EmbeddedEngine, options: Options = {}): FetchHandler => {
  const { settings } = Context.get(host.context, Engine)
  const path = new URL(settings.baseUrl).pathname.replace(/\/$/, "")
  const { basePath = path } = options
  if (basePath !== path) {
    throw new Error(`settings.baseUrl is ${settings.baseUrl}: it has to end with the base path, ${basePath}`)
  }
  const web = make(Layer.succeedContext(host.context), { ...options, basePath })
  host.beforeClose(web.dispose)
  return web.handler
}
