/**
 * `HttpApiBuilder.group` whose requests do what they need and no more. The library's own decodes the path, the query
 * and the headers of each request by their schemas, merges the services of the group into its context, and asks each
 * scheme of a security in turn. Handlers here take texts as they were sent, hold the services that they need, and look
 * for credentials themselves: a request passes its middleware and its handler, and the schemas describe it.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiBuilder, HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, unknown>

interface Endpoint {
  readonly method: HttpApiEndpoint.Top["method"]
  readonly path: HttpRouter.PathInput
  readonly middlewares: Iterable<HttpApiMiddleware.AnyService>
}

interface Group {
  readonly key: string
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

interface Handler {
  readonly endpoint: Endpoint
  readonly handler: (given: object) => Answer
  readonly isRaw: true
  readonly uninterruptible: boolean
}

/** Where the handlers of a group are registered. */
export interface Registry {
  readonly group: Group
  readonly handleRaw: (name: string, handler: Handler["handler"], options: Pick<Handler, "uninterruptible">) => Registry
}

type Grouping = (
  api: { readonly groups: Readonly<Record<string, Group>> },
  identifier: string,
  build: (registry: Registry) => Effect.Effect<unknown, unknown, never>
) => Layer.Layer<never, unknown>

const lean: Grouping = (api, identifier, build) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const services = yield* Effect.context<never>()
      const group = api.groups[identifier]
      if (group === undefined) throw new TypeError(`no group ${identifier}`)
      const handlers = new Map<string, Handler>()
      const registry: Registry = {
        group,
        handleRaw: (name, handler, { uninterruptible }) => {
          const endpoint = group.endpoints[name]
          if (endpoint === undefined) throw new TypeError(`no endpoint ${identifier}.${name}`)
          if (handlers.has(name)) throw new TypeError(`two handlers of ${identifier}.${name}`)
          handlers.set(name, { endpoint, handler, isRaw: true, uninterruptible })
          return registry
        }
      }
      yield* build(registry)
      const routes = Array.from(handlers.values(), (one) => routeOf(one, group, services))
      // What `HttpApiBuilder.layer` looks for.
      return Context.makeUnsafe<never>(new Map([[group.key, { routes, handlers }]]))
    })
  )

const routeOf = ({ endpoint, handler, uninterruptible }: Handler, group: Group, services: Context.Context<never>) => {
  let answer: Answer = Effect.withFiber(({ context }) => {
    const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
    const { params } = Context.getUnsafe(context, HttpRouter.RouteContext)
    return handler({ request, params, endpoint, group })
  })
  for (const key of endpoint.middlewares) answer = wrapOf(key, services)(answer, { endpoint, group, credential })
  return HttpRouter.route(endpoint.method, endpoint.path, answer, { uninterruptible })
}

type Wrap = (answer: Answer, options: object) => Answer

/** Of a security all schemes are one function, which finds the credential wherever it was sent. */
const wrapOf = ({ key }: HttpApiMiddleware.AnyService, services: Context.Context<never>): Wrap => {
  const service: unknown = services.mapUnsafe.get(key)
  if (typeof service === "function") return service as Wrap
  const [wrap, ...others] = new Set<unknown>(Object.values(service ?? {}))
  if (typeof wrap !== "function" || others.length > 0) throw new TypeError(`${key}: not one function for all schemes`)
  return wrap as Wrap
}

/** Stands for a credential: the functions find theirs in the headers. */
const credential = Redacted.make("")

const typed: unknown = lean

/** See `HttpApiBuilder.group`. */
export const apiGroup = typed as typeof HttpApiBuilder.group
