import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as RunDecisions from "../../src/subscription/RunDecisions.ts"
import { decideSubscription, type Subscription, SubscriptionCommand } from "../../src/subscription/Subscription.ts"
import { circumstances, day, now, settings, subscription } from "./given.ts"

const decided = (given: Subscription, command: SubscriptionCommand, at: number) =>
  Result.getOrThrow(decideSubscription(given, command, circumstances(at)))?.next ?? given
const troubled = () =>
  RunDecisions.runFailed(subscription({ misfire: "skip" }), "no_provider", circumstances(now), settings).next
const paths: ReadonlyArray<readonly [string, (given: Subscription) => Subscription]> = [
  [
    "passed over by a resume",
    (given) =>
      decided(decided(given, SubscriptionCommand.Pause(), now + 1), SubscriptionCommand.Resume(), now + day / 2)
  ],
  [
    "moved by a patch",
    (given) => decided(given, SubscriptionCommand.Patch({ patch: { nextRunAt: now + day } }), now + 1)
  ]
]

describe("a date that could not be served and was given up", () => {
  for (const [name, path] of paths) {
    it(`${name}: the next one is skipped where nobody tried it`, () => {
      const later = path(troubled())
      expect(later.nextRunAt).toBe(now + day)
      expect(RunDecisions.plan(later, later.nextRunAt + 5 * 3_600_000, settings)._tag).toBe("Skip")
    })
    it(`${name}: an outage at the next one is told of`, () => {
      const later = path(troubled())
      const change = RunDecisions.runFailed(later, "no_provider", circumstances(later.nextRunAt), settings)
      expect(change.events.map(({ type }) => type)).toEqual(["subscription.run_failed"])
    })
  }
})
