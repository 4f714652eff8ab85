/** Agents: remove what has been kept for as long as the settings say, each kind of thing by itself. */
import { Clock, Effect, Layer } from "effect"
import { RateStore } from "../access/RateStore.ts"
import { startOf, windowMs } from "../access/RateWindow.ts"
import type { StorageError } from "../error/StorageError.ts"
import { FormHookSettings } from "../formhook/FormHookSettings.ts"
import { refusalDayOf } from "../formhook/FormRefusal.ts"
import { FormRefusalStore } from "../formhook/FormRefusalStore.ts"
import { InvitationStore } from "../invitation/InvitationStore.ts"
import { LoginSettings } from "../login/LoginSettings.ts"
import { LoginStore } from "../login/LoginStore.ts"
import { MailStore } from "../mail/MailStore.ts"
import { PaymentLinkStore } from "../paymentlink/PaymentLinkStore.ts"
import { ServerSettings } from "../platform/ServerSettings.ts"
import { ServerStore } from "../platform/ServerStore.ts"
import { requestHourOf } from "../requestlog/LoggedRequest.ts"
import { RequestLogSettings } from "../requestlog/RequestLogSettings.ts"
import { RequestLogStore } from "../requestlog/RequestLogStore.ts"
import { type AttemptPlace, type ForgettingPlace, WebhookStore } from "../webhook/WebhookStore.ts"
import * as Chores from "./Chores.ts"
import { RetentionSettings } from "./RetentionSettings.ts"

const hourMs = 60 * 60_000
/** Agents that look for deliveries in too few months, after a database was restored, do so until the next gathering. */
const gatheringMs = 5 * 60_000
/** Rows that are removed together: some milliseconds of a database that others write to meanwhile. */
const portion = 250
// Clocks of servers differ by seconds, and attempts are stored seconds after they began; an hour is also long enough
// to tell an expired login from one that never was.
const marginMs = hourMs

/** What a sweep removes, told the instant before which a thing must have ended. */
type Removal = (before: number) => Effect.Effect<void, StorageError>

/** Sweeps for as long as the layer is open; not at all for what is kept for ever. */
const kept = (name: string, keptMs: number | null, removal: Removal, everyMs = hourMs) =>
  keptMs === null
    ? Effect.void
    : Chores.sweepEvery(
        everyMs,
        name,
        Effect.flatMap(Clock.currentTimeMillis, (now) => removal(now - Math.max(0, keptMs)))
      )

/** Forgets windows that requests are no longer counted in. */
const rates: Layer.Layer<never, never, RateStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* RateStore
    const { ratesMs } = (yield* RetentionSettings).retention
    const keptMs = Math.max(ratesMs, 2 * windowMs)
    const removal: Removal = (before) => Chores.exhaust(portion, (limit) => store.forget(startOf(before), limit))
    yield* kept("Janitor of rates", keptMs, removal, keptMs)
  })
)

/** Forgets codes as soon as they count against no limit, and sessions some time after their end. */
export const logins: Layer.Layer<never, never, LoginStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* LoginStore
    const { codes, codeMs } = (yield* LoginSettings).login
    const { sessionsMs } = (yield* RetentionSettings).retention
    const codesMs = Math.max(codes.periodMs, codeMs) + marginMs
    yield* kept("Janitor of logins", 0, (now) =>
      Effect.andThen(
        Chores.exhaust(portion, (limit) => store.forgetChallenges(now - codesMs, limit)),
        Chores.exhaust(portion, (limit) => store.forgetSessions(now - Math.max(0, sessionsMs), limit))
      )
    )
  })
)

/** Forgets invitations that have long ended. */
export const invitations: Layer.Layer<never, never, InvitationStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* InvitationStore
    const { invitationsMs } = (yield* RetentionSettings).retention
    yield* kept("Janitor of invitations", invitationsMs, (before) =>
      Chores.exhaust(portion, (limit) => store.forget(before, limit))
    )
  })
)

