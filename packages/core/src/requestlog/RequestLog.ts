/**
 * The requests of keys, for the people who write against the API. A request only remembers what is known of it when it
 * is answered; an agent writes what many have left, so that none waits for it. What a crash loses is a second of
 * something that is for people to read.
 */
import { Clock, Context, Effect, Layer, Queue } from "effect"
import * as AgentRuns from "../measure/AgentRuns.ts"
import { type Tenant, tenantKey } from "../value/Tenant.ts"
import * as FairLines from "../work/FairLines.ts"
import { type LoggedRequest, type RequestPlace, requestHourMs, requestHourOf } from "./LoggedRequest.ts"
import { RequestLogSettings } from "./RequestLogSettings.ts"
import { type LoggedHour, RequestLogStore } from "./RequestLogStore.ts"

/** Which requests a developer looks for. */
export interface RequestSearch {
  readonly before: RequestPlace | null
  readonly errorsOnly: boolean
  readonly requestId: string | null
  readonly limit: number
}

type Gathered = Omit<LoggedHour, "kept"> & { requests: number; refused: number; failed: number }

/** Rows that are written together: some milliseconds of a database that others write to meanwhile. */
const portion = 250

const make = Effect.gen(function* () {
  const store = yield* RequestLogStore
  const { keptMs, perHour, maxGathered, maxCounted } = (yield* RequestLogSettings).requestLog
  const hints = yield* Queue.sliding<void>(1)
  let counts = new Map<string, Gathered>()
  const lines = FairLines.make<LoggedRequest>(maxGathered)

  const note = (request: LoggedRequest) => {
    const key = keyOf(request)
    let count = counts.get(key)
    if (count === undefined) {
      if (perHour < 1 || counts.size >= maxCounted) return
      const { organizationId, mode, at } = request
      count = { organizationId, mode, hourAt: requestHourOf(at), requests: 0, refused: 0, failed: 0 }
      counts.set(key, count)
      Queue.offerUnsafe(hints, undefined)
    }
    count.requests++
    if (request.status >= 500) count.failed++
    else if (request.status >= 400) count.refused++
    lines.add(tenantKey(request), [request])
  }

  /** Takes out all that is gathered, in portions. */
  const taken = (): ReadonlyArray<ReadonlyArray<LoggedHour>> => {
    const groups = new Map(Array.from(counts, ([key, count]) => [key, { ...count, kept: [] as LoggedRequest[] }]))
    counts = new Map()
    for (let request = lines.take(); request !== undefined; request = lines.take()) {
      groups.get(keyOf(request))?.kept.push(request)
    }
    const hours = Array.from(groups.values(), (hour): LoggedHour => ({ ...hour, kept: newest(hour.kept, perHour) }))
    return portionsOf(hours)
  }

  const since = Effect.map(Clock.currentTimeMillis, (now) => now - keptMs)

  return {
    /** Remembers a request. Memory is bounded: beyond that requests are counted, or not even that. */
    note,
    /** Writes what is remembered. What fails is remembered no longer. */
    flush: Effect.suspend(() => Effect.forEach(taken(), (hours) => store.add(hours, perHour), { discard: true })),
    /** Waits until there is something to write. */
    some: Queue.take(hints),
    /** Requests of the last day that are kept, the newest first. */
    list: (tenant: Tenant, search: RequestSearch) =>
      Effect.flatMap(since, (at) => store.list(tenant, { ...search, since: at })),
    /** How many requests there were in each hour of the last day that had any. */
    hours: (tenant: Tenant) => Effect.flatMap(since, (at) => store.hours(tenant, requestHourOf(at) + requestHourMs))
  }
})

/** The requests of the last day. */
export class RequestLog extends Context.Service<RequestLog, Effect.Success<typeof make>>()("@tolem/core/RequestLog") {
  /** The log over its store. */
  static readonly layer = Layer.effect(RequestLog, make)

  /** Agent: writes a while after there is something to write, and once more when it stops. */
  static readonly agent: Layer.Layer<never, never, RequestLog> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { flush, some } = yield* RequestLog
      const { gatherMs } = (yield* RequestLogSettings).requestLog
      const write = Effect.catchCause(flush, (cause) =>
        Effect.andThen(AgentRuns.failed("RequestLog", "job"), Effect.logWarning("RequestLog: not written", cause))
      )
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(write, stopGraceMs)))
      yield* some.pipe(Effect.andThen(Effect.sleep(gatherMs)), Effect.andThen(write), Effect.forever, Effect.forkScoped)
    })
  )
}

const stopGraceMs = 1_000

const keyOf = (request: LoggedRequest): string => `${requestHourOf(request.at)} ${tenantKey(request)}`

/** What would still be kept if all were written: more need not be sent. */
const newest = (requests: ReadonlyArray<LoggedRequest>, perHour: number): ReadonlyArray<LoggedRequest> => {
  if (requests.length <= perHour) return requests
  const errors = requests.filter(({ status }) => status >= 400).slice(-perHour)
  return [...requests.filter(({ status }) => status < 400).slice(-perHour), ...errors]
}

const portionsOf = (hours: ReadonlyArray<LoggedHour>): ReadonlyArray<ReadonlyArray<LoggedHour>> => {
  const portions: Array<Array<LoggedHour>> = []
  let room = 0
  for (const hour of hours) {
    if (room <= 0) {
      portions.push([])
      room = portion
    }
    portions.at(-1)?.push(hour)
    room -= 1 + hour.kept.length
  }
  return portions
}
