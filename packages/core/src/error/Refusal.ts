/** How refusals are made that say no more than their code. */
import { Data } from "effect"
import type { Code } from "./ErrorCatalog.ts"

/** The class of a refusal: `_tag` is its name in the program, `code` the catalogue's. */
export const refusal = <Tag extends string, C extends Code>(tag: Tag, code: C) =>
  class extends Data.TaggedError(tag) {
    readonly code = code
  }
