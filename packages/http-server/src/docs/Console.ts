/** The console at `/docs/console`: Swagger UI with the document in it. It is megabytes, and so loaded only there. */
import { Api } from "@tolem/api/Api"
import { openApiDocument } from "@tolem/api/OpenApiDocument"
import type { Settings } from "@tolem/core/engine/Settings"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"
import { type Digests, policyOf } from "./Policy.ts"

/** The answer that holds the console. */
export const consoleAnswer = (settings: Settings, digests: Digests, headers: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    // It calls the server that it comes from, under whatever name.
    const document = openApiDocument(settings, new URL(settings.baseUrl).pathname)
    const api = Api.annotate(OpenApi.Transform, () => ({ ...document }))
    const shown = yield* Effect.flatten(HttpRouter.toHttpEffect(HttpApiSwagger.layer(api, { path: "/docs/console" })))
    const scripts = [...textOf(shown).matchAll(script)].map(([, text = ""]) => text)
    // Its viewer writes styles into elements, and holds its images itself.
    const policy = yield* policyOf(digests, { scripts, styles: "'unsafe-inline'", images: "'self' data:" })
    return HttpServerResponse.setHeaders(shown, { ...headers, "content-security-policy": policy })
    // A router of its own, also if a framework has built the service's inside of a request.
  }).pipe(Effect.scoped, Effect.provideService(Layer.CurrentMemoMap, Layer.makeMemoMapUnsafe()), Effect.orDie)

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

const script = /<script(?![^>]*application\/json)[^>]*>(.*?)<\/script>/gs
