/**
 * `/f/{id}`, a form hook, which forms on merchants' own sites post to: pages for people, JSON for programs. A browser
 * that shows what it gets asks for HTML, and so is a person's. Each request counts as one view of a public page, and
 * those that could make invoices are bounded for each visitor and for each hook.
 */
import type { RateStanding } from "@tolem/core/access/RateWindow"
import { visitorOf } from "@tolem/core/access/Visitors"
import { Engine } from "@tolem/core/engine/Engine"
import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import type { FormFields } from "@tolem/core/formhook/FormFields"
import { isHookId } from "@tolem/core/formhook/FormHook"
import { type FormCaught, type HookOffer, HookPaused } from "@tolem/core/formhook/FormHooks"
import { type FieldProblem, formProblems } from "@tolem/core/formhook/FormProblems"
import { payUrl } from "@tolem/core/invoice/InvoiceJson"
import type { FormHookId } from "@tolem/core/value/Ids"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { readForm } from "../http/FormBodies.ts"
import { answered, object, type Refusal, refuse } from "../http/Responses.ts"
import * as Faces from "./Faces.ts"
import { hookPage } from "./HookPage.ts"
import { asksForHtml, choose, type Language } from "./Language.ts"
import { returnWith } from "./Links.ts"
import { closedPage, formNotice } from "./NoticePage.ts"
import * as PageAnswers from "./PageAnswers.ts"
import * as PageRefusals from "./PageRefusals.ts"
import * as RefusedForms from "./RefusedForms.ts"
import { hookTextsOf } from "./texts/HookTexts.ts"
import { textsOf } from "./texts/Translations.ts"
import { countInvoice, countView, type Visit, visit } from "./Visit.ts"

/** The routes. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const engine = yield* Engine
    const view = countView(engine.visitors, engine.settings)
    const programs = makePrograms(engine)
    const pages = makePages(engine, yield* PageAnswers.make, yield* Faces.make)

    const serving = (verb: "show" | "submit") =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const asked = yield* visit
        const { id = "" } = yield* HttpRouter.params
        const standing = yield* view
        if (isPerson(request)) return standing.allowed ? yield* pages[verb](id, asked) : pages.tooMany(asked, standing)
        const answer = standing.allowed ? yield* answered(programs[verb](id, asked)) : tooMany(standing)
        return HttpServerResponse.setHeader(answer, "cache-control", "no-store")
      }).pipe(
        Effect.map(HttpServerResponse.setHeader("vary", "Accept, Accept-Language")),
        Effect.map(HttpServerResponse.setHeaders(anySite))
      )

    yield* router.add("GET", "/f/:id", serving("show"))
    yield* router.add("POST", "/f/:id", serving("submit"), { uninterruptible: true })
    yield* router.add("OPTIONS", "/f/:id", HttpServerResponse.empty({ status: 204, headers: preflight }))
  })
).pipe(Layer.provide(Digest.layerWebCrypto))

type Request = HttpServerRequest.HttpServerRequest
type EngineService = Engine["Service"]

const limited = { code: "request_rate_limited" } as const

const isPerson = ({ headers }: Request): boolean => asksForHtml(headers["accept"])

/** Forms are on sites of merchants, which may read the answers. There is nothing that a browser would send along. */
const anySite = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after, x-request-id" }

const preflight = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "content-type",
  "access-control-max-age": "86400"
}

const tooMany = ({ retryAfterSeconds }: RateStanding) =>
  refuse("request_rate_limited", PageRefusals.after(retryAfterSeconds))

/** The site that a browser names; null: it is no browser, or the form is a page of this server. */
const siteOf = (request: Request, baseUrl: string): string | null => {
  const { origin, referer, host, "sec-fetch-site": from } = request.headers
  // Our own pages hide their address, but a browser tells that they are ours.
  if (from === "same-origin") return null
  if (origin === undefined && referer === undefined) return null
  const named = URL.parse(origin ?? referer ?? "")
  // Behind a proxy the server's name may be another one than it is asked by.
  const isOwn = named !== null && (named.origin === URL.parse(baseUrl)?.origin || named.host === host)
  return isOwn ? null : (named?.origin ?? "null")
}

