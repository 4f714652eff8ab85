import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assert } from "vitest"
import { defaults } from "../../../src/engine/Settings.ts"
import * as Places from "../../../src/webhook/sending/Places.ts"

const { concurrency: total, concurrencyOfSandbox: ofSandbox, freePerPlace, soundShare } = defaults.webhook
const shares = { total, ofSandbox, freePerPlace, soundShare }

const party = (n: number, mode: "live" | "sandbox" = "live"): Places.Party => ({ organizationId: `org_${n}`, mode })

/** Parties that take all they can get for endpoints that are sound or are not, in turns. */
const greedy = (places: Places.Places, parties: ReadonlyArray<Places.Party>, isSound = false) => {
  for (let before = -1; before < places.taken(); ) {
    before = places.taken()
    for (const each of parties) if (places.has(each, isSound)) places.take(each, isSound)
  }
}

const many = (count: number, mode: "live" | "sandbox" = "live") =>
  Array.from({ length: count }, (_, n) => party(n, mode))

describe("places", () => {
  it("leave some to newcomers, however greedy those are who have them, sound or not", () => {
    for (const isSound of [true, false]) {
      for (const count of [1, 2, 20, 100, 188]) {
        const places = Places.make(shares)
        greedy(places, many(count), isSound)
        const newcomers = Array.from({ length: freePerPlace }, (_, n) => party(1000 + n))
        for (const each of newcomers) {
          assert.isTrue(places.has(each, false), `${count} greedy ones`)
          places.take(each, false)
        }
      }
    }
  })

  it("are shared equally by those who want everything", () => {
    for (const isSound of [true, false]) {
      for (const count of [2, 20, 100]) {
        const places = Places.make(shares)
        greedy(places, many(count), isSound)
        const shared = many(count).map(places.takenBy)
        assert.isAtMost(Math.max(...shared) - Math.min(...shared), 1)
        const all = isSound ? total : total * (1 - soundShare)
        assert.isAtLeast(Math.min(...shared), Math.floor(all / (count + freePerPlace)), "each has its share")
      }
    }
  })

  it("of live mode are out of reach of sandboxes, however many there are", () => {
    for (const isSound of [true, false]) {
      const places = Places.make(shares)
      greedy(places, many(1000, "sandbox"), isSound)
      assert.strictEqual(places.taken(), isSound ? ofSandbox : ofSandbox * (1 - soundShare))
      assert.isFalse(places.has(party(2000, "sandbox"), isSound))
      assert.isTrue(places.has(party(2000), false))
      greedy(places, many(20), true)
      assert.isAtLeast(Math.min(...many(20).map(places.takenBy)), 4)
      assert.isTrue(places.has(party(2000), false), "beside sound ones as well")
    }
  })

  it("are kept in part for sound endpoints, however many others take what they can get", () => {
    for (const mode of ["live", "sandbox"] as const) {
      const places = Places.make(shares)
      // They come one after the other, so that the first ones have more than would be their share of all.
      for (let n = 1000; n < 2000; n++) greedy(places, [party(n, mode)])
      const all = mode === "live" ? total : ofSandbox
      assert.strictEqual(places.taken(), all * (1 - soundShare))
      assert.isFalse(places.has(party(1, mode), false))
      greedy(places, [party(1, mode)], true)
      assert.isAbove(places.takenBy(party(1, mode)), 4)
      assert.isTrue(places.has(party(2, mode), true), "and another one's is still there")
      // What was taken for endpoints that were not sound comes back to those that are not.
      places.giveBack(party(1000, mode), false)
      assert.isTrue(places.has(party(2000, mode), false))
    }
  })

  it("are not used up for newcomers by what sound endpoints have", () => {
    const places = Places.make(shares)
    greedy(places, many(20), true)
    assert.isAbove(places.taken(), total * (1 - soundShare))
    assert.isTrue(places.has(party(1000), false))
  })

  it("are there for all, one at least, whatever share is kept", () => {
    for (const [all, share] of [
      [1, 0.25],
      [1, 1],
      [4, 1],
      [4, 25]
    ] as const) {
      const places = Places.make({ total: all, ofSandbox: all, freePerPlace: 0, soundShare: share })
      greedy(places, many(3, "sandbox"))
      assert.strictEqual(places.taken(), 1, `${all} places, ${share} of them kept`)
    }
  })

  it("can be tried without being taken", () => {
    const places = Places.make(shares)
    places.copy().take(party(1), false)
    assert.strictEqual(places.takenBy(party(1)), 0)
  })

  it.prop(
    "are never more than there are, and come back",
    { steps: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 79 }))) },
    ({ steps }) => {
      const places = Places.make({ total: 9, ofSandbox: 4, freePerPlace: 1, soundShare: 0.25 })
      const held = new Map<string, Array<boolean>>()
      for (const step of steps) {
        const each = party(step % 10, step % 20 < 10 ? "live" : "sandbox")
        const name = Places.keyOf(each)
        const mine = held.get(name) ?? []
        held.set(name, mine)
        const isSound = step % 40 >= 20
        if (step < 40 && places.has(each, isSound)) {
          places.take(each, isSound)
          mine.push(isSound)
        }
        if (step >= 40 && mine.length > 0) places.giveBack(each, mine.shift()!)
        const sandbox = many(10, "sandbox").reduce((sum, one) => sum + places.takenBy(one), 0)
        const live = many(10).reduce((sum, one) => sum + places.takenBy(one), 0)
        assert.strictEqual(places.taken(), sandbox + live)
        assert.isTrue(places.taken() <= 9 && sandbox <= 4)
        const unsound = (of: string) =>
          [...held].flatMap(([key, all]) => (key.startsWith(of) ? all : [])).filter((one) => !one).length
        assert.isTrue(unsound("") <= 7 && unsound("sandbox") <= 3)
      }
    }
  )
})
