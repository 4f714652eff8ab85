/** Every endpoint, error code and limit of the interface has a test that shows it. */
import { type RecordedCall, RunningTests } from "@tolem/testing-harness/Calls"
import { describe, expect, it } from "vitest"
import { codes, codesElsewhere, endpointOf, endpoints, outdated, recordedOf, unproven } from "../lib/Coverage.ts"
import { limits, testsOf } from "../lib/Limits.ts"
import { readRecorded } from "../lib/Recorded.ts"

describe("the interface", () => {
  it("has a recorded call of each of its endpoints and error codes", () => {
    expect(endpoints.length).toBeGreaterThan(50)
    expect(codes.length).toBeGreaterThan(50)
    expect(unproven(readRecorded())).toEqual([])
  })

  it("has the tests of codes that are not met over HTTP, and none of them is", () => {
    for (const [code, tests] of Object.entries(codesElsewhere)) {
      expect(testsOf(tests), code).toEqual(tests)
      expect(readRecorded().codes[code], code).toBeUndefined()
    }
  })

  it("has every test that its limits name", () => {
    expect(limits.length).toBeGreaterThan(10)
    for (const { limit, evidence } of limits) expect(testsOf(evidence), limit).toHaveLength(evidence.length)
  })
})

const file = "a.test.ts"
const call = (members: Partial<RecordedCall> = {}): RecordedCall => ({
  file,
  name: "creates",
  method: "POST",
  path: "/api/v1/invoices",
  status: 201,
  code: null,
  ...members
})

describe("a record of calls", () => {
  it("knows endpoints by their pattern, literal segments first", () => {
    expect(endpointOf({ method: "POST", path: "/api/v1/invoices/bulk" })).toBe("POST /api/v1/invoices/bulk")
    expect(endpointOf({ method: "GET", path: "/api/v1/invoices/:id" })).toBe("GET /api/v1/invoices/:id")
    expect(endpointOf({ method: "GET", path: "/nowhere" })).toBeUndefined()
  })

  it("misses an endpoint that was only refused, and a code that nothing was answered with", () => {
    const refused = recordedOf([call({ status: 422, code: "invalid_amount" })])
    expect(unproven(refused)).toContain("POST /api/v1/invoices")
    expect(unproven(refused)).not.toContain("invalid_amount")
    expect(unproven(refused)).toContain("invalid_kind")
    expect(unproven(recordedOf([call()]))).not.toContain("POST /api/v1/invoices")
  })

  it("does not depend on the order of calls, nor on how often they were made", () => {
    const [one, two] = [call(), call({ name: "creates another" })]
    expect(recordedOf([two, one, one])).toEqual(recordedOf([one, two]))
  })

  it("is of a test that still runs, where another that began later has ended", () => {
    const tests = new RunningTests()
    expect(tests.current()).toBeUndefined()
    const [pays, refuses] = [call({ name: "pays" }), call({ name: "refuses" })]
    tests.begin("1", pays)
    tests.begin("2", refuses)
    expect(tests.current()).toBe(refuses)
    tests.end("2")
    expect(tests.current()).toBe(pays)
    tests.end("1")
    expect(tests.current()).toBeUndefined()
  })

  it("leaves tests of random requests out", () => {
    expect(unproven(recordedOf([call({ file: "hostile.test.ts" })]))).toContain("POST /api/v1/invoices")
  })

  describe("is out of date", () => {
    const recorded = recordedOf([call()])
    const ended = { file, name: "creates", passed: true, concurrent: false }
    it("if the test no longer calls it", () => {
      expect(outdated(recorded, [], [ended])).toEqual([
        'POST /api/v1/invoices: "creates" in a.test.ts does not call it'
      ])
      expect(outdated(recorded, [call()], [ended])).toEqual([])
    })
    it("if the test is gone from its file", () => {
      const other = { ...ended, name: "renamed" }
      expect(outdated(recorded, [], [other])).toEqual(['POST /api/v1/invoices: a.test.ts has no test "creates"'])
    })
    it("if no test of a file calls it whose tests run at the same time", () => {
      const beside = { ...ended, concurrent: true }
      expect(outdated(recorded, [call({ name: "pays" })], [beside])).toEqual([])
      expect(outdated(recorded, [call({ name: "pays" })], [ended])).toHaveLength(1)
      expect(outdated(recorded, [call({ file: "b.test.ts" })], [beside])).toHaveLength(1)
    })
    it("but not for a test that failed, or a file that did not run", () => {
      expect(outdated(recorded, [], [{ ...ended, passed: false }])).toEqual([])
      expect(outdated(recorded, [], [])).toEqual([])
    })
  })
})
