import { expect, it } from "vitest"
import * as RequestTurns from "../src/http/RequestTurns.ts"

/** Turns with a clock of their own, and what has begun. */
const turns = () => {
  let now = 0
  let alarm: { readonly at: number; readonly call: () => void } | undefined
  let soon: (() => void) | undefined
  const begun: Array<string> = []
  const ends = new Map<string, RequestTurns.EndTurn>()
  const { enter, known } = RequestTurns.make(
    { underWay: 2, sliceMs: 10, companyMs: 1_000, quietMs: 15, restMs: 10 },
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
    known,
    read,
    /** Those whose ends are known end as soon as they begin. */
    ends,
    send: (party: string, name: string, begin?: () => void) =>
      enter(party, () => {
        begun.push(name)
        ends.get(name)?.(true)
        begin?.()
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
  first?.(true)
  first?.(true)
  read()
  expect(begun.slice(3)).toEqual(["a3"])
  second?.(true)
  read()
  expect(begun.slice(4)).toEqual(["a4"])
})

it("one of a party that has sent few begins first, and then no more than a few of the others in a slice", () => {
  const { begun, send, read, pass, ends } = turns()
  send("b", "b1")
  const names = Array.from({ length: 12 }, (_, n) => `a${n + 1}`)
  for (const name of names) ends.set(name, send("a", name))
  const end = send("b", "b2")
  read()
  expect(begun).toEqual(["b1", "b2", "a1", "a2"])
  // It may have caused something.
  end(true)
  read()
  pass(9)
  read()
  expect(begun).toHaveLength(4)
  pass(1)
  expect(begun.slice(4)).toEqual(["a3", "a4"])
  pass(4)
  expect(begun).toHaveLength(6)
  // It was quiet for long enough.
  pass(1)
  expect(begun.slice(6)).toEqual(["a5", "a6"])
  read()
  expect(begun.slice(8)).toEqual(["a7", "a8"])
})

it("what was only read, or refused, is done once it has ended", () => {
  const { begun, send, read, ends } = turns()
  send("b", "b1")
  for (let n = 0; n < 12; n++) ends.set(`a${n}`, send("a", `a${n}`))
  const end = send("b", "b2")
  read()
  read()
  expect(begun).toHaveLength(4)
  end(false)
  read()
  expect(begun.slice(4)).toEqual(["a2", "a3"])
})

/** Clients of one party: how many there are, and for how many milliseconds each sends and then does not. */
interface Clients {
  readonly connections: number
  readonly takesMs: number
  readonly pauseMs: number
  readonly mayCause?: boolean
}

/** Milliseconds from one reading to the next. */
const stepMs = 0.25

/** Plays clients for a second. Answers how many requests began of each party, and how long one waited at most. */
const play = (parties: Readonly<Record<string, Clients>>) => {
  const { send, read, pass } = turns()
  const begun: Record<string, number> = {}
  const longest: Record<string, number> = {}
  let due: Array<{ readonly ms: number; readonly call: () => void }> = []
  let now = 0
  const at = (ms: number, call: () => void) => due.push({ ms, call })
  for (const [index, [party, clients]] of Object.entries(parties).entries()) {
    const { connections, takesMs, pauseMs, mayCause = true } = clients
    begun[party] = 0
    longest[party] = 0
    const client = () => {
      const cameAt = now
      const end = send(party, party, () => {
        begun[party]!++
        longest[party] = Math.max(longest[party]!, now - cameAt)
        at(now + takesMs, () => {
          end(mayCause)
          at(now + pauseMs, client)
        })
      })
    }
    for (let n = 0; n < connections; n++) at((n + 7 * index) % (takesMs + pauseMs + 1), client)
  }
  for (; now < 1_000; now += stepMs) {
    const calls = due.filter(({ ms }) => ms <= now)
    due = due.filter(({ ms }) => ms > now)
    for (const { call } of calls) call()
    read()
    pass(stepMs)
  }
  return { begun, longest }
}

const flood = { connections: 64, takesMs: 0, pauseMs: 0 }
const few = { connections: 1, takesMs: 0, pauseMs: 24 }

/** Requests of a flood in a second in which another one sends as much. */
const unhindered = play({ flood, other: flood }).begun.flood!

/** Of what a flood makes unhindered, what it makes beside others. */
const shareBeside = (others: Readonly<Record<string, Clients>>) => play({ flood, ...others }).begun.flood! / unhindered

const merchants = (count: number, of: Clients) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`few${n}`, of]))

