/** Which version of the server runs. */
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { Effect, Schema } from "effect"

const manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

/** Of the package, read when it runs, so that it cannot differ from what is installed. */
export const version: Effect.Effect<string> = Effect.gen(function* () {
  // Sources lie a folder deeper in their package than what is published of them.
  const path = yield* Effect.fromNullishOr(findPackageJSON(import.meta.url))
  const text = yield* Effect.try({ try: () => readFileSync(path, "utf8"), catch: (cause) => cause })
  return (yield* Schema.decodeEffect(manifest)(text)).version
}).pipe(Effect.orDie)
