/** Agent: makes the runs of subscriptions that are due, and follows what becomes of their invoices. */
import { Effect, Layer } from "effect"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import * as Watcher from "../work/Watcher.ts"
import { SubscriptionRuns } from "./SubscriptionRuns.ts"
import { SubscriptionSettings } from "./SubscriptionSettings.ts"
import { SubscriptionStore } from "./SubscriptionStore.ts"

const stopGraceMs = 3_000

/** Runs for as long as the layer is open. Any number of servers may run it on one database. */
export const layer: Layer.Layer<never, never, SubscriptionStore | SubscriptionRuns | SandboxClocks> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* SubscriptionStore
      const runs = yield* SubscriptionRuns
      const clocks = yield* SandboxClocks
      const { watcher } = yield* SubscriptionSettings
      const options = { ...watcher, atOnce: 2 * watcher.batchSize, graceMs: stopGraceMs }

      const claim = clocks.claiming(store.claim)
      yield* Watcher.run({
        ...options,
        name: "SubscriptionRunner",
        claim,
        fair: { tenantOf: (subscription) => subscription, waiting: store.waiting },
        act: (subscription) => clocks.within(subscription.organizationId, subscription.mode)(runs.fire(subscription))
      })
      const claimRuns = clocks.claiming(store.claimRuns)
      yield* Watcher.run({
        ...options,
        name: "SubscriptionRunner, runs",
        claim: claimRuns,
        fair: { tenantOf: ({ subscription }) => subscription, waiting: store.waitingRuns },
        act: (due) => clocks.within(due.run.organizationId, due.subscription.mode)(runs.follow(due))
      })
    })
  )
