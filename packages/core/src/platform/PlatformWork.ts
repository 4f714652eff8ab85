/** Use-case of operators: what needs a person, over all organizations. */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { refusal } from "../error/Refusal.ts"
import { FieldRefused } from "../error/Refusals.ts"
import { queryLimit } from "../value/QueryChecks.ts"
import { type Work, type WorkKind, type WorkPage, type WorkPlace, WorkStore, workKinds } from "./WorkStore.ts"

/** How many there are of a kind, counted up to a bound. */
export interface WorkCount {
  readonly kind: WorkKind
  readonly count: number
  /** Whether there are more than that. */
  readonly more: boolean
  /** Since when the first of them. */
  readonly since: number | null
}

/** A page of a kind, and the text that the next one is asked for with; null: there is none. */
export interface WorkList {
  readonly kind: WorkKind
  readonly items: ReadonlyArray<Work>
  readonly next: string | null
}

/** Which page, as text from a query string. */
export interface WorkRequest {
  readonly after?: unknown
  readonly limit?: unknown
}

/** There is no such kind. */
export class WorkKindNotFound extends refusal("WorkKindNotFound", "work_kind_not_found") {}

/** Up to where things are counted. */
const counted = 100

/** For how long what ended for good is shown: deliveries and letters. */
const windowMs = 7 * 24 * 3_600_000
/** Orders that were made before are over: their agent looks at those of `tariffs.orderMs` only, people at these. */
const orderWindowMs = 365 * 24 * 3_600_000

const pages = { defaultPageSize: 50, maxPageSize: 200 }

const make = Effect.gen(function* () {
  const store = yield* WorkStore

  const page = (kind: WorkKind, after: WorkPlace | null, limit: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      store.work(kind, { after, now, limit, from: now - (kind === "order_unfulfilled" ? orderWindowMs : windowMs) })
    )

  const counts = Effect.fn("PlatformWork.counts")(function* () {
    return yield* Effect.forEach(workKinds, (kind) =>
      Effect.map(page(kind, null, counted), (found) => countOf(kind, found))
    )
  })

  const list = Effect.fn("PlatformWork.list")(function* (named: string, request: WorkRequest) {
    const kind = workKinds.find((known) => known === named)
    if (kind === undefined) return yield* new WorkKindNotFound()
    const { after, limit } = yield* Effect.fromResult(checkRequest(request))
    const { items, next } = yield* page(kind, after, limit)
    const shown: WorkList = { kind, items, next: next === null ? null : `${next.at}.${next.id}` }
    return shown
  })

  return {
    /** How many things of each kind need a person, up to 100. */
    counts,
    /** A page of a kind. Fails with `WorkKindNotFound`, or with `FieldRefused` if there is no such place or limit. */
    list
  }
})

/** What needs a person, over all organizations. */
export class PlatformWork extends Context.Service<PlatformWork, Effect.Success<typeof make>>()(
  "@tolem/core/PlatformWork"
) {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(PlatformWork, make)
}

const countOf = (kind: WorkKind, { items, next }: WorkPage): WorkCount => ({
  kind,
  count: items.length,
  more: next !== null,
  since: items.length === 0 ? null : Math.min(...items.map(({ since }) => since))
})

const checkRequest = (request: WorkRequest) =>
  Result.gen(function* () {
    const after = yield* placeFrom(request.after)
    const limit = yield* Result.mapError(queryLimit(request.limit, pages), (code) => new FieldRefused({ code }))
    return { after, limit }
  })

const placeFrom = (after: unknown): Result.Result<WorkPlace | null, FieldRefused<"invalid_after">> => {
  if (after === undefined || after === null || after === "") return Result.succeed(null)
  const [, at, id] = (typeof after === "string" && /^(\d{1,15})\.([\w-]{1,64})$/.exec(after)) || []
  return at === undefined || id === undefined
    ? Result.fail(new FieldRefused({ code: "invalid_after" }))
    : Result.succeed({ at: Number(at), id })
}
