/** The OpenAPI document and a page to read and try it, both from the contract. Neither needs the Internet. */
import { Api } from "@tolem/api/Api"
import { openApiDocument } from "@tolem/api/OpenApiDocument"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"
import { shared } from "../http/RequestRoom.ts"

/** `/api/v1/openapi.json` and `/docs`. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const digest = yield* Digest.Digest
    const { settings } = yield* Engine
    const { pathname } = new URL(settings.baseUrl)
    const document = yield* Effect.cached(
      Effect.sync(() => HttpServerResponse.jsonUnsafe(openApiDocument(settings), { headers: { ...kept, ...anySite } }))
    )
    // The console calls the server that it comes from, under whatever name.
    const api = Api.annotate(OpenApi.Transform, () => ({ ...openApiDocument(settings, pathname) }))
    // The page's scripts are megabytes: they are loaded at the first visit.
    const page = yield* Effect.cached(
      Effect.gen(function* () {
        const shown = yield* Effect.flatten(HttpRouter.toHttpEffect(HttpApiSwagger.layer(api, { path: "/docs" })))
        const policy = yield* Effect.provideService(policyOf(textOf(shown)), Digest.Digest, digest)
        return HttpServerResponse.setHeaders(shown, { ...kept, "content-security-policy": policy })
        // A router of its own, also if a framework has built the service's inside of a request.
      }).pipe(Effect.scoped, Effect.provideService(Layer.CurrentMemoMap, Layer.makeMemoMapUnsafe()))
    )
    yield* router.add("GET", "/api/v1/openapi.json", shared(document))
    yield* router.add("GET", "/docs", shared(Effect.orDie(page)))
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

/** Both are the same for everybody, and change with the version of the server only. */
const kept = { "cache-control": "public, max-age=300" }

/** Viewers of documents on other sites may read it: it has no personal data. */
const anySite = { "access-control-allow-origin": "*" }

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

const script = /<script(?![^>]*application\/json)[^>]*>(.*?)<\/script>/gs

/** Only the page's own scripts run. Its viewer writes styles into elements, and holds its images itself. */
const policyOf = Effect.fnUntraced(function* (page: string) {
  const digest = yield* Digest.Digest
  const digests = yield* Effect.forEach([...page.matchAll(script)], ([, text = ""]) =>
    digest.digest(Digest.sha256, new TextEncoder().encode(text))
  )
  return [
    "default-src 'none'",
    `script-src ${digests.map((bytes) => `'sha256-${Base64.encode(bytes)}'`).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
})
