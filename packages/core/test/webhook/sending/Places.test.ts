import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assert } from "vitest"
import { defaults } from "../../../src/engine/Settings.ts"
import * as Places from "../../../src/webhook/sending/Places.ts"

const { concurrency: total, concurrencyOfSandbox: ofSandbox, freePerPlace, soundShare } = defaults.webhook
const shares = { total, ofSandbox, freePerPlace, soundShare }
const sound = () => true

const party = (n: number, mode: "live" | "sandbox" = "live"): Places.Party => ({ organizationId: `org_${n}`, mode })

/** Parties that take all they can get, in turns. */
const greedy = (places: Places.Places, parties: ReadonlyArray<Places.Party>) => {
  for (let before = -1; before < places.taken(); ) {
    before = places.taken()
    for (const each of parties) if (places.has(each)) places.take(each)
  }
}

const many = (count: number, mode: "live" | "sandbox" = "live") =>
  Array.from({ length: count }, (_, n) => party(n, mode))

describe("places", () => {
  it("leave some to newcomers, however greedy those are who have them", () => {
    for (const count of [1, 2, 20, 100, 250]) {
      const places = Places.make(shares, sound)
      greedy(places, many(count))
      const newcomers = Array.from({ length: freePerPlace }, (_, n) => party(1000 + n))
      for (const each of newcomers) {
        assert.isTrue(places.has(each), `${count} greedy ones`)
        places.take(each)
      }
    }
  })

  it("are shared equally by those who want everything", () => {
    for (const count of [2, 20, 100]) {
      const places = Places.make(shares, sound)
      greedy(places, many(count))
      const shared = many(count).map(places.takenBy)
      assert.isAtMost(Math.max(...shared) - Math.min(...shared), 1)
      assert.isAtLeast(Math.min(...shared), Math.floor(total / (count + freePerPlace)), "each has its share")
    }
  })

  it("of live mode are out of reach of sandboxes, however many there are", () => {
    const places = Places.make(shares, sound)
    greedy(places, many(1000, "sandbox"))
    assert.strictEqual(places.taken(), ofSandbox)
    assert.isFalse(places.has(party(2000, "sandbox")))
    assert.isTrue(places.has(party(2000)))
    greedy(places, many(40))
    assert.isAtLeast(Math.min(...many(40).map(places.takenBy)), 2)
  })

  it("are kept in part for parties whose last attempt arrived, however many others take what they can get", () => {
    const arrived = new Set(["org_1", "org_2"])
    for (const mode of ["live", "sandbox"] as const) {
      const places = Places.make(shares, ({ organizationId }) => arrived.has(organizationId))
      // They come one after the other, so that the first ones have more than would be their share of all.
      for (let n = 1000; n < 2000; n++) greedy(places, [party(n, mode)])
      const kept = (mode === "live" ? total : ofSandbox) * soundShare
      assert.strictEqual(places.taken(), (mode === "live" ? total : ofSandbox) - kept)
      greedy(places, [party(1, mode)])
      assert.isAbove(places.takenBy(party(1, mode)), 4)
      assert.isTrue(places.has(party(2, mode)), "and another one's is still there")
    }
  })

  it("can be tried without being taken", () => {
    const places = Places.make(shares, sound)
    places.copy().take(party(1))
    assert.strictEqual(places.takenBy(party(1)), 0)
  })

  it.prop(
    "are never more than there are, and come back",
    { steps: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 39 }))) },
    ({ steps }) => {
      const places = Places.make(
        { total: 9, ofSandbox: 4, freePerPlace: 1, soundShare: 0.25 },
        ({ organizationId }) => organizationId > "org_4"
      )
      for (const step of steps) {
        const each = party(step % 10, step % 20 < 10 ? "live" : "sandbox")
        if (step < 20 && places.has(each)) places.take(each)
        if (step >= 20 && places.takenBy(each) > 0) places.giveBack(each)
        const sandbox = many(10, "sandbox").reduce((sum, one) => sum + places.takenBy(one), 0)
        const live = many(10).reduce((sum, one) => sum + places.takenBy(one), 0)
        assert.strictEqual(places.taken(), sandbox + live)
        assert.isTrue(places.taken() <= 9 && sandbox <= 4)
      }
    }
  )
})
