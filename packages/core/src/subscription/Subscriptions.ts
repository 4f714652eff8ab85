/** Use-cases of subscriptions. Callers are already authorised; see `Access`. */

import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { refusal } from "../error/Refusal.ts"
import { FieldRefused, Forbidden } from "../error/Refusals.ts"
import type { StorageError } from "../error/StorageError.ts"
import { visibleTo } from "../error/Visibility.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { Caller } from "../invoice/InvoiceCreation.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import { fingerprintOf } from "../secret/Fingerprint.ts"
import { TextDigest } from "../secret/Sha256.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { isGiven, type JsonObject, maxIdempotencyKey, optionalNonEmptyText } from "../value/Checks.ts"
import { Ids, type SubscriptionId } from "../value/Ids.ts"
import { type PageRequest, queryPage } from "../value/QueryChecks.ts"
import { cashierOf, isWithin, scopeOf } from "../value/Tenant.ts"
import * as KeyedLock from "../work/KeyedLock.ts"
import {
  decideSubscription,
  type Subscription,
  type SubscriptionClosed,
  SubscriptionCommand,
  type SubscriptionStatus,
  subscriptionCreated
} from "./Subscription.ts"
import {
  checkSubscription,
  checkSubscriptionPatch,
  type PatchRefused,
  type Sent,
  type SubscriptionDraft
} from "./SubscriptionDraft.ts"
import { SubscriptionRuns } from "./SubscriptionRuns.ts"
import { SubscriptionSettings } from "./SubscriptionSettings.ts"
import { type CommitRefusal, SubscriptionStore } from "./SubscriptionStore.ts"

/** No such subscription, or one that the caller must not know of: of the other mode, or of another cashier. */
export class SubscriptionNotFound extends refusal("SubscriptionNotFound", "subscription_not_found") {}

/** A request as it came: the parsed body, and what only the text or the headers tell. */
export interface SubscriptionRequest extends Sent {
  readonly body: JsonObject
}

/** A request for a run. */
export interface RunRequest {
  /** The Idempotency-Key header. */
  readonly headerKey?: string | undefined
}

/** The invoice of a run, and whether an earlier request with the same key has made it. */
export interface RunResult {
  readonly invoice: Invoice
  readonly replayed: boolean
  readonly mismatch: boolean
}

/** Members of a list request, as text from a query string or as values. Absent ones do not filter. */
export interface SubscriptionListRequest extends PageRequest {
  readonly status?: unknown
}

/** What a create answers. */
export interface SubscribeResult {
  readonly subscription: Subscription
  /** An earlier request with the same idempotency key has made it. */
  readonly replayed: boolean
  /** That request asked for something else. */
  readonly mismatch: boolean
}

/** Why a subscription cannot be shown. */
export type SubscriptionFindError = SubscriptionNotFound | Forbidden | StorageError

/** Why a command fails. */
export type CommandError = SubscriptionFindError | SubscriptionClosed

