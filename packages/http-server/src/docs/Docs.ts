/**
 * The documentation: the OpenAPI document, pages of text at `/docs` in two languages, each as Markdown as well, an
 * index for their search, and a console to try calls. All of it is made once, and needs nothing of the Internet.
 */
import { openApiDocument } from "@tolem/api/OpenApiDocument"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect, type Layer, Layer as Layers } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { shared } from "../http/RequestRoom.ts"
import { consoleAnswer } from "./Console.ts"
import { contentOf, withCharts } from "./Content.ts"
import { addressOf, docsDocument, inline } from "./DocsLayout.ts"
import { pageMarkup } from "./PageMarkup.ts"
import { policyOf } from "./Policy.ts"
import { entriesOf } from "./SearchIndex.ts"
import { type DocLanguage, type DocPage, docLanguages, languageOf, pages, sections } from "./Site.ts"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse>

/** `/api/v1/openapi.json`, `/docs` and what is under it, and `/llms.txt`. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const digests = yield* Digest.Digest
    const { settings } = yield* Engine
    const base = new URL(settings.baseUrl).pathname.replace(/\/$/, "")
    const content = contentOf(settings)

    const document = yield* Effect.cached(
      Effect.sync(() => HttpServerResponse.jsonUnsafe(openApiDocument(settings), { headers: { ...kept, ...anySite } }))
    )
    const consolePage = yield* Effect.cached(consoleAnswer(settings, digests, kept))
    const policy = yield* policyOf(digests, { scripts: [inline.script], styles: inline.style, images: "'self'" })

    const showPage = (page: DocPage, language: DocLanguage) =>
      Effect.sync(() => {
        const text = docsDocument({
          page,
          language,
          base,
          content: pageMarkup(content(page, language), base, language)
        })
        return HttpServerResponse.text(text, {
          contentType: "text/html; charset=utf-8",
          headers: { ...kept, "content-security-policy": policy, "content-language": language }
        })
      })
    const showText = (page: DocPage, language: DocLanguage) =>
      Effect.sync(() => markdown(withCharts(content(page, language))))
    const showIndex = (language: DocLanguage) =>
      Effect.sync(() => {
        const entries = pages.flatMap((page) => {
          const text = content(page, language)
          const ids = pageMarkup(text, base, language).headings.map(({ id }) => id)
          return entriesOf(page, language, text, ids)
        })
        return HttpServerResponse.jsonUnsafe(entries, { headers: kept })
      })

    // Each is made at its first visit, and kept: there are so many of them and no more.
    const answers = new Map<string, Answer>()
    const add = Effect.fnUntraced(function* (name: string, answer: Answer) {
      answers.set(name, yield* Effect.cached(answer))
    })
    for (const language of docLanguages) {
      for (const page of pages) {
        yield* add(addressOf("", language, page.slug), showPage(page, language))
        yield* add(`/docs/${language}/${page.slug}.md`, showText(page, language))
      }
      yield* add(`/docs/${language}/search.json`, showIndex(language))
    }
    const summary = yield* Effect.cached(Effect.sync(() => plain(llmsText(settings.baseUrl))))

    const begin = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const answer = answers.get(addressOf("", languageOf(headers["accept-language"]), "index"))
      return Effect.map(answer as Answer, HttpServerResponse.setHeader("vary", "Accept-Language"))
    })

    yield* router.add("GET", "/api/v1/openapi.json", shared(document))
    yield* router.add("GET", "/docs", shared(begin))
    yield* router.add("GET", "/docs/console", shared(consolePage))
    yield* router.add("GET", "/llms.txt", shared(summary))
    for (const [path, answer] of answers) yield* router.add("GET", path as `/${string}`, shared(answer))
  })
).pipe(Layers.provide(Digest.layerWebCrypto))

/** The same for everybody, and changed with the version of the server only. */
const kept = { "cache-control": "public, max-age=300" }

/** Viewers of documents on other sites may read it: it has no personal data. */
const anySite = { "access-control-allow-origin": "*" }

const markdown = (text: string) =>
  HttpServerResponse.text(text, { contentType: "text/markdown; charset=utf-8", headers: { ...kept, ...anySite } })

const plain = (text: string) =>
  HttpServerResponse.text(text, { contentType: "text/plain; charset=utf-8", headers: { ...kept, ...anySite } })

/** The list of pages for language models, in the form that llmstxt.org describes. */
const llmsText = (baseUrl: string): string =>
  [
    "# Tölem",
    "",
    "> Invoices and subscriptions in Kazakhstani tenge: QR codes, pay links, webhooks.",
    "",
    `The API is at ${baseUrl}/api/v1; its OpenAPI document is ${baseUrl}/api/v1/openapi.json.`,
    ...docLanguages.flatMap((language) =>
      sections.flatMap(({ title, pages: own }) => [
        "",
        `## ${title[language]}${language === "en" ? "" : ` (${language})`}`,
        "",
        ...own.map(({ slug, title: name }) => `- [${name[language]}](${baseUrl}/docs/${language}/${slug}.md)`)
      ])
    ),
    ""
  ].join("\n")
