/**
 * How an open page learns of changes: by server-sent events, one held request for each page, or by a question for the
 * status that waits for its answer. Neither is a view.
 */
import { visitorOf } from "@tolem/core/access/Visitors"
import { Engine } from "@tolem/core/engine/Engine"
import type { Seat } from "@tolem/core/invoice/changes/InvoiceChanges"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { toIso } from "@tolem/core/value/Calendar"
import type { InvoiceId } from "@tolem/core/value/Ids"
import { Clock, Duration, Effect, Layer, Option, Stream } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestState } from "../http/RequestState.ts"
import { object, refuse, unkept } from "../http/Responses.ts"
import { Draining } from "../operations/Health.ts"
import * as InvoicePages from "./InvoicePages.ts"
import { isWatched, seenOf } from "./PayState.ts"
import { countStatus } from "./Visit.ts"

/** How soon those who wait are told once the server stops. */
const stopsWithin = "250 millis"

/** `/pay/{id}/changes` and `/pay/{id}/status`. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine | InvoiceStore | Draining> =
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { settings, visitors, changes, clocks } = yield* Engine
      const { holdMs, waitMs, beatMs } = settings.watching
      const store = yield* InvoiceStore
      const draining = yield* Draining
      const { serving } = yield* InvoicePages.make
      const stopping = Effect.repeat(Effect.sleep(stopsWithin), { until: () => draining.stopping })

      const sit = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) => {
        const { subject, limit } = visitorOf(remoteAddress, settings.watching.ofVisitor, settings)
        return () => changes.sit(subject, limit)
      })

      const read = Effect.fnUntraced(function* (id: InvoiceId) {
        const found = Option.getOrNull(yield* store.find(id))
        if (found === null) return null
        const within = clocks.within(found.organizationId, found.mode)
        return { invoice: found, now: yield* within(Clock.currentTimeMillis) }
      })

      /** The invoice once the page shows something else of it; null: the time is up, or the place is lost. */
      const next = (seat: Seat, { id, version }: Invoice, seen: string, untilMs: number) =>
        Effect.gen(function* () {
          let known = version
          for (;;) {
            if (!(yield* seat.changed(id, known))) return null
            const current = yield* read(id)
            if (current === null || seenOf(current.invoice) !== seen) return current
            known = current.invoice.version
          }
        }).pipe(
          Effect.raceFirst(Effect.as(stopping, null)),
          Effect.timeoutOption(Duration.millis(untilMs)),
          Effect.map((found) => (Option.isNone(found) ? "silence" : found.value))
        )

      const stream = (first: Invoice, now: number, seat: Seat) =>
        Stream.unfold(
          { invoice: first, now, leftMs: holdMs, isTold: false },
          Effect.fnUntraced(function* (state) {
            const { invoice, leftMs } = state
            if (!state.isTold) return [`retry: 3000\n${told(invoice, state.now)}`, { ...state, isTold: true }] as const
            if (!isWatched(invoice) || leftMs <= 0 || draining.stopping) return undefined
            const heard = yield* next(seat, invoice, seenOf(invoice), Math.min(beatMs, leftMs))
            if (heard === null) return undefined
            const rest = { ...state, leftMs: leftMs - beatMs }
            // A line that says nothing keeps proxies from giving the connection up.
            return heard === "silence" ? [":\n\n", rest] : [told(heard.invoice, heard.now), { ...rest, ...heard }]
          })
        )

      const listen: InvoicePages.Serve = Effect.fnUntraced(function* ({ invoice }, { now }) {
        const take = yield* sit
        // Taken by the stream itself: one that is never begun holds no place.
        const held = Stream.unwrap(
          Effect.sync(() => {
            const seat = take()
            if (seat === null) return Stream.make(":\n\n")
            return Stream.ensuring(stream(invoice, now, seat), Effect.sync(seat.leave))
          })
        )
        const body = held.pipe(
          Stream.catchCause(() => Stream.empty),
          Stream.encodeText
        )
        return HttpServerResponse.stream(body, {
          contentType: "text/event-stream",
          // Proxies would keep lines back until there are many.
          headers: { ...unkept, "x-accel-buffering": "no" }
        })
      })

      const status: InvoicePages.Serve = Effect.fnUntraced(function* ({ invoice, seller: _ }, { now, parameters }) {
        const seen = parameters("seen")
        const waits = seen !== undefined && seen === seenOf(invoice) && isWatched(invoice) && !draining.stopping
        if (!waits) return object(factsOf(invoice, now), 200, unkept)
        const seat = (yield* sit)()
        if (seat === null) return refuse("too_many_waiting", unkept)
        const waiting = Effect.ensuring(next(seat, invoice, seen, waitMs), Effect.sync(seat.leave))
        const [duration, heard] = yield* Effect.timed(waiting)
        const state = yield* RequestState
        if (state !== undefined) state.waitedNanos += Option.getOrElse(Duration.toNanos(duration), () => 0n)
        const current = heard === null || heard === "silence" ? yield* read(invoice.id) : heard
        return current === null ? null : object(factsOf(current.invoice, current.now), 200, unkept)
      })

      const counted = () => countStatus(visitors, settings)
      yield* router.add("GET", "/pay/:id/changes", serving(listen, InvoicePages.jsonRefusals, counted))
      yield* router.add("GET", "/pay/:id/status", serving(status, InvoicePages.jsonRefusals, counted))
    })
  ).pipe(Layer.provide(Digest.layerWebCrypto))

/** What a page is told. `leftMs` is by the invoice's own clock, which may be ahead of that of the answer. */
const factsOf = (invoice: Invoice, now: number) => {
  const { status, expiresAt } = invoice
  const leftMs = expiresAt === null ? null : Math.max(0, expiresAt - now)
  return { status, expiresAt: expiresAt === null ? null : toIso(expiresAt), leftMs, seen: seenOf(invoice) }
}

const told = (invoice: Invoice, now: number): string => `data: ${JSON.stringify(factsOf(invoice, now))}\n\n`
