import { startAt } from "@tolem/testing/fixtures"
import { describe, expect, it } from "vitest"
import * as LocalCounts from "../../src/access/LocalCounts.ts"

const of = (subject: string, kind = "page") => ({ kind, subject })

describe("counters in memory", () => {
  it("begin anew with the UTC minute", () => {
    const counts = LocalCounts.make(10)
    for (let i = 1; i <= 120; i++) expect(counts.next(of("a"), startAt + 100 * i)).toBe(i)
    expect(counts.next(of("a"), startAt + 59_999)).toBe(121)
    expect(counts.next(of("a"), startAt + 60_000)).toBe(1)
  })

  it("are each subject's own, and each kind's", () => {
    const counts = LocalCounts.make(10)
    expect([of("a"), of("a"), of("b"), of("a", "status")].map((one) => counts.next(one, startAt))).toEqual([1, 2, 1, 1])
  })

  it("take over what others have counted, of the same window and never less", () => {
    const counts = LocalCounts.make(10)
    counts.next(of("a"), startAt)
    counts.raise(of("a"), startAt, 7)
    counts.raise(of("a"), startAt, 3)
    expect(counts.next(of("a"), startAt)).toBe(8)
    expect(counts.next(of("a"), startAt + 60_000)).toBe(1)
    counts.raise(of("a"), startAt, 100)
    expect(counts.next(of("a"), startAt + 60_000)).toBe(2)
  })

  it("forget the one that was silent longest where there are too many, and say so for that minute", () => {
    const counts = LocalCounts.make(2)
    for (const subject of ["busy", "silent", "busy"]) counts.next(of(subject), startAt)
    expect(counts.isCrowded(startAt)).toBe(false)
    counts.next(of("new"), startAt)
    expect(counts.isCrowded(startAt)).toBe(true)
    expect(counts.next(of("busy"), startAt)).toBe(3)
    expect(counts.next(of("silent"), startAt)).toBe(1)
    expect(counts.isCrowded(startAt + 60_000)).toBe(false)
  })
})
