/** How servers and their agents stand. */
import { agentOf, serverOf } from "@tolem/testing/storage/PlatformCases"
import { describe, expect, it } from "vitest"
import { agentsOf, isLate, stateOf } from "../../src/platform/Server.ts"

const everyMs = 15_000
const now = 1_000_000_000

describe("a server", () => {
  it("is silent once it has missed three beats, whatever clocks differ by", () => {
    const seen = (msAgo: number) => stateOf(serverOf({ seenAt: now - msAgo }), now, everyMs)
    expect([seen(0), seen(55_000), seen(55_001)]).toEqual(["running", "running", "silent"])
    expect(seen(-8_000)).toBe("running")
  })

  it("that has ended in order is not silent, however long ago", () => {
    expect(stateOf(serverOf({ seenAt: 5, endedAt: 5 }), now, everyMs)).toBe("ended")
  })
})

describe("an agent over all servers", () => {
  const standing = (...facts: ReadonlyArray<Parameters<typeof agentOf>[0]>) =>
    agentsOf(
      facts.map((members) => serverOf({ agents: [agentOf({ succeededAt: now, ...members })] })),
      now
    )[0]!

  it("works if any server has looked lately; the latest look is shown", () => {
    const old = { succeededAt: now - 100_000, tookMs: 9 }
    expect(standing(old, { succeededAt: now - 5, tookMs: 4 })).toMatchObject({
      state: "working",
      servers: 2,
      succeededAt: now - 5,
      tookMs: 4
    })
    expect(standing(old).state).toBe("standing")
  })

  it("stands a minute after it had to look again", () => {
    const sweeping = (msAgo: number) => standing({ everyMs: 3_600_000, succeededAt: now - msAgo }).state
    expect([sweeping(3_660_000), sweeping(3_660_001)]).toEqual(["working", "standing"])
  })

  it("fails while looks of a server fail, and waits until it has had any", () => {
    expect(standing({}, { failedInRow: 2, failedAt: now - 1 })).toMatchObject({
      state: "failing",
      failedInRow: 2,
      failedAt: now - 1
    })
    expect(standing({ succeededAt: null, everyMs: null }).state).toBe("waiting")
    expect(standing({ succeededAt: null, everyMs: null, failedAt: now }).state).toBe("working")
    expect(standing({ succeededAt: null, failedInRow: 1, failedAt: now }).state).toBe("failing")
  })

  it("is as far behind as it says on the server that is farthest", () => {
    const lag = { oldestMs: 9, due: 1 }
    expect(standing({ lag: { oldestMs: 5, due: 3 } }, { lag }, { lag: null }).lag).toEqual(lag)
    expect(agentsOf([], now)).toEqual([])
  })
})

it("what is due is late after minutes, what people have to see to after days", () => {
  expect([isLate(300_000, false), isLate(300_001, false)]).toEqual([false, true])
  expect([isLate(3 * 86_400_000, true), isLate(3 * 86_400_000 + 1, true)]).toEqual([false, true])
})
