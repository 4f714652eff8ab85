import { expect, it } from "vitest"
import * as RequestTurns from "../src/http/RequestTurns.ts"

/** Turns with a clock of their own, and what has begun. */
const turns = () => {
  let now = 0
  let alarm: { readonly at: number; readonly call: () => void } | undefined
  let soon: (() => void) | undefined
  const begun: Array<string> = []
  const ends = new Map<string, RequestTurns.EndTurn>()
  const { enter } = RequestTurns.make(
    { underWay: 2, sliceMs: 10, companyMs: 1_000, quietMs: 15 },
    {
      now: () => now,
      after: (ms, call) => {
        alarm = { at: now + ms, call }
      },
      soon: (call) => {
        soon = call
      }
    }
  )
  /** Has what may begin by now begin, once all has been read. */
  const read = () => {
    const call = soon
    soon = undefined
    call?.()
  }
  return {
    begun,
    read,
    /** Those whose ends are known end as soon as they begin. */
    ends,
    send: (party: string, name: string) =>
      enter(party, () => {
        begun.push(name)
        ends.get(name)?.()
      }),
    /** Lets time pass, with all that is to be called in it. */
    pass: (ms: number) => {
      const end = now + ms
      while (alarm !== undefined && alarm.at <= end) {
        const { at, call } = alarm
        now = at
        alarm = undefined
        call()
        read()
      }
      now = end
    },
    isIdle: () => alarm === undefined
  }
}

it("of a party that is alone all begin at once", () => {
  const { begun, send, isIdle } = turns()
  for (const name of ["a1", "a2", "a3", "a4"]) send("a", name)
  expect(begun).toEqual(["a1", "a2", "a3", "a4"])
  expect(isIdle()).toBe(true)
})

it("beside others, a party's next one begins when one of its own has ended", () => {
  const { begun, send, read } = turns()
  send("b", "b1")
  const [first, second] = ["a1", "a2", "a3", "a4", "a5"].map((name) => send("a", name))
  expect(begun).toEqual(["b1"])
  read()
  expect(begun).toEqual(["b1", "a1", "a2"])
  first?.()
  first?.()
  read()
  expect(begun.slice(3)).toEqual(["a3"])
  second?.()
  read()
  expect(begun.slice(4)).toEqual(["a4"])
})

it("one of a party that has few begins first, and then no more than a few of the others in a slice", () => {
  const { begun, send, read, pass, ends } = turns()
  send("b", "b1")
  const names = Array.from({ length: 12 }, (_, n) => `a${n + 1}`)
  for (const name of names) ends.set(name, send("a", name))
  send("b", "b2")
  read()
  expect(begun).toEqual(["b1", "b2", "a1", "a2"])
  // These have ended, and nothing begins in their place.
  read()
  pass(9)
  read()
  expect(begun).toHaveLength(4)
  pass(1)
  expect(begun.slice(4)).toEqual(["a3", "a4"])
  pass(9)
  expect(begun).toHaveLength(6)
  // The party was quiet for long enough.
  pass(1)
  expect(begun.slice(6)).toEqual(["a5", "a6"])
  read()
  expect(begun.slice(8)).toEqual(["a7", "a8"])
})

it("a flood goes on, a few in each slice, beside one that never ceases to send a few", () => {
  const { begun, send, read, pass, ends } = turns()
  send("b", "b")()
  for (let n = 0; n < 100; n++) ends.set(`a${n}`, send("a", `a${n}`))
  for (let ms = 0; ms < 100; ms++) {
    const end = send("b", "b")
    read()
    expect(begun.filter((name) => name === "b")).toHaveLength(ms + 2)
    end()
    pass(1)
  }
  expect(begun.filter((name) => name !== "b")).toHaveLength(22)
})

it("those that end as soon as they begin keep nothing waiting that came meanwhile", () => {
  const { begun, send, ends, read } = turns()
  send("b", "b1")
  for (const name of ["a1", "a2", "a3", "a4"]) ends.set(name, send("a", name))
  read()
  expect(begun).toEqual(["b1", "a1", "a2"])
  send("b", "b2")
  read()
  expect(begun.slice(3).toSorted()).toEqual(["a3", "a4", "b2"])
})

it("one that is given up before it began gives its turn to the next", () => {
  const { begun, send, read } = turns()
  send("b", "b1")
  const [first, , third] = ["a1", "a2", "a3", "a4"].map((name) => send("a", name))
  read()
  third?.()
  first?.()
  read()
  expect(begun).toEqual(["b1", "a1", "a2", "a4"])
})

it("those that wait themselves hold nothing up for longer than a slice", () => {
  const { begun, send, read, pass, isIdle } = turns()
  send("b", "b1")
  const ends = ["a1", "a2", "a3", "a4", "a5"].map((name) => send("a", name))
  read()
  pass(9)
  expect(begun).toHaveLength(3)
  pass(1)
  expect(begun).toEqual(["b1", "a1", "a2", "a3", "a4"])
  // They have given their places back already.
  ends[0]?.()
  ends[1]?.()
  read()
  expect(begun).toHaveLength(5)
  pass(10)
  expect(begun.at(-1)).toBe("a5")
  pass(10)
  expect(isIdle()).toBe(true)
})

it("once the others are gone all begin at once again", () => {
  const { begun, send, read, pass } = turns()
  send("b", "b1")
  const sendMany = () => {
    for (let n = 0; n < 500; n++) send("a", `a${n}`)
  }
  sendMany()
  read()
  pass(500)
  expect(begun).toHaveLength(103)
  pass(500)
  expect(begun).toHaveLength(501)
  sendMany()
  expect(begun).toHaveLength(1001)
})
