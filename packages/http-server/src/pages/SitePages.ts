/** What a site has beside its pages: the icon that browsers ask every site for, and the script for other sites. */
import { type Html, verbatim } from "@tolem/core/value/Html"
import { Effect, type Layer } from "effect"
import { HttpRouter } from "effect/http"
import { shared } from "../http/RequestRoom.ts"
import { embedScript } from "./EmbedScript.ts"
import * as PageAnswers from "./PageAnswers.ts"

/** `/favicon.ico`, `/favicon.svg` and `/embed.js`. They are constants, so their visitors are not counted. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) =>
  Effect.gen(function* () {
    for (const path of ["/favicon.ico", "/favicon.svg"] as const) {
      yield* router.add("GET", path, shared(Effect.succeed(PageAnswers.image(icon, iconSeconds))))
    }
    yield* router.add("GET", "/embed.js", shared(Effect.succeed(PageAnswers.foreignScript(embedScript))))
  })
)

const iconSeconds = 24 * 60 * 60

/** A bar under a letter: the T of the name, in the colour of the buttons. */
const icon: Html = verbatim`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"
><rect width="32" height="32" rx="9" fill="#00737f"/><path d="M8 10h16M16 10v14" stroke="#fff" stroke-width="4"
stroke-linecap="round"/></svg>`
