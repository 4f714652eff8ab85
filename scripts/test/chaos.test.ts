import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { madeOf } from "@tolem/testing-harness/Program"
import { describe, expect, inject, it } from "vitest"
import { isAnnounced, judgeRows, outOfOrder, type Row, untrue } from "../chaos/postgres/Checks.ts"
import { emptyJournal } from "../chaos/postgres/Clients.ts"

const row = (members: Partial<Row> = {}): Row => ({
  id: "inv_1",
  idempotency_key: "key_1",
  paid_at: 1,
  payments: 1,
  refunds: 1,
  events: 3,
  last_sequence: 3,
  ...members
})

const journal = () => {
  const made = emptyJournal()
  made.created.set("key_1", "inv_1")
  made.paid.add("inv_1")
  made.refunded.add("inv_1")
  return made
}

const arrival = (event: string, invoice = "inv_1") => ({
  delivery: "dlv_1",
  event,
  invoice,
  path: "/",
  at: 0,
  isSigned: true
})

describe("the judgement of a chaos run", () => {
  it("finds nothing where everything is there once", () => {
    expect(judgeRows([row()], journal())).toEqual({ lost: [], doubled: [] })
  })

  const losses: Record<string, ReadonlyArray<Row>> = {
    "an acknowledged invoice": [],
    "a payment": [row({ paid_at: null, payments: 0, events: 2, last_sequence: 2 })],
    "a refund": [row({ refunds: 0 })]
  }
  for (const [what, rows] of Object.entries(losses)) {
    it(`misses ${what} that is gone`, () => expect(judgeRows(rows, journal()).lost).not.toEqual([]))
  }

  const doubles: Record<string, ReadonlyArray<Row>> = {
    "two invoices of one key": [row(), row({ id: "inv_2" })],
    "two payments of one invoice": [row({ payments: 2 })],
    "two refunds of one request": [row({ refunds: 2 })],
    "a gap in the events": [row({ last_sequence: 4 })]
  }
  for (const [what, rows] of Object.entries(doubles)) {
    it(`sees ${what}`, () => expect(judgeRows(rows, journal()).doubled).not.toEqual([]))
  }

  it("sees an answer that no client should get", () => {
    const strange = journal()
    strange.strange.push("create answered 500")
    expect(judgeRows([row()], strange).doubled).toEqual(["create answered 500"])
  })

  it("sees a webhook that is signed wrongly, or tells what is not so", () => {
    const [paid, refunded] = [arrival("invoice.paid"), arrival("invoice.partially_refunded")]
    expect(untrue([row()], [paid, refunded])).toEqual([])
    expect(untrue([row()], [{ ...paid, isSigned: false }])).toHaveLength(1)
    expect(untrue([row({ refunds: 0 })], [paid, refunded])).toHaveLength(1)
    expect(untrue([], [paid])).toHaveLength(1)
  })

  it("waits for each announcement, and wants them in order", () => {
    const [paid, refunded] = [arrival("invoice.paid"), arrival("invoice.partially_refunded")]
    expect(isAnnounced(journal(), [paid])).toBe(false)
    expect(isAnnounced(journal(), [paid, refunded])).toBe(true)
    expect(outOfOrder([paid, refunded])).toEqual([])
    expect(outOfOrder([refunded, paid])).toEqual(["inv_1"])
  })
})

const script = join(import.meta.dirname, "..", "chaos.ts")

// Their clients ask as much as the machine can answer: `npm run test:slow`.
it.runIf(inject("isWhole"))("plays a scenario on three servers", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    madeOf(script),
    "postgres",
    "--only",
    "pool exhaustion"
  ])
  expect(stdout).toMatch(/^pool exhaustion +\d+ +\d+ +\d+ +0 +0 /m)
})

it.runIf(inject("isWhole"))("plays an attack on two servers", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    madeOf(script),
    "hostile",
    "--only",
    "dead addresses"
  ])
  // Where no network without routes can be made, it says so.
  expect(stdout).toMatch(/^dead addresses +(2\/2 .* 100\/100 |not played)/m)
})

// Long enough that what it holds falls due again: `npm run test:slow`.
it.each(inject("isWhole") ? ["postgres", "sqlite"] : ["sqlite"])("has a server stand still on %s", async (database) => {
  const seconds = inject("isWhole") ? 60 : 2
  const { stdout } = await promisify(execFile)(process.execPath, [
    madeOf(script),
    "freeze",
    "--only",
    database,
    "--seconds",
    String(seconds)
  ])
  expect(stdout).toContain(": 0 violations")
})

it.runIf(inject("isWhole"))("has two servers behind a pooler", async () => {
  const seconds = inject("isWhole") ? 20 : 2
  const { stdout } = await promisify(execFile)(process.execPath, [
    madeOf(script),
    "pooler",
    "--seconds",
    String(seconds)
  ])
  // Where there is no PgBouncer, it says so.
  expect(stdout).toMatch(/: 0 violations|^skipped: there is no pgbouncer/)
})

it.runIf(inject("isWhole"))("has a follower take the place of a primary", async () => {
  const seconds = inject("isWhole") ? 10 : 2
  const { stdout } = await promisify(execFile)(process.execPath, [
    madeOf(script),
    "failover",
    "--seconds",
    String(seconds)
  ])
  expect(stdout).toContain(": 0 violations")
})
