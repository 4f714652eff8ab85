/** Flags and texts of the operator's lists. */
import { FieldRefused } from "@tolem/core/error/Refusals"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import * as Flags from "../kit/Flags.ts"

/** `--search`, `--limit` and `--offset`. */
export const flags = {
  search: Flags.text("search", "TEXT", "Part of a name, phone, number or id").pipe(Flag.optional),
  limit: Flag.Int("limit").pipe(Flag.withDescription("Maximum rows"), Flag.withDefault(50)),
  offset: Flag.Int("offset").pipe(Flag.withDescription("Rows to skip"), Flag.withDefault(0))
}

const maxLimit = 1000

/** The query of a list. */
export const query = (given: {
  readonly search: Option.Option<string>
  readonly limit: number
  readonly offset: number
}) =>
  Effect.gen(function* () {
    if (given.limit < 1 || given.limit > maxLimit) return yield* new FieldRefused({ code: "invalid_limit" })
    if (given.offset < 0) return yield* new FieldRefused({ code: "invalid_offset" })
    return { search: Option.getOrNull(given.search), limit: given.limit, offset: given.offset }
  })

/** Lines as text, or that there are none. */
export const linesOf = (lines: ReadonlyArray<string>): string =>
  lines.length === 0 ? "There are none." : lines.join("\n")

/** `--id`, of what a list shows. */
export const id = Flags.text("id", "ID", "Id, as the list shows it")
