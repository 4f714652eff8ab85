/** How visitors of any page are told that there is nothing, or not now. */
import type { RateStanding } from "@tolem/core/access/RateWindow"
import type { StorageError } from "@tolem/core/error/StorageError"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { logFailure } from "../http/Responses.ts"
import type { Language } from "./Language.ts"
import { notFoundPage, tooManyPage, unavailablePage } from "./NoticePage.ts"
import type { Answer } from "./PageAnswers.ts"
import { textsOf } from "./texts/Translations.ts"

/** A storage that was away a moment ago may be back. */
const unavailableSeconds = 5

/** How long to wait, as a header. */
export const after = (seconds: number) => ({ "retry-after": String(seconds) })

/** Whose language it is told in: a visit, or what is known of one. */
export interface Reader {
  readonly language: Language
}

/** What each of them gets. */
export const make = (answer: Answer) => ({
  notFound: ({ language }: Reader) => answer(notFoundPage(textsOf(language).notFound), language, 404),
  tooMany: ({ language }: Reader, { retryAfterSeconds: seconds }: Pick<RateStanding, "retryAfterSeconds">) =>
    answer(tooManyPage(textsOf(language).tooMany, seconds), language, 429, after(seconds)),
  unavailable: (
    { language }: Reader,
    { operation, outcome, cause }: Pick<StorageError, "operation" | "outcome" | "cause">
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const page = unavailablePage(textsOf(language).unavailable, unavailableSeconds)
    const told = answer(page, language, 503, after(unavailableSeconds))
    return Effect.as(logFailure("Storage away", cause, { operation, outcome }), told)
  }
})
