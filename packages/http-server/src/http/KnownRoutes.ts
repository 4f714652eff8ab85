/** Remembers which methods each path has, because the router itself cannot tell 405 from 404. */
import { Context, Effect, Layer } from "effect"
import { FindMyWay, HttpRouter } from "effect/http"

/** How paths are matched: an id may be as long as the head of a request, so that a wrong one is told to be wrong. */
export const routerConfig: Partial<FindMyWay.RouterConfig> = { maxParamLength: 64 * 1024 }

/** The methods that a path is served with; none: no such path. */
export class KnownRoutes extends Context.Service<
  KnownRoutes,
  {
    readonly add: (method: string, path: FindMyWay.PathInput) => void
    readonly methodsOf: (url: string) => ReadonlyArray<string>
  }
>()("@tolem/http-server/KnownRoutes") {
  /** Knows nothing at first; see `recording`. The tree of paths is made when it is asked for: few requests ask. */
  static readonly layer: Layer.Layer<KnownRoutes> = Layer.sync(KnownRoutes, () => {
    const router = FindMyWay.make<true>(routerConfig)
    const methods = new Set<string>()
    const added: Array<readonly [method: string, path: FindMyWay.PathInput]> = []
    const place = () => {
      for (const [method, path] of added.splice(0)) {
        methods.add(method)
        router.on(method, path, true)
        // As the router itself has it.
        if (path.endsWith("/*")) router.on(method, path.slice(0, -2) as FindMyWay.PathInput, true)
      }
    }
    return {
      add: (method, path) => void added.push([method, path]),
      methodsOf: (url) => {
        place()
        return [...methods].filter((method) => router.find(method, url) !== undefined)
      }
    }
  })
}

/** A router that adds routes to the one around it and remembers them. Provide it to layers of routes. */
export const recording: Layer.Layer<HttpRouter.HttpRouter, never, HttpRouter.HttpRouter | KnownRoutes> = Layer.effect(
  HttpRouter.HttpRouter,
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const known = yield* KnownRoutes
    const remember = (method: string, path: FindMyWay.PathInput) => {
      if (method !== "*") known.add(method, path)
    }
    return HttpRouter.HttpRouter.of({
      ...router,
      add: (method, path, handler, options) => {
        remember(method, path)
        return router.add(method, path, handler, options)
      },
      addAll: (routes) => {
        for (const { method, path } of routes) remember(method, path)
        return router.addAll(routes)
      }
    })
  })
)
