/** `/` and `/panel`, for people who open the server itself: what it is, and where its documentation is. */
import { Engine } from "@tolem/core/engine/Engine"
import { html } from "@tolem/core/value/Html"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuse } from "../http/Responses.ts"
import * as Icons from "./Icons.ts"
import { asksForHtml, type Language } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { pathOf } from "./Links.ts"
import * as PageAnswers from "./PageAnswers.ts"
import * as PageRefusals from "./PageRefusals.ts"
import { type StartTexts, startTexts } from "./texts/StartTexts.ts"
import { countView, visit } from "./Visit.ts"

/** The routes. Programs are told that nothing is there, as they were before there was a page. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { settings, visitors } = yield* Engine
    const view = countView(visitors, settings)
    const answer = yield* PageAnswers.make
    const { tooMany } = PageRefusals.make(answer)
    const root = pathOf(settings.baseUrl).replace(/\/+$/, "")

    const show = (name: "start" | "panel") =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!asksForHtml(request.headers["accept"])) return refuse("route_not_found")
        const { language } = yield* visit
        const standing = yield* view
        if (!standing.allowed) return tooMany({ language }, standing)
        return answer(startPage(startTexts[language][name], root, language), language)
      }).pipe(Effect.map(HttpServerResponse.setHeader("vary", "Accept, Accept-Language")))

    yield* router.add("GET", "/", show("start"))
    yield* router.add("GET", "/panel", show("panel"))
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

const startPage = ({ title, text, docs }: StartTexts, root: string, language: Language): Page => ({
  title: `Tölem · ${title}`,
  main: html`<main class="narrow calm"><div class="state"><span class="badge">${Icons.receipt}</span
  ><h1>${title}</h1><p>${text}</p></div
  ><div class="actions"><a class="button second" href="${root}/docs/${language === "en" ? "en" : "ru"}"
  >${docs}</a></div></main>`
})
