/** A store and a sender in memory that do what the ports say, and that can be made to fail. */
import { Effect, Option } from "effect"
import { StorageError } from "../../../src/error/StorageError.ts"
import type { InvoiceEvent } from "../../../src/invoice/Invoice.ts"
import { deliveryAfter } from "../../../src/webhook/Delivery.ts"
import { healthAfter, isPaused } from "../../../src/webhook/sending/EndpointHealth.ts"
import type { SendFailure, WebhookRequest, WebhookResponse } from "../../../src/webhook/sending/WebhookSender.ts"
import type { Attempt, Delivery, Endpoint, Job } from "../../../src/webhook/Webhook.ts"
import {
  EndpointNotFound,
  type Settlement,
  TooManyEndpoints,
  type WebhookStore
} from "../../../src/webhook/WebhookStore.ts"
import { invoice } from "../../invoice/given.ts"

interface Row {
  delivery: Delivery
  readonly event: InvoiceEvent | null
  lease: string | null
  starts: number
  readonly attempts: Array<Attempt>
}

type Verb = "due" | "dueOf" | "claim" | "reclaim" | "settleMany" | "release" | "takeProbe"

export const storageAway = (operation: string, retryable = true) =>
  new StorageError({ operation, outcome: "nothing_written", retryable, cause: "away" })

