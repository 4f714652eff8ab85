/**
 * The addresses of the documentation: the OpenAPI document, pages of text at `/docs` in two languages, each as Markdown
 * as well, an index for their search, and a console to try calls. What makes them is loaded with the first visit, each
 * is made once, and all of it needs nothing of the Internet.
 */
import { Engine } from "@tolem/core/engine/Engine"
import { Effect, type Layer, Layer as Layers } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { shared } from "../http/RequestRoom.ts"
import type { DocsAnswer, Documentation } from "./Documentation.ts"
import { addressOf, docLanguages, languageOf, pages } from "./Site.ts"

/** `/api/v1/openapi.json`, `/docs` and what is under it, and `/llms.txt`. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const digests = yield* Digest.Digest
    const { settings } = yield* Engine
    const module = Effect.promise(() => import("./Documentation.ts"))
    const documentation = yield* Effect.cached(Effect.flatMap(module, ({ make }) => make(settings, digests)))

    // There are so many of them and no more, so that each is kept.
    const answers = new Map<string, DocsAnswer>()
    const add = Effect.fnUntraced(function* (path: string, answerOf: (documentation: Documentation) => DocsAnswer) {
      answers.set(path, yield* Effect.cached(Effect.flatMap(documentation, answerOf)))
    })
    yield* add("/api/v1/openapi.json", ({ document }) => document)
    yield* add("/docs/console", ({ console }) => console)
    yield* add("/llms.txt", ({ summary }) => summary)
    for (const language of docLanguages) {
      for (const page of pages) {
        yield* add(addressOf("", language, page.slug), (made) => made.page(page, language))
        yield* add(`/docs/${language}/${page.slug}.md`, (made) => made.text(page, language))
      }
      yield* add(`/docs/${language}/search.json`, ({ index }) => index(language))
    }

    const begin = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const answer = answers.get(addressOf("", languageOf(headers["accept-language"]), "index"))
      return Effect.map(answer as DocsAnswer, HttpServerResponse.setHeader("vary", "Accept-Language"))
    })
    yield* router.add("GET", "/docs", shared(begin))
    for (const [path, answer] of answers) yield* router.add("GET", path as `/${string}`, shared(answer))
  })
).pipe(Layers.provide(Digest.layerWebCrypto))
