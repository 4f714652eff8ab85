/** The documentation of a service: its pages, their texts and indexes. Each is made when it is first asked for. */
import { openApiDocument } from "@tolem/api/OpenApiDocument"
import type { Settings } from "@tolem/core/engine/Settings"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { consoleAnswer } from "./Console.ts"
import { contentOf, withCharts } from "./Content.ts"
import { docsDocument, inline } from "./DocsLayout.ts"
import { pageMarkup } from "./PageMarkup.ts"
import { type Digests, policyOf } from "./Policy.ts"
import { entriesOf } from "./SearchIndex.ts"
import { type DocLanguage, type DocPage, docLanguages, pages, sections } from "./Site.ts"

/** What a visitor of the documentation is answered. */
export type DocsAnswer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
>

/** Answers of a service with these settings. */
export const make = Effect.fnUntraced(function* (settings: Settings, digests: Digests) {
  const base = new URL(settings.baseUrl).pathname.replace(/\/$/, "")
  const content = contentOf(settings)
  const policy = yield* policyOf(digests, { scripts: [inline.script], styles: inline.style, images: "'self'" })

  return {
    /** The OpenAPI document. */
    document: Effect.sync(() =>
      HttpServerResponse.jsonUnsafe(openApiDocument(settings), { headers: { ...kept, ...anySite } })
    ),
    /** The console to try calls. */
    console: consoleAnswer(settings, digests, kept),
    /** The list of pages for language models. */
    summary: Effect.sync(() => plain(llmsText(settings.baseUrl))),
    /** A page. */
    page: (page: DocPage, language: DocLanguage): DocsAnswer =>
      Effect.sync(() => {
        const markup = pageMarkup(content(page, language), base, language)
        return HttpServerResponse.text(docsDocument({ page, language, base, content: markup }), {
          contentType: "text/html; charset=utf-8",
          headers: { ...kept, "content-security-policy": policy, "content-language": language }
        })
      }),
    /** A page as Markdown. */
    text: (page: DocPage, language: DocLanguage): DocsAnswer =>
      Effect.sync(() => markdown(withCharts(content(page, language)))),
    /** What the search of a language's pages looks through. */
    index: (language: DocLanguage): DocsAnswer =>
      Effect.sync(() => {
        const entries = pages.flatMap((page) => {
          const text = content(page, language)
          const ids = pageMarkup(text, base, language).headings.map(({ id }) => id)
          return entriesOf(page, language, text, ids)
        })
        return HttpServerResponse.jsonUnsafe(entries, { headers: kept })
      })
  }
})

/** Its answers. */
export type Documentation = Effect.Success<ReturnType<typeof make>>

/** The same for everybody, and changed with the version of the server only. */
const kept = { "cache-control": "public, max-age=300" }

/** Viewers of documents on other sites may read it: it has no personal data. */
const anySite = { "access-control-allow-origin": "*" }

const markdown = (text: string) =>
  HttpServerResponse.text(text, { contentType: "text/markdown; charset=utf-8", headers: { ...kept, ...anySite } })

const plain = (text: string) =>
  HttpServerResponse.text(text, { contentType: "text/plain; charset=utf-8", headers: { ...kept, ...anySite } })

/** The list in the form that llmstxt.org describes. */
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
