/**
 * When keys were used last. Requests only remember it; an agent writes what many requests have left, so that none of
 * them waits for it. What a crash loses is a minute of something that is for people to read.
 */
import { Context, Effect, Layer, Queue } from "effect"
import * as AgentRuns from "../measure/AgentRuns.ts"
import type { ApiKey, KeyUse } from "./Merchant.ts"
import { MerchantSettings } from "./MerchantSettings.ts"
import { MerchantStore } from "./MerchantStore.ts"

const minuteMs = 60_000

const make = Effect.gen(function* () {
  const store = yield* MerchantStore
  const hints = yield* Queue.sliding<void>(1)
  let remembered = new Map<string, number>()

  return {
    /** Remembers a use, if the minute of it is not written yet. */
    note: ({ id, lastUsedAt }: ApiKey, now: number) => {
      const minute = now - (now % minuteMs)
      if (lastUsedAt !== null && lastUsedAt >= minute) return
      remembered.set(id, minute)
      Queue.offerUnsafe(hints, undefined)
    },
    /** Writes what is remembered. What fails is remembered no longer: the next use of the key is. */
    flush: Effect.suspend(() => {
      const uses = Array.from(remembered, ([keyId, usedAt]): KeyUse => ({ keyId, usedAt }))
      remembered = new Map()
      return uses.length === 0 ? Effect.void : store.noteUses(uses)
    }),
    /** Waits until there is something to write. */
    some: Queue.take(hints)
  }
})

/** Notes when keys were used. */
export class KeyUses extends Context.Service<KeyUses, Effect.Success<typeof make>>()("@tolem/core/KeyUses") {
  /** Remembers in memory, a number for each key that was used since the last write. */
  static readonly layer = Layer.effect(KeyUses, make)

  /** Agent: writes a while after there is something to write, and once more when it stops. */
  static readonly agent: Layer.Layer<never, never, KeyUses> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { flush, some } = yield* KeyUses
      const { keyUsesMs } = yield* MerchantSettings
      const write = Effect.catchCause(flush, (cause) =>
        Effect.andThen(AgentRuns.failed("KeyUses", "job"), Effect.logWarning("KeyUses: not written", cause))
      )
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(write, stopGraceMs)))
      yield* some.pipe(
        Effect.andThen(Effect.sleep(keyUsesMs)),
        Effect.andThen(write),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
}

const stopGraceMs = 1_000
