/** Style sheets of merchants' colours, each with what the Content-Security-Policy knows it by. */
import { shadesOf } from "@tolem/core/face/Shades"
import { type Html, html } from "@tolem/core/value/Html"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { type Sheet, sourceOf } from "./PolicySource.ts"

/** A style sheet behind the one of all pages. */
export interface Theme extends Sheet {
  /** Of what surrounds the page, by day. */
  readonly colour: string
  /** The same for paper, which is white whatever the screen is. */
  readonly onPaper: Sheet
}

/** The theme of a colour, `#rrggbb`; null: pages look as they always do. Those asked for last are kept. */
export const make: Effect.Effect<(colour: string | null) => Effect.Effect<Theme | null>, never, Digest.Digest> =
  Effect.gen(function* () {
    const digest = yield* Digest.Digest
    const themes = new Map<string, Theme>()
    const made = Effect.fnUntraced(
      function* (colour: string) {
        const style = styleOf(colour)
        const paper = paperStyleOf(colour)
        const onPaper = { style: paper, source: yield* sourceOf(paper) }
        const theme = { style, source: yield* sourceOf(style), colour: shadesOf(colour, "light").glow, onPaper }
        const [oldest] = themes.keys()
        if (themes.size >= maxThemes && oldest !== undefined) themes.delete(oldest)
        themes.set(colour, theme)
        return theme
      },
      Effect.provideService(Digest.Digest, digest)
    )
    return (colour) => {
      if (colour === null) return Effect.succeed(null)
      const known = themes.get(colour)
      return known === undefined ? made(colour) : Effect.succeed(known)
    }
  })

const maxThemes = 500

// Before the colours that a sheet gives itself, whichever comes last.
const paperStyleOf = (colour: string): Html => {
  const { accent, soft } = shadesOf(colour, "light")
  return html`html:root{--accent:${accent};--accent-soft:${soft}}`
}

const styleOf = (colour: string): Html => {
  const of = (time: "light" | "dark") => {
    const { accent, soft, button, onButton, glow } = shadesOf(colour, time)
    const words = html`--accent:${accent};--accent-soft:${soft};--button:${button};--on-accent:${onButton}`
    return html`:root{${words};--glow:${glow}}`
  }
  return html`${of("light")}@media(prefers-color-scheme:dark){${of("dark")}}`
}
