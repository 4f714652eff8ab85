/** The OpenAPI document and a page to read and try it, both from the contract. Neither needs the Internet. */
import { Api } from "@tolem/api/Api"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"

/** `/api/v1/openapi.json` and `/docs`. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const document = yield* Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(Api))))
    // The page's scripts are megabytes: they are loaded when somebody first looks.
    const page = yield* Effect.cached(
      Effect.scoped(HttpRouter.toHttpEffect(HttpApiSwagger.layer(Api, { path: "/docs" })))
    )
    yield* router.add("GET", "/api/v1/openapi.json", document)
    yield* router.add("GET", "/docs", Effect.orDie(Effect.flatten(page)))
  })
)
