/** A picture that a command is given as a file. */
import { readFile, stat } from "node:fs/promises"
import { maxPictureBytes } from "@tolem/core/picture/Picture"
import { InvalidPicture } from "@tolem/core/picture/PictureMaker"
import { Effect } from "effect"
import { UsageError } from "./Failures.ts"

/** The file. What is larger than any picture may be is not read. */
export const read = (path: string): Effect.Effect<Uint8Array, UsageError | InvalidPicture> =>
  Effect.gen(function* () {
    const message = `--logo: "${path}" cannot be read`
    const attempt = <A>(work: () => Promise<A>) =>
      Effect.tryPromise({ try: work, catch: () => new UsageError({ message }) })
    if ((yield* attempt(() => stat(path))).size > maxPictureBytes) return yield* new InvalidPicture()
    return yield* attempt(() => readFile(path))
  })
