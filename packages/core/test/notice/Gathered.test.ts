/** What gathers for a member: troubles once, and numbers that add up. */
import { describe, expect, it } from "@effect/vitest"
import { doubted, nothingGathered, type Trouble, withTroubles } from "@tolem/core/notice/Gathered"
import { Tiyn } from "@tolem/core/value/Money"

const lost = (id: string): Trouble => ({ key: `cashier_session_lost ${id}`, kind: "cashier_session_lost", name: id })
const of = (...troubles: ReadonlyArray<Trouble>) => ({ troubles, crowded: [] })
const kinds = ["cashiers"] as const

describe("troubles", () => {
  it("are no news at the first look, are told when they begin, and again only after they ended", () => {
    const first = withTroubles(nothingGathered, null, kinds, of(lost("a")))
    expect(first).toEqual({ gathered: nothingGathered, going: [lost("a").key] })
    const second = withTroubles(nothingGathered, first.going, kinds, of(lost("a"), lost("b")))
    expect(second.gathered.troubles).toEqual([lost("b")])
    const third = withTroubles(nothingGathered, second.going, kinds, of(lost("a"), lost("b")))
    expect(third.gathered.troubles).toEqual([])
    const ended = withTroubles(nothingGathered, third.going, kinds, of(lost("a")))
    expect(withTroubles(nothingGathered, ended.going, kinds, of(lost("a"), lost("b"))).gathered.troubles).toEqual([
      lost("b")
    ])
  })

  it("that ended before they were told are not told, nor those that are not wished for", () => {
    const { gathered, going } = withTroubles(nothingGathered, [], kinds, of(lost("a")))
    expect(withTroubles(gathered, going, kinds, of()).gathered.troubles).toEqual([])
    expect(withTroubles(nothingGathered, [], ["paid"], of(lost("a"))).gathered.troubles).toEqual([])
  })

  it("of which more go on than are named stay known", () => {
    const going = [lost("a").key, lost("b").key]
    const crowded = { troubles: [lost("b")], crowded: ["cashier_session_lost"] } as const
    const next = withTroubles(nothingGathered, going, kinds, crowded)
    expect(withTroubles(nothingGathered, next.going, kinds, of(lost("a"), lost("b"))).gathered.troubles).toEqual([])
  })
})

describe("a message that may have arrived", () => {
  it("leaves its numbers, those of the one before too", () => {
    const gathered = { ...nothingGathered, paid: { count: 2, sum: Tiyn(500) }, troubles: [lost("a")] }
    const once = doubted(gathered)
    expect(once).toEqual({ ...nothingGathered, doubt: { count: 2, sum: 500, troubles: 1 } })
    expect(doubted({ ...once, late: { count: 1, sum: Tiyn(7) } }).doubt).toEqual({ count: 3, sum: 507, troubles: 1 })
    expect(doubted({ ...nothingGathered, isTest: true }).doubt).toBe(null)
  })
})
