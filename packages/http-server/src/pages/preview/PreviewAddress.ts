/** What a page names as its image, where there is one. */
import { Engine } from "@tolem/core/engine/Engine"
import { Effect, Option } from "effect"
import type { Language } from "../Language.ts"

/** The address of the image of the page at an address; null where nothing draws it. */
export const make = Effect.gen(function* () {
  const { pictureMaker } = yield* Engine
  const drawn = Option.match(pictureMaker, { onNone: () => Effect.succeed(false), onSome: ({ canDraw }) => canDraw })
  return (pageUrl: string, language: Language): Effect.Effect<string | null> =>
    Effect.map(drawn, (is) => (is ? `${pageUrl}/preview.png?lang=${language}` : null))
})
