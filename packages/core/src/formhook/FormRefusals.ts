/**
 * Forms that hooks have refused, for the people who build them. A refusal only remembers what is known of it; an agent
 * writes what a second has left, so that strangers who send much neither wait nor have anything written for each of
 * their forms. What a crash loses is a second of something that is for people to read.
 */
import { Clock, Context, Effect, Layer, Queue } from "effect"
import * as AgentRuns from "../measure/AgentRuns.ts"
import type { FormHookId, OrganizationId } from "../value/Ids.ts"
import * as FairLines from "../work/FairLines.ts"
import { FormHookSettings } from "./FormHookSettings.ts"
import { type FormRefusal, type RefusedForm, refusalOf } from "./FormRefusal.ts"
import { FormRefusalStore, type RefusedForms } from "./FormRefusalStore.ts"

type Gathered = { -readonly [Name in keyof Omit<RefusedForms, "kept">]: RefusedForms[Name] }

/** Rows that are written together: some milliseconds of a database that others write to meanwhile. */
const portion = 250

/** The most refusals that are shown at once. */
const shown = 100

const make = Effect.gen(function* () {
  const store = yield* FormRefusalStore
  const { keptMs, perReason, maxGathered, maxCounted } = (yield* FormHookSettings).formRefusals
  const hints = yield* Queue.sliding<void>(1)
  let counts = new Map<string, Gathered>()
  const lines = FairLines.make<FormRefusal>(maxGathered)

  const remember = (hookId: FormHookId, reason: string, form: RefusedForm, at: number) => {
    if (perReason < 1) return
    const key = `${hookId} ${reason}`
    const count = counts.get(key)
    if (count === undefined) {
      if (counts.size >= maxCounted) return
      counts.set(key, { hookId, reason, refused: 1, firstAt: at, lastAt: at })
      Queue.offerUnsafe(hints, undefined)
    } else {
      count.refused++
      count.lastAt = Math.max(count.lastAt, at)
    }
    lines.add(hookId, [refusalOf({ hookId, at, reason }, form)])
  }

  /** Takes out all that is gathered, in portions. */
  const taken = (): ReadonlyArray<ReadonlyArray<RefusedForms>> => {
    const groups = new Map(Array.from(counts, ([key, count]) => [key, { ...count, kept: [] as FormRefusal[] }]))
    counts = new Map()
    for (let refusal = lines.take(); refusal !== undefined; refusal = lines.take()) {
      groups.get(`${refusal.hookId} ${refusal.reason}`)?.kept.push(refusal)
    }
    const forms = Array.from(groups.values(), (group) => ({ ...group, kept: group.kept.slice(-perReason) }))
    return Array.from({ length: Math.ceil(forms.length / groupsAtOnce) }, (_, index) =>
      forms.slice(index * groupsAtOnce, (index + 1) * groupsAtOnce)
    )
  }
  const groupsAtOnce = Math.max(1, Math.floor(portion / Math.max(1, perReason)))

  const since = Effect.map(Clock.currentTimeMillis, (now) => now - keptMs)

  return {
    /** Remembers that a hook has refused a form. Memory is bounded: beyond that they are counted, or not even that. */
    note: (hookId: FormHookId, reason: string, form: RefusedForm): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (now) => remember(hookId, reason, form, now)),
    /** Writes what is remembered. What fails is remembered no longer. */
    flush: Effect.suspend(() => Effect.forEach(taken(), (forms) => store.add(forms, perReason), { discard: true })),
    /** Waits until there is something to write. */
    some: Queue.take(hints),
    /** What a hook has refused in the last days: counts by reason, and the newest that are kept, of `reason` or all. */
    list: Effect.fnUntraced(function* (organizationId: OrganizationId, hookId: FormHookId, reason: string | null) {
      const of = { organizationId, hookId, since: yield* since }
      return { counts: yield* store.counts(of), kept: yield* store.list({ ...of, reason, limit: shown }) }
    })
  }
})

/** The forms that hooks have refused in the last days. */
export class FormRefusals extends Context.Service<FormRefusals, Effect.Success<typeof make>>()(
  "@tolem/core/FormRefusals"
) {
  /** The log over its store. */
  static readonly layer = Layer.effect(FormRefusals, make)

  /** Agent: writes a while after there is something to write, and once more when it stops. */
  static readonly agent: Layer.Layer<never, never, FormRefusals> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { flush, some } = yield* FormRefusals
      const { gatherMs } = (yield* FormHookSettings).formRefusals
      const write = Effect.catchCause(flush, (cause) =>
        Effect.andThen(AgentRuns.failed("FormRefusals", "job"), Effect.logWarning("FormRefusals: not written", cause))
      )
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(write, stopGraceMs)))
      yield* some.pipe(Effect.andThen(Effect.sleep(gatherMs)), Effect.andThen(write), Effect.forever, Effect.forkScoped)
    })
  )
}

const stopGraceMs = 1_000
