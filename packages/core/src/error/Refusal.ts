/** How refusals are made that say no more than their code. */
import { type Cause, Data } from "effect"
import type { Code } from "./ErrorCatalog.ts"

/** A refusal with nothing but its code. The type is written out, since declarations cannot name the class's own. */
type Plain<Tag extends string, C extends Code> = Cause.YieldableError & { readonly _tag: Tag; readonly code: C }

/** The class of a refusal: `_tag` is its name in the program, `code` the catalogue's. */
export const refusal = <Tag extends string, C extends Code>(tag: Tag, code: C): (new () => Plain<Tag, C>) =>
  class extends Data.TaggedError(tag) {
    readonly code = code
  }