const make = Effect.gen(function* () {
  const store = yield* SubscriptionStore
  const runs = yield* SubscriptionRuns
  const invoices = yield* InvoiceStore
  const { entering } = yield* SandboxClocks
  const ids = yield* Ids
  const digest = yield* TextDigest
  const settings = yield* SubscriptionSettings
  const turns = yield* KeyedLock.make

  const fingerprint = (body: JsonObject, draft: SubscriptionDraft): string | null => {
    if (draft.idempotencyKey === null) return null
    // Without a date of its own the merchant's request is the same a moment later.
    const { anchorAt, ...rest } = draft
    const asked = isGiven(body["startAt"]) ? { ...rest, anchorAt } : rest
    return fingerprintOf(asked, digest)
  }

  const create = Effect.fn("Subscriptions.create")(function* (caller: Caller, request: SubscriptionRequest) {
    const now = yield* Clock.currentTimeMillis
    const draft = yield* Effect.fromResult(checkSubscription(request.body, request, now, settings))
    const subscription: Subscription = {
      ...draft,
      id: yield* ids.next("sub"),
      organizationId: caller.organizationId,
      mode: caller.mode,
      connectionId: cashierOf(caller),
      status: "active",
      nextIndex: 0,
      nextRunAt: draft.anchorAt,
      lastRunAt: null,
      lastInvoiceId: null,
      runs: 0,
      faults: 0,
      fault: null,
      fingerprint: fingerprint(request.body, draft),
      dueAt: draft.anchorAt,
      createdAt: now,
      updatedAt: now,
      sequence: 1,
      version: 1
    }
    const event = subscriptionCreated(subscription, yield* ids.next("evt"), caller.source)
    const { _tag, subscription: stored } = yield* store.insert(subscription, event)
    if (!isWithin(caller, stored)) return yield* new Forbidden()
    const replayed = _tag === "Replayed"
    return { subscription: stored, replayed, mismatch: replayed && stored.fingerprint !== subscription.fingerprint }
  })

  const shown = (caller: Caller, subscription: Subscription | undefined) =>
    Effect.fromResult(visibleTo(caller, subscription, () => new SubscriptionNotFound()))

  const get = (caller: Caller, id: SubscriptionId) =>
    Effect.flatMap(store.find(id), (found) => shown(caller, Option.getOrUndefined(found)))

  const detail = Effect.fnUntraced(function* (caller: Caller, id: SubscriptionId) {
    const found = Option.getOrUndefined(yield* store.detail(id))
    const subscription = yield* shown(caller, found?.subscription)
    return { subscription, events: found?.events ?? [], runs: found?.runs ?? [] }
  })

  const list = Effect.fnUntraced(function* (caller: Caller, request: SubscriptionListRequest) {
    const statuses = yield* checkStatuses(request.status)
    const bounds = yield* Effect.fromResult(
      Result.mapError(queryPage(request, settings), (code) => new FieldRefused({ code }))
    )
    const query = { ...scopeOf(caller), statuses, search: null, isStuck: false, ...bounds }
    return { ...(yield* store.list(query)), ...bounds }
  })

  /**
   * Only agents and other servers are faster than who has the turn. Then their change was made: so everybody comes
   * through in the end.
   */
  const turnOf = ({ organizationId }: Caller, id: SubscriptionId) => turns(`${organizationId} ${id}`)

  /** Decides on what is stored, again if another writer was faster. */
  const apply = <E extends PatchRefused>(
    caller: Caller,
    id: SubscriptionId,
    commandOf: (subscription: Subscription, now: number) => Effect.Effect<SubscriptionCommand, E>
  ) => {
    const attempt: Effect.Effect<Subscription, E | CommandError | CommitRefusal> = Effect.gen(function* () {
      const subscription = yield* get(caller, id)
      const now = yield* Clock.currentTimeMillis
      const command = yield* commandOf(subscription, now)
      const eventIds = [yield* ids.next("evt"), yield* ids.next("evt")] as const
      const change = yield* Effect.fromResult(
        decideSubscription(subscription, command, { now, eventIds, source: caller.source })
      )
      return change === null ? subscription : (yield* runs.commit(change)).subscription
    })
    const again = Effect.retry(turnOf(caller, id)(attempt), { while: (error) => isChanged(error) })
    // A command makes no invoice.
    return Effect.catchTag(again, ["OverQuota", "SubscriptionChanged"], (error) => Effect.die(error))
  }

  const patch = Effect.fn("Subscriptions.patch")((caller: Caller, id: SubscriptionId, request: SubscriptionRequest) =>
    apply(caller, id, (subscription, now) =>
      Effect.map(
        Effect.fromResult(checkSubscriptionPatch(subscription, request.body, request, now, settings)),
        (given): SubscriptionCommand => SubscriptionCommand.Patch({ patch: given })
      )
    )
  )

  const given = (command: SubscriptionCommand) => (caller: Caller, id: SubscriptionId) =>
    apply(caller, id, () => Effect.succeed(command))

  const run = Effect.fn("Subscriptions.run")(function* (caller: Caller, id: SubscriptionId, request: RunRequest = {}) {
    const asked = optionalNonEmptyText(request.headerKey, maxIdempotencyKey, "invalid_idempotency_key")
    const key = yield* Effect.fromResult(Result.mapError(asked, (code) => new FieldRefused({ code })))
    const attempt = Effect.gen(function* () {
      const subscription = yield* get(caller, id)
      const runKey = key === null ? null : runKeyOf(subscription, key)
      // Behind the read of the version that a new run is guarded by: so none is made beside one that is not seen.
      const found = runKey === null ? Option.none() : yield* invoices.findKey(subscription, runKey)
      if (Option.isSome(found))
        return Effect.succeed<RunResult>({ invoice: found.value, replayed: true, mismatch: false })
      const made = yield* runs.runNow(subscription, caller.source, runKey)
      return Effect.map(made, (invoice): RunResult => ({ invoice, replayed: false, mismatch: false }))
    })
    // The provider is asked afterwards: only the caller waits for it.
    return yield* Effect.flatten(Effect.retry(turnOf(caller, id)(attempt), { while: isChanged })).pipe(
      Effect.catchTag("SubscriptionChanged", (error) => Effect.die(error))
    )
  })

  return {
    /** Fails with `Forbidden` if the idempotency key has made a subscription that the caller must not see. */
    create: entering(create),
    /** One subscription. */
    get,
    /** A page, newest first, and the bounds that were used. */
    list,
    /** The same with its events and runs, oldest first, all as they were at one moment. */
    detail,
    /** Changes the members that the body has. */
    patch: entering(patch),
    /** No runs until it is resumed. */
    pause: entering(given(SubscriptionCommand.Pause())),
    /** Runs again, from its next date on. */
    resume: entering(given(SubscriptionCommand.Resume())),
    /** No runs any more. Its invoices stay payable. */
    cancel: entering(given(SubscriptionCommand.Cancel())),
    /**
     * A run out of schedule, once for each idempotency key: repeated, it answers the invoice that the first one has
     * made, as it is now. Where the provider does not take the invoice, it is kept, and so is the run.
     */
    run: entering(run)
  }
})

/** The use-cases of subscriptions. All may be repeated; `run` without a key makes another invoice each time. */
export class Subscriptions extends Context.Service<Subscriptions, Effect.Success<typeof make>>()(
  "@tolem/core/Subscriptions"
) {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Subscriptions, make)
}

// Longer than any key of a request for an invoice, so that none of those has it.
const runKeyOf = ({ id }: Subscription, key: string): string =>
  `${`run/${id}/`.padEnd(maxIdempotencyKey + 1, "-")}${key}`

const isChanged = (error: { readonly _tag: string }): boolean => error._tag === "SubscriptionChanged"

const statuses: ReadonlyArray<SubscriptionStatus> = ["active", "paused", "cancelled", "finished"]

/** The statuses that are asked for, one or several with commas; none: all. */
export const checkStatuses = (
  value: unknown
): Effect.Effect<ReadonlyArray<SubscriptionStatus>, FieldRefused<"invalid_status">> => {
  if (!isGiven(value) || value === "") return Effect.succeed([])
  const names = typeof value === "string" ? value.split(",").map((name) => name.trim()) : []
  const known = statuses.filter((status) => names.includes(status))
  return names.length > 0 && names.every((name) => known.some((status) => status === name))
    ? Effect.succeed(known)
    : Effect.fail(new FieldRefused({ code: "invalid_status" }))
}