/** Where what was made is paid, in the language that the form has asked for. */
const toPay = (engine: EngineService, id: string, { redirect, lang, isOwn }: Asked) => {
  const address = payUrl(id, engine.settings)
  if (redirect !== "1") return object({ ok: true, invoiceId: id, payUrl: address })
  const query = lang === undefined ? "" : `?lang=${lang}`
  // The policy of our own page lets its form lead nowhere else, whatever the address that it was opened at.
  const location = `${isOwn ? `../pay/${id}` : address}${query}`
  return HttpServerResponse.empty({ status: 302, headers: { location, "cache-control": "no-store" } })
}

/** What the address, or the form, asks for beside the invoice. */
interface Asked {
  readonly redirect: string | undefined
  /** Undefined: it names no language, and the visitor's own counts. */
  readonly lang: Language | undefined
  /** Whether a page of this server asks. */
  readonly isOwn: boolean
}

const askedBy = ({ parameters }: Visit, { headers }: Request, fields: FormFields): Asked => {
  const lang = fields.find(([name]) => name === "lang")?.[1] ?? parameters("lang")
  const known = lang !== undefined && choose(lang, undefined) === lang ? choose(lang, undefined) : undefined
  return { redirect: parameters("redirect"), lang: known, isOwn: headers["sec-fetch-site"] === "same-origin" }
}

/** Counts what a form could make at this hook. */
const counting =
  ({ formHooks, settings, visitors }: EngineService) =>
  (id: string) => {
    const owner = Effect.map(formHooks.show(id as FormHookId), ({ hook }) => (hook.status === "paused" ? null : hook))
    return countInvoice(visitors, settings, `f/${id}`, owner)
  }

const makePrograms = (engine: EngineService) => {
  const { formHooks, settings } = engine
  const count = counting(engine)
  const note = RefusedForms.make(engine)
  const show = () => Effect.succeed(refuse("method_not_allowed", { allow: "OPTIONS, POST" }))
  const submit = Effect.fnUntraced(function* (id: string, asked: Visit) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const site = siteOf(request, settings.baseUrl)
    const fields = yield* Effect.tapError(readForm(request), (error) => note(id, error, { fields: [], site }))
    // What cannot be a hook is refused all the same.
    const standing = isHookId(id) ? yield* count(id) : null
    if (standing?.allowed === false) {
      yield* note(id, limited, { fields, site })
      return tooMany(standing)
    }
    // What was caught is told that all went well.
    const made = formHooks.submit(id as FormHookId, fields, { site, sender: null }).pipe(
      Effect.tapError((error) => note(id, error, { fields, site })),
      Effect.map((invoice) => invoice.id),
      Effect.catchTag("FormCaught", ({ invoiceId }) => Effect.succeed(invoiceId))
    )
    return toPay(engine, yield* made, askedBy(asked, request, fields))
  })
  return { show, submit }
}

