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
    { underWay: 2, sliceMs: 10, companyMs: 1_000 },
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
  send("b", "b2")
  expect(begun).toEqual(["b1"])
  read()
  expect(begun).toEqual(["b1", "a1", "a2", "b2"])
  first?.()
  first?.()
  read()
  expect(begun.slice(4)).toEqual(["a3"])
  second?.()
  read()
  expect(begun.slice(5)).toEqual(["a4"])
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
