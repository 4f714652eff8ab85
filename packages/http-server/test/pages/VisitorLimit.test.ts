import { startAt } from "@tolem/core/testing/fixtures"
import * as VisitorLimit from "@tolem/http-server/pages/VisitorLimit"
import { describe, expect, it } from "vitest"

const minute = 60_000

describe("the count of a visitor", () => {
  it("ends exactly at the limit and begins anew with the UTC minute", () => {
    const hit = VisitorLimit.make()
    for (let i = 1; i <= 120; i++) {
      expect(hit("a", 120, startAt + 100 * i)).toMatchObject({ allowed: true, remaining: 120 - i })
    }
    expect(hit("a", 120, startAt + 59_999)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 1 })
    expect(hit("a", 120, startAt + minute)).toMatchObject({ allowed: true, remaining: 119, retryAfterSeconds: 60 })
  })

  it("is each address's own", () => {
    const hit = VisitorLimit.make()
    expect(hit("a", 1, startAt).allowed).toBe(true)
    expect(hit("a", 1, startAt).allowed).toBe(false)
    expect(hit("b", 1, startAt).allowed).toBe(true)
  })

  it("is forgotten for the address that was silent longest, where there are too many", () => {
    const hit = VisitorLimit.make(2)
    hit("busy", 2, startAt)
    hit("silent", 2, startAt)
    hit("busy", 2, startAt)
    hit("new", 2, startAt)
    expect(hit("busy", 2, startAt).allowed).toBe(false)
    expect(hit("silent", 2, startAt).remaining).toBe(1)
  })
})