/** The same in words of people. */
const makePages = (engine: EngineService, answer: PageAnswers.Answer, faceOf: Effect.Success<typeof Faces.make>) => {
  const { formHooks, settings } = engine
  const count = counting(engine)
  const note = RefusedForms.make(engine)
  const { notFound, tooMany, unavailable } = PageRefusals.make(answer)

  const refused = Effect.fnUntraced(function* (error: Refusal, asked: Visit, offer: HookOffer | null) {
    if ("operation" in error) return yield* unavailable(asked, error)
    if (error.code === "hook_not_found") return notFound(asked)
    const { language } = asked
    const message = hookTextsOf(language).refusals[error.code]
    const face = offer === null ? null : yield* faceOf(offer.seller)
    const page =
      message === undefined ? closedPage(textsOf(language).closed) : formNotice(message, "warn", face, language)
    return answer(page, language, entry(error.code).status)
  })

  const show = (id: string, asked: Visit) =>
    Effect.gen(function* () {
      const offer = yield* formHooks.show(id as FormHookId)
      if (offer.hook.status === "paused") return yield* refused(new HookPaused(), asked, offer)
      const { language } = asked
      const face = yield* faceOf(offer.seller)
      return answer(formNotice(hookTextsOf(language).explained, "calm", face, language), language)
    }).pipe(Effect.catch((error) => refused(error, asked, null)))

  /** Back to who has sent it: to the seller's own page, or to ours. */
  const back = Effect.fnUntraced(function* (
    offer: HookOffer,
    fields: FormFields,
    problems: ReadonlyArray<FieldProblem>,
    language: Language
  ) {
    const [first] = problems
    const failUrl = first === undefined ? null : returnTo(offer.hook.failUrl, first.code)
    if (failUrl !== null) return HttpServerResponse.empty({ status: 303, headers: { location: failUrl, ...unkept } })
    const status = first === undefined ? 200 : entry(first.code).status
    const face = yield* faceOf(offer.seller)
    return answer(hookPage({ ...offer, face, fields, problems, settings, language }), language, status)
  })

  const taken = Effect.fnUntraced(function* (id: string, visited: Visit, request: Request, fields: FormFields) {
    const asked = askedBy(visited, request, fields)
    const here = { ...visited, language: asked.lang ?? visited.language }
    const standing = isHookId(id) ? yield* count(id) : null
    const site = siteOf(request, settings.baseUrl)
    if (standing?.allowed === false) {
      yield* note(id, limited, { fields, site })
      return tooMany(here, standing)
    }
    const offer = yield* formHooks.show(id as FormHookId)
    const told = { site, sender: senderOf(engine, request) }
    const problems = formProblems(offer.hook, fields, settings)
    const isDraft = visited.parameters("draft") === "1"
    const noted = (error: Refusal | FormCaught) =>
      isDraft ? Effect.void : note(id, error, { fields, site, ...(problems.length > 0 && { faults: problems }) })
    const [first] = problems
    const answered =
      first === undefined && !isDraft
        ? Effect.map(formHooks.submit(id as FormHookId, fields, told), (made) => toPay(engine, made.id, asked))
        : formHooks
            .admit(id as FormHookId, fields, told)
            .pipe(
              Effect.andThen(first === undefined ? Effect.void : noted(first)),
              Effect.andThen(back(offer, fields, problems, here.language))
            )
    return yield* answered.pipe(
      Effect.tapError(noted),
      Effect.catchTag("FormCaught", ({ invoiceId }) => Effect.succeed(toPay(engine, invoiceId, asked))),
      Effect.catch((error: Refusal) => refused(error, here, offer))
    )
  })

  const submit = (id: string, asked: Visit) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const unread = { fields: [], site: siteOf(request, settings.baseUrl) }
      const fields = yield* Effect.tapError(readForm(request), (error) => note(id, error, unread))
      return yield* taken(id, asked, request, fields)
    }).pipe(Effect.catch((error: Refusal) => refused(error, asked, null)))

  return { show, submit, tooMany }
}

/** Who sends a form, as far as that can be told: of two people behind one address, their browsers may differ. */
const senderOf = ({ settings }: EngineService, { remoteAddress, headers }: Request): string => {
  const { subject } = visitorOf(remoteAddress, settings.pagesPerMinute, settings)
  return [subject, headers["user-agent"], headers["accept-language"]].join(" ")
}

/** The seller's page for what goes wrong, told what did. There is no invoice that it could name. */
const returnTo = (failUrl: string | null, code: Code): string | null => {
  const address = returnWith(failUrl, { INVOICE_ID: "", STATUS: "failed" })
  const url = address === null ? null : URL.parse(address)
  url?.searchParams.append("error", code)
  return url?.href ?? null
}

const unkept = { "cache-control": "no-store", "referrer-policy": "no-referrer" }
