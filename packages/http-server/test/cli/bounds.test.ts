/** What a server keeps for how long, by its flags. */
import { defaults, withSettings } from "@tolem/core/engine/Settings"
import { Option } from "effect"
import { describe, expect, it } from "vitest"
import * as Bounds from "../../src/cli/kit/Bounds.ts"

const none = {
  sandboxInvoicesPerDay: Option.none(),
  sandboxDays: Option.none(),
  sandboxMailTo: Option.none(),
  lettersPerDay: Option.none(),
  attemptDays: Option.none(),
  attemptBodyDays: Option.none(),
  deliveryDays: Option.none(),
  letterDays: Option.none()
}
const day = 86_400_000
const retentionOf = (given: Parameters<typeof Bounds.settingsOf>[0]) =>
  withSettings(withSettings(defaults, Bounds.usual), Bounds.settingsOf(given)).retention

describe("what a server keeps", () => {
  it("has a bound if nothing is said, unlike an application's engine", () => {
    const { attemptsMs, attemptBodiesMs, deliveriesMs, lettersMs } = retentionOf(none)
    const days = [attemptsMs, attemptBodiesMs, deliveriesMs, lettersMs].map((ms) => (ms ?? 0) / day)
    expect(days).toEqual([90, 30, 365, 365])
    const { retention } = defaults
    expect([retention.attemptsMs, retention.attemptBodiesMs]).toEqual([null, null])
    expect([retention.deliveriesMs, retention.lettersMs]).toEqual([null, null])
  })

  it("is what the flags say, 0 days for ever", () => {
    const given = {
      attemptDays: Option.some(7),
      attemptBodyDays: Option.some(1),
      deliveryDays: Option.some(30),
      letterDays: Option.some(0)
    }
    const { attemptsMs, attemptBodiesMs, deliveriesMs, lettersMs } = retentionOf({ ...none, ...given })
    expect([attemptsMs, attemptBodiesMs, deliveriesMs, lettersMs]).toEqual([7 * day, day, 30 * day, null])
    expect(retentionOf({ ...none, attemptBodyDays: Option.some(0) }).attemptBodiesMs).toBeNull()
  })
})
