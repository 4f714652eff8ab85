/** Flags and pages of lists. */
import type { PageCode } from "@tolem/core/value/QueryChecks"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { CommandFailed } from "./Failures.ts"
import * as Flags from "./Flags.ts"
import { type Columns, parts, placeOf, table } from "./Tables.ts"

/** `--limit` and `--offset`. */
export const pageFlags = {
  limit: Flag.Int("limit").pipe(Flag.withDescription("Maximum rows"), Flag.withDefault(50)),
  offset: Flag.Int("offset").pipe(Flag.withDescription("Rows to skip"), Flag.withDefault(0))
}

/** `--search`, `--limit` and `--offset`. */
export const flags = {
  search: Flags.text("search", "TEXT", "Part of a name, phone, number or id").pipe(Flag.optional),
  ...pageFlags
}

const maxLimit = 1000

/** Which page is asked for. */
export interface PageFlags {
  readonly limit: number
  readonly offset: number
}

/** The page that flags ask for. Fails with the codes of the interface if it is none. */
export const pageOf = ({ limit, offset }: PageFlags) =>
  Effect.gen(function* () {
    const wrongLimit = `--limit must be from 1 to ${maxLimit}, not ${limit}`
    if (limit < 1 || limit > maxLimit) return yield* refused("invalid_limit", wrongLimit)
    if (offset < 0) return yield* refused("invalid_offset", `--offset must be at least 0, not ${offset}`)
    return { limit, offset }
  })

const refused = (error: PageCode, message: string) => Effect.fail(new CommandFailed({ error, message }))

/** The query of a list that can be searched. */
export const query = ({ search, ...page }: PageFlags & { readonly search: Option.Option<string> }) =>
  Effect.map(pageOf(page), (bounds) => ({ search: Option.getOrNull(search), ...bounds }))

/** A page of a list that the engine answers as a whole: merchants have a bounded number of what is in it. */
export const slice = <Row>(all: ReadonlyArray<Row>, given: PageFlags) =>
  Effect.map(pageOf(given), ({ limit, offset }) => ({
    total: all.length,
    limit,
    offset,
    rows: all.slice(offset, offset + limit)
  }))

/** A page for people: the table, and where in the list it is. */
export const paged = <Row>(
  page: { readonly total: number; readonly offset: number },
  rows: ReadonlyArray<Row>,
  columns: Columns<Row>
): string => parts(table(rows, columns), placeOf(page, rows.length))

/** `--id`, of what a list shows. */
export const id = Flags.text("id", "ID", "Id, as the list shows it")