it("a flood goes on in two of five milliseconds at least, however many others send few", () => {
  for (const others of [
    { few: { ...few, pauseMs: 14 } },
    { few: { ...few, takesMs: 10 } },
    { polls: { ...flood, takesMs: 300 }, few },
    merchants(100, { ...few, pauseMs: 999 })
  ]) {
    const { begun, longest } = play({ flood, ...others })
    expect(begun.flood! / unhindered).toBeGreaterThan(0.4)
    expect(begun.flood! / unhindered).toBeLessThan(0.75)
    const waits = Object.entries(longest).filter(([name]) => name.startsWith("few"))
    for (const [name, ms] of waits) expect([name, ms]).toEqual([name, 0])
  }
})

it("a flood has as much beside any that are only read or refused, however long these take", () => {
  const reads = { ...few, mayCause: false }
  for (const takesMs of [1, 5, 10, 12.5, 14, 14.5, 20]) {
    expect(shareBeside({ few: { ...reads, takesMs, pauseMs: 0 } })).toBeGreaterThan(0.4)
    expect(shareBeside({ few: { ...reads, takesMs, pauseMs: 3 } })).toBeGreaterThan(0.4)
  }
  for (const takesMs of [1, 2, 4]) {
    for (const count of [20, 100]) {
      expect(shareBeside(merchants(count, { ...reads, takesMs, pauseMs: 200 }))).toBeGreaterThan(0.4)
    }
  }
})

it("no flood is held back by short reads, by many in a loop, or by many that are slow", () => {
  for (const other of [
    { ...few, mayCause: false },
    { connections: 3, takesMs: 1, pauseMs: 0 },
    { connections: 2, takesMs: 1, pauseMs: 0 },
    { connections: 64, takesMs: 400, pauseMs: 0 }
  ]) {
    expect(shareBeside({ other })).toBeGreaterThan(0.9)
  }
})

it("parties that sent nothing lately are forgotten, however many there were", () => {
  const { send, pass, known } = turns()
  for (let n = 0; n < 1_000; n++) send(`one${n}`, "one")(false)
  expect(known()).toBe(1_000)
  pass(25)
  for (let n = 0; n < 10_000; n++) {
    send(`two${n}`, "two")(false)
    pass(1)
  }
  expect(known()).toBeLessThan(50)
})

it("a party whose requests wait for long keeps their order, and its place", () => {
  const { begun, send, read, pass } = turns()
  send("c", "c")
  for (let n = 0; n < 20; n++) send("a", `a${n}`)
  read()
  for (let ms = 0; ms < 50; ms++) {
    send(`other${ms}`, "other")(false)
    pass(1)
  }
  const ofParty = () => begun.filter((name) => name.startsWith("a"))
  const count = ofParty().length
  send("a", "late")
  read()
  expect(ofParty()).toHaveLength(count)
  pass(100)
  expect(ofParty()).toEqual(Array.from({ length: 20 }, (_, n) => `a${n}`))
  expect(begun.at(-1)).toBe("late")
})

it("those that began while their party was alone count as well", () => {
  const { begun, send, read, pass } = turns()
  pass(25)
  for (const name of ["a1", "a2"]) send("a", name)
  send("b", "b")
  send("a", "a3")
  read()
  expect(begun).toEqual(["a1", "a2", "b"])
  pass(5)
  expect(begun.at(-1)).toBe("a3")
})

// The name of a stranger whose connection has gone before it was asked for.
it("a party without a name is alone as any other one", () => {
  const { begun, send } = turns()
  for (const name of ["1", "2", "3"]) send("", name)
  expect(begun).toEqual(["1", "2", "3"])
})

it("what was refused, read or given up may have caused nothing", () => {
  const asked = [
    ["POST", 201],
    ["DELETE", 204],
    ["POST", 302],
    ["POST", 409],
    ["POST", 500],
    ["POST", undefined],
    ["GET", 200],
    ["HEAD", 200],
    ["OPTIONS", 204]
  ] as const
  const all = asked.map(([method, status]) => RequestTurns.mayCause(method, status))
  expect(all).toEqual([true, true, true, false, false, false, false, false, false])
})

it("requests that wait for long do not make others of their party wait", () => {
  const { begun, send, read, pass } = turns()
  send("c", "c")
  for (let n = 0; n < 4; n++) send("b", "poll")
  pass(50)
  for (let n = 0; n < 12; n++) send("a", `a${n}`)
  send("b", "b")
  read()
  expect(begun.slice(5)).toEqual(["b", "a0", "a1"])
})

it("one that is given up before it began gives its turn to the next", () => {
  const { begun, send, read } = turns()
  send("b", "b1")
  const [first, , third] = ["a1", "a2", "a3", "a4"].map((name) => send("a", name))
  read()
  third?.(true)
  first?.(true)
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
  ends[0]?.(true)
  ends[1]?.(true)
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