/** A cancelled code holds its place at a link for an hour at most. */
const takersMs = 2 * hourMs

/** Forgets which visitor has asked for which place of a link. */
export const takers: Layer.Layer<never, never, PaymentLinkStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* PaymentLinkStore
    yield* kept("Janitor of places", takersMs, (before) =>
      Chores.exhaust(portion, (limit) => store.forgetTakers(before, limit))
    )
  })
)

/** Forgets the requests of hours of which none is shown any more. */
const requestLogs: Layer.Layer<never, never, RequestLogStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* RequestLogStore
    const { keptMs } = (yield* RequestLogSettings).requestLog
    yield* kept("Janitor of requests", keptMs, (before) =>
      Chores.exhaust(portion, (limit) => store.forget(requestHourOf(before), limit))
    )
  })
)

/** Forgets refused forms of days of which none is shown any more. */
const formRefusals: Layer.Layer<never, never, FormRefusalStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* FormRefusalStore
    const { keptMs } = (yield* FormHookSettings).formRefusals
    yield* kept("Janitor of refused forms", keptMs, (before) =>
      Chores.exhaust(portion, (limit) => store.forget(refusalDayOf(before), limit))
    )
  })
)

/** Forgets servers that have ended, or say nothing, for long. Where none is told of there is none to forget. */
const servers: Layer.Layer<never, never, ServerStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ServerStore
    const { isTold, keptMs } = (yield* ServerSettings).servers
    yield* kept("Janitor of servers", isTold ? keptMs : null, (before) =>
      Chores.exhaust(portion, (limit) => store.forget(before, limit))
    )
  })
)

/** Forgets letters that are no longer on their way. */
const letters: Layer.Layer<never, never, MailStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* MailStore
    const { lettersMs } = (yield* RetentionSettings).retention
    yield* kept("Janitor of letters", lettersMs, (before) =>
      Chores.exhaust(portion, (limit) => store.forget(before, limit))
    )
  })
)

const since = (now: number, keptMs: number | null) => (keptMs === null ? null : now - Math.max(0, keptMs))

/** The shorter of two times; null: for ever. */
const shorter = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** Forgets attempts and their bodies by age, and deliveries that have ended, with what attempts there are. */
export const deliveries: Layer.Layer<never, never, WebhookStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* WebhookStore
    const { attemptBodiesMs, deliveriesMs, ...retention } = (yield* RetentionSettings).retention
    const attemptsMs = shorter(retention.attemptsMs, deliveriesMs)
    yield* kept("Janitor of attempts", attemptsMs, (before) =>
      Chores.exhaust(portion, (limit) => store.forgetAttempts(before, limit))
    )
    yield* kept("Janitor of months", 0, (now) =>
      store.tendMonths(now, { attempts: since(now, attemptsMs), deliveries: since(now, deliveriesMs) })
    )
    yield* kept("Janitor of late deliveries", 0, () => Chores.exhaust(portion, store.gatherDeliveries), gatheringMs)
    const bodiesMs = attemptBodiesMs === null ? null : Math.max(attemptBodiesMs, marginMs)
    yield* kept("Janitor of bodies", bodiesMs, (before) =>
      Chores.walk((after: AttemptPlace | null) => store.forgetBodies({ before, limit: portion, after }))
    )
    yield* kept("Janitor of deliveries", deliveriesMs, (before) =>
      Chores.walk((after: ForgettingPlace | null) => store.forgetDeliveries({ before, limit: portion, after }))
    )
  })
)

/** All of them. */
export const layer: Layer.Layer<
  never,
  never,
  | RateStore
  | LoginStore
  | InvitationStore
  | PaymentLinkStore
  | RequestLogStore
  | FormRefusalStore
  | ServerStore
  | MailStore
  | WebhookStore
> = Layer.mergeAll(rates, logins, invitations, takers, requestLogs, formRefusals, servers, letters, deliveries)