export const makeStore = () => {
  const endpoints = new Map<string, Endpoint>()
  const rows = new Map<string, Row>()
  const calls: Record<Verb, number> = {
    due: 0,
    dueOf: 0,
    claim: 0,
    reclaim: 0,
    settleMany: 0,
    release: 0,
    takeProbe: 0
  }
  /** What a verb does before its work, once per element; `undefined` does nothing. */
  const trouble: Partial<Record<Verb | "heardClaim", Array<Effect.Effect<void, StorageError>>>> = {}

  const verb = <A, E>(name: Verb, work: () => A | Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | StorageError> => {
      calls[name]++
      const before = trouble[name]?.shift() ?? Effect.void
      return Effect.flatMap(before, () => {
        const result = work()
        return Effect.isEffect(result) ? result : Effect.succeed(result)
      })
    })

  const all = () => [...rows.values()]
  const precedes = (a: Delivery, b: Delivery) =>
    a.status === "pending" && a.endpointId === b.endpointId && a.invoiceId === b.invoiceId && a.sequence < b.sequence

  const change = (id: string, members: Partial<Endpoint>) => {
    const endpoint = endpoints.get(id)
    if (endpoint !== undefined) endpoints.set(id, { ...endpoint, ...members })
  }

  const settle = ({ job, attempt, outcome }: Settlement, now: number): boolean => {
    const row = rows.get(job.delivery.id)
    if (row === undefined || row.lease !== job.lease) return false
    const endpoint = endpoints.get(job.endpoint.id)!
    row.lease = null
    row.starts = 0
    row.attempts.push(attempt)
    row.delivery = deliveryAfter(row.delivery, row.delivery.attemptCount + 1, outcome, now)
    change(endpoint.id, healthAfter({ outcome, claimedAt: job.endpoint.pauseCount }, endpoint))
    return true
  }

  const isOpen = (row: Row, now: number) => {
    const endpoint = endpoints.get(row.delivery.endpointId)!
    return (
      row.delivery.status === "pending" && row.delivery.dueAt <= now && !endpoint.disabled && !isPaused(endpoint, now)
    )
  }
  const byAge = (a: Row, b: Row) => a.delivery.dueAt - b.delivery.dueAt

  const start = (chosen: ReadonlyArray<Row>, { until, lease }: { readonly until: number; readonly lease: string }) =>
    chosen.map((row): Job => {
      row.lease = lease
      row.starts++
      row.delivery = { ...row.delivery, dueAt: until }
      const fact = row.event === null ? null : { event: row.event, invoice: invoice({ id: row.event.invoiceId }) }
      const endpoint = endpoints.get(row.delivery.endpointId)!
      return { delivery: row.delivery, endpoint, fact, lease, starts: row.starts }
    })

  const store: WebhookStore["Service"] = {
    addEndpoint: (endpoint, limit) =>
      Effect.suspend(() => {
        const same = [...endpoints.values()].filter((each) => owns(endpoint, each))
        if (same.length >= limit) return Effect.fail(new TooManyEndpoints())
        endpoints.set(endpoint.id, endpoint)
        return Effect.succeed(true)
      }),
    endpoints: (owner) => Effect.sync(() => [...endpoints.values()].filter((each) => owns(owner, each))),
    organizationOf: (id) => Effect.sync(() => Option.fromUndefinedOr(endpoints.get(id)?.organizationId)),
    patchEndpoint: (owner, id, patch, now) =>
      Effect.suspend(() => {
        const endpoint = endpoints.get(id)
        if (endpoint === undefined || !owns(owner, endpoint)) return Effect.fail(new EndpointNotFound())
        const next: Endpoint = { ...endpoint, ...patch, updatedAt: now }
        endpoints.set(id, next)
        return Effect.succeed(next)
      }),
    removeEndpoint: (_owner, id) => Effect.sync(() => void endpoints.delete(id)),
    addDelivery: (delivery) =>
      Effect.sync(() => {
        if (!endpoints.has(delivery.endpointId)) return false
        const event = all().find((row) => row.delivery.eventId === delivery.eventId)?.event ?? null
        rows.set(delivery.id, { delivery, event, lease: null, starts: 0, attempts: [] })
        return true
      }),
    deliveries: (query) =>
      Effect.sync(() => {
        const matching = all()
          .map((row) => row.delivery)
          .filter((each) => each.endpointId === query.endpointId)
          .filter((each) => query.status === null || each.status === query.status)
          .reverse()
        return { total: matching.length, deliveries: matching.slice(query.offset, query.offset + query.limit) }
      }),
    delivery: (endpointId, id) =>
      Effect.sync(() => {
        const row = rows.get(id)
        if (row === undefined || row.delivery.endpointId !== endpointId) return Option.none()
        return Option.some({ delivery: row.delivery, attempts: row.attempts })
      }),
    due: ({ now, after, limit }) =>
      verb("due", () => {
        const due = Map.groupBy(
          all().filter((row) => row.starts === 0 && isOpen(row, now)),
          ({ delivery }) => delivery.endpointId
        )
        const looked = [...due.keys()].filter((id) => after === null || id > after).toSorted()
        const found = looked.slice(0, limit).map((id) => {
          const { organizationId, mode } = endpoints.get(id)!
          return { id, organizationId, mode, dueAt: Math.min(...due.get(id)!.map(({ delivery }) => delivery.dueAt)) }
        })
        return { endpoints: found, next: looked.length > limit ? found.at(-1)!.id : null }
      }),
    dueOf: (tenants, now) =>
      verb("dueOf", () => {
        const due = Map.groupBy(
          all().filter((row) => row.starts === 0 && isOpen(row, now)),
          ({ delivery }) => delivery.endpointId
        )
        return [...due].flatMap(([id, own]) => {
          const { organizationId, mode } = endpoints.get(id)!
          if (!tenants.some((tenant) => tenant.organizationId === organizationId && tenant.mode === mode)) return []
          return [{ id, organizationId, mode, dueAt: Math.min(...own.map(({ delivery }) => delivery.dueAt)) }]
        })
      }),
    claim: (request) =>
      verb("claim", () => {
        const free = all()
          .filter((row) => row.starts === 0 && isOpen(row, request.now))
          .filter((row) => !all().some((other) => precedes(other.delivery, row.delivery)))
          .toSorted(byAge)
        const chosen = request.endpoints.flatMap((id) =>
          free.filter(({ delivery }) => delivery.endpointId === id).slice(0, request.each)
        )
        const claimed = start(chosen.toSorted(byAge), request)
        return Effect.as(trouble.heardClaim?.shift() ?? Effect.void, claimed)
      }),
    reclaim: (request) =>
      verb("reclaim", () => {
        const lost = all()
          .filter((row) => row.starts > 0 && isOpen(row, request.now))
          .toSorted(byAge)
        const some = request.limits.flatMap((limit, index) =>
          lost.filter(({ starts }) => starts === index + 1).slice(0, limit)
        )
        return start([...some, ...lost.filter(({ starts }) => starts > request.limits.length)], request)
      }),
    settleMany: (settlements, now) => verb("settleMany", () => settlements.map((each) => settle(each, now))),
    release: (jobs, dueAt) =>
      verb("release", () => {
        for (const job of jobs) {
          const row = rows.get(job.delivery.id)
          if (row?.lease !== job.lease) continue
          row.lease = null
          row.starts--
          row.delivery = { ...row.delivery, dueAt }
        }
      }),
    forgetAttempts: () => Effect.succeed(0),
    tendMonths: () => Effect.void,
    gatherDeliveries: () => Effect.succeed(0),
    forgetBodies: () => Effect.succeed({ removed: 0, next: null }),
    forgetDeliveries: () => Effect.succeed({ removed: 0, next: null }),
    takeProbe: (endpointId, pausedUntil, until) =>
      verb("takeProbe", () => {
        if (endpoints.get(endpointId)?.pausedUntil !== pausedUntil) return false
        change(endpointId, { pausedUntil: until })
        return true
      })
  }

  return {
    store,
    calls,
    trouble,
    endpoints,
    change,
    add: (delivery: Delivery, event: InvoiceEvent | null) =>
      rows.set(delivery.id, { delivery, event, lease: null, starts: 0, attempts: [] }),
    delivery: (id: string): Delivery => rows.get(id)!.delivery,
    starts: (id: string): number => rows.get(id)!.starts,
    /** As if a server had started the delivery so often and had ended each time. */
    lose: (id: string, starts: number) => {
      rows.get(id)!.starts = starts
    },
    /** Ends every lease. */
    passLease: () => {
      for (const row of all()) if (row.lease !== null) row.delivery = { ...row.delivery, dueAt: 0 }
    },
    attempts: (id: string): ReadonlyArray<Attempt> => rows.get(id)!.attempts,
    statuses: () => all().map((row) => row.delivery.status)
  }
}

const owns = (owner: { readonly organizationId: string; readonly mode: string }, endpoint: Endpoint): boolean =>
  owner.organizationId === endpoint.organizationId && owner.mode === endpoint.mode

/** What a receiver does. */
export type Receiver = (request: WebhookRequest) => Effect.Effect<WebhookResponse, SendFailure>

export const answering =
  (status: number, body = ""): Receiver =>
  () =>
    Effect.succeed({ status, body, durationMs: 0 })
