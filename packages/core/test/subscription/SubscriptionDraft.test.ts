import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { checkSubscription, checkSubscriptionPatch } from "../../src/subscription/SubscriptionDraft.ts"
import { day, now, settings, subscription } from "./given.ts"

const codeOf = (result: Result.Result<unknown, { readonly code: string }>) =>
  Result.isFailure(result) ? result.failure.code : "accepted"
const create = (body: object) => checkSubscription({ amount: 10, ...body }, {}, now, settings)
const patch = (body: object, given = subscription()) => checkSubscriptionPatch(given, { ...body }, {}, now, settings)
const iso = (ms: number) => new Date(ms).toISOString()

const refused: ReadonlyArray<readonly [code: string, wrong: ReadonlyArray<object>, right: ReadonlyArray<object>]> = [
  ["invalid_amount", [{ amount: "10" }, { amount: 1.234 }, { amount: true }], [{ amount: 1 }, { amount: 1.23 }]],
  ["amount_too_small", [{ amount: 0 }, { amount: -5 }], []],
  ["amount_too_large", [{ amount: 100_000_000 }], [{ amount: 99_999_999.99 }]],
  ["invalid_kind", [{ kind: "card" }, { kind: 5 }], [{ kind: "qr" }]],
  ["phone_required", [{ kind: "phone" }], [{ kind: "phone", customer: { phone: "77001234567" } }]],
  ["invalid_phone", [{ customer: { phone: "+7700" } }], []],
  ["invalid_customer", [{ customer: [] }, { customer: "x" }], [{ customer: {} }]],
  ["invalid_email", [{ customer: { email: "x" } }], [{ customer: { email: "a@b.kz" } }]],
  ["invalid_description", [{ description: "x".repeat(61) }, { description: 5 }], [{ description: "x".repeat(60) }]],
  ["invalid_interval", [{ interval: "year" }, { interval: 1 }], [{ interval: "day" }, { interval: "week" }]],
  ["invalid_every", [{ every: 0 }, { every: 13 }, { every: 1.5 }, { every: "2" }], [{ every: 1 }, { every: 12 }]],
  [
    "invalid_day_of_month",
    [{ dayOfMonth: 0 }, { dayOfMonth: 29 }, { dayOfMonth: 1.5 }, { dayOfMonth: 5, interval: "day" }],
    [
      { dayOfMonth: 1, interval: "month" },
      { dayOfMonth: 28, interval: "month" }
    ]
  ],
  ["invalid_max_runs", [{ maxRuns: 0 }, { maxRuns: -1 }, { maxRuns: 1.5 }, { maxRuns: "3" }], [{ maxRuns: 1 }]],
  ["invalid_metadata", [{ metadata: [] }, { metadata: "x" }, { metadata: { a: "x".repeat(17_000) } }], []],
  [
    "invalid_retry",
    [
      { retry: [0] },
      { retry: [1.5] },
      { retry: [1, 2, 3, 4, 5, 6] },
      { retry: 5 },
      { retry: ["1"] },
      { retry: [8761] }
    ],
    [{ retry: [] }, { retry: [1, 2, 3, 4, 8760] }]
  ],
  ["invalid_misfire", [{ misfire: "twice" }, { misfire: 1 }], [{ misfire: "skip" }, { misfire: "run_once" }]]
]

describe("the checks", () => {
  for (const [code, wrong, right] of refused) {
    it(`answer ${code} to creates and patches alike, and to nothing that is right`, () => {
      for (const body of wrong) {
        expect(codeOf(create(body)), JSON.stringify(body)).toBe(code)
        expect(codeOf(patch(body)), JSON.stringify(body)).toBe(code)
      }
      for (const body of right) {
        expect(codeOf(create(body)), JSON.stringify(body)).toBe("accepted")
        expect(codeOf(patch(body)), JSON.stringify(body)).toBe("accepted")
      }
    })
  }

  it("want an amount of a create only", () => {
    expect(codeOf(checkSubscription({}, {}, now, settings))).toBe("invalid_amount")
    expect(patch({})).toEqual(Result.succeed({}))
  })

  it("take a date from an hour ago to ten years ahead", () => {
    const cases: ReadonlyArray<readonly [unknown, boolean]> = [
      [iso(now - 3_600_000), true],
      [iso(now - 3_600_001), false],
      [iso(now + 3650 * day), true],
      [iso(now + 3670 * day), false],
      ["2026-02-01T10:00:00+05:00", true],
      ["2026-02-01T10:00:00", false],
      ["2026-02-30T10:00:00Z", false],
      ["2026-02-01", false],
      [now + day, false]
    ]
    for (const [value, right] of cases) {
      expect(codeOf(create({ startAt: value })), String(value)).toBe(right ? "accepted" : "invalid_start_at")
      expect(codeOf(patch({ nextRunAt: value })), String(value)).toBe(right ? "accepted" : "invalid_next_run_at")
    }
  })

  it("take a first date in a patch only while there was no run", () => {
    const startAt = iso(now + day)
    expect(codeOf(patch({ startAt }))).toBe("invalid_start_at")
    expect(patch({ startAt }, subscription({ runs: 0 }))).toEqual(Result.succeed({ nextRunAt: now + day }))
  })

  it("hold what changes against what stays", () => {
    const customer = { phone: "77001234567" }
    expect(codeOf(patch({ kind: "phone" }))).toBe("phone_required")
    expect(codeOf(patch({ kind: "phone", amount: 1.5, customer }))).toBe("amount_must_be_whole_tenge")
    expect(codeOf(patch({ kind: "phone", customer }))).toBe("accepted")
    const pushed = subscription({ kind: "phone", customer: { name: null, phone: "77001234567", email: null } })
    expect(codeOf(patch({ amount: 2.5 }, pushed))).toBe("amount_must_be_whole_tenge")
    expect(codeOf(patch({ customer: { name: "x" } }, pushed))).toBe("accepted")
    expect(codeOf(patch({ customer: { name: "x", phone: null } }, pushed))).toBe("phone_required")
    const monthly = subscription({ interval: "month", dayOfMonth: 5 })
    expect(patch({ interval: "week" }, monthly)).toEqual(Result.succeed({ interval: "week", dayOfMonth: null }))
    expect(codeOf(patch({ maxRuns: 4 }, subscription({ runs: 5 })))).toBe("invalid_max_runs")
    expect(codeOf(patch({ maxRuns: 5 }, subscription({ runs: 5 })))).toBe("accepted")
  })

  it("keep the text of metadata, and clear what is null", () => {
    const raw = '{"n":12345678901234567890}'
    const sent = { rawMetadata: raw, headerKey: "k" }
    const draft = Result.getOrThrow(checkSubscription({ amount: 10, metadata: { n: 1 } }, sent, now, settings))
    expect(draft).toMatchObject({ metadata: raw, idempotencyKey: "k", anchorAt: now, interval: "month", every: 1 })
    const cleared = patch({ description: null, maxRuns: null, metadata: null, retry: null })
    expect(cleared).toEqual(Result.succeed({ description: null, maxRuns: null, metadata: null, retryHours: [] }))
  })
})
