/** Use-cases of money that has moved: the statement of a period, and the report of a till. They change nothing. */
import { Clock, Context, Effect, Layer } from "effect"
import { SandboxClocks } from "../../time/SandboxClocks.ts"
import type { Outlook } from "../Desks.ts"
import type { Sight } from "../InvoiceFilters.ts"
import type { Period } from "../Periods.ts"
import { isEmpty, sightOf } from "../Reports.ts"
import { type MovedSums, type Movement, type MovementQuery, MovementStore } from "./MovementStore.ts"
import { checkShift, checkStatement, type StatementRequest } from "./StatementRequests.ts"

/** The statement of a period. */
export interface Statement {
  readonly period: Period
  readonly sums: MovedSums
}

/** The report of a till, or of all, between two instants. */
export interface Shift {
  readonly query: MovementQuery
  readonly sums: MovedSums
  readonly first: Movement | null
  readonly last: Movement | null
}

const nothing: MovedSums = { days: [], cashiers: [], sources: [] }

const make = Effect.gen(function* () {
  const store = yield* MovementStore
  const { entering } = yield* SandboxClocks

  const statement = Effect.fn("Statements.statement")(function* (sight: Sight, asked: StatementRequest) {
    const now = yield* Clock.currentTimeMillis
    const { period, query } = yield* Effect.fromResult(checkStatement(sight, asked, now))
    return { period, sums: isEmpty(sight) ? nothing : yield* store.sums(query) } satisfies Statement
  })

  const shift = Effect.fn("Statements.shift")(function* (sight: Sight, asked: StatementRequest) {
    const now = yield* Clock.currentTimeMillis
    const query = yield* Effect.fromResult(checkShift(sight, asked, now))
    if (isEmpty(sight)) return { query, sums: nothing, first: null, last: null } satisfies Shift
    const sums = yield* store.sums(query)
    const edges = yield* store.edges(query)
    return { query, sums, first: edges[0] ?? null, last: edges.at(-1) ?? null } satisfies Shift
  })

  return {
    /** What was paid and given back in a period of days, by the clock of the mode. */
    statement: (desk: Outlook, asked: StatementRequest) => entering(statement)(sightOf(desk), asked),
    /** The same between two instants, with the first and the last payment. */
    shift: (desk: Outlook, asked: StatementRequest) => entering(shift)(sightOf(desk), asked)
  }
})

/** The use-cases of statements. */
export class Statements extends Context.Service<Statements, Effect.Success<typeof make>>()("@tolem/core/Statements") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Statements, make)
}
