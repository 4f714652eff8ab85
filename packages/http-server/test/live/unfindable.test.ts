/** Providers that cannot do everything: nothing is made twice, and what cannot be known stays to be seen. */
import { Engine } from "@tolem/core/engine/Engine"
import type { RefundResolution } from "@tolem/core/invoice/InvoiceRequests"
import type { Abilities } from "@tolem/core/provider/Abilities"
import { Effect } from "effect"
import { afterEach, expect, it } from "vitest"
import type { Answer } from "../support/calls.ts"
import * as TestClock from "../support/clock.ts"
import { type Live, live } from "./cashier.ts"

const second = 1000
const hour = 3_600_000

let shop: Live
const open = async (can: Abilities, isAnonymous = false, timeoutMs = 100) => {
  shop = await live(timeoutMs, { can, isAnonymous })
}
afterEach(async () => {
  expect(await shop.service.run(Effect.flatMap(Engine, ({ integrity }) => integrity.findings))).toEqual([])
  await shop.stop()
})

const push = { kind: "phone", customer: { phone: "77012345678" } }
const idOf = (made: Answer) => String(made.body["id"] ?? made.headers.get("x-invoice-id"))
/** What a create that got no answer would have answered. */
const named = (lost: Answer): Answer => ({ ...lost, body: JSON.parse(JSON.stringify({ id: idOf(lost) })) })
const statusOf = async (id: string) => (await shop.stored(id)).invoice.status
const paid = async () => {
  const made = await shop.create()
  shop.pay(made)
  await shop.look(made)
  return made
}
const refundsOf = async (made: Answer) =>
  ((await shop.read(made)).body["refunds"] ?? []) as ReadonlyArray<Record<string, unknown>>
const madeByBank = () =>
  shop.bank.control
    .payments(shop.service.time.now)
    .flatMap(({ signal }) => (signal._tag === "Paid" ? signal.refunds : []))
const resolve = (id: unknown, resolution: RefundResolution) => {
  const caller = { organizationId: shop.organizationId, mode: "live", connectionId: null, source: "api" } as const
  const resolved = Effect.flatMap(Engine, ({ refunds }) => refunds.resolve(caller, String(id), resolution))
  return shop.service.run(Effect.provide(resolved, TestClock.layer(shop.service.time)))
}

it("findByOurs: a code whose first answer was lost is not asked for twice, and can be closed by hand", async () => {
  await open({ findByOurs: false })
  shop.fault("createQr", { kind: "drop", done: true })
  const create = () => shop.create({}, { "idempotency-key": "order-1" })
  const made = await create()
  expect(made.body["error"]).toBe("provider_error")
  for (let count = 0; count < 5; count++) {
    shop.pass(hour)
    expect((await create()).body["error"]).toBe("provider_error")
  }
  expect(shop.payments()).toHaveLength(1)
  expect(await statusOf(idOf(made))).toBe("new")
})

it("findByOurs: a push without an answer is closed by a person, but not while it is on its way", async () => {
  await open({ findByOurs: false })
  shop.fault("createPush", { kind: "drop", done: true })
  const lost = await shop.create(push)
  expect(lost.body["error"]).toBe("provider_error")
  const made = named(lost)
  shop.pass(30 * second)
  expect((await shop.cancel(made)).body["error"]).toBe("cancel_failed")
  shop.pass(hour)
  expect((await shop.cancel(made)).body["status"]).toBe("cancelled")
  expect(shop.payments()).toHaveLength(1)
})

it("a provider that finds pushes by our ids: one that it does not tell of is not closed", async () => {
  await open({})
  shop.fault("createPush", { kind: "drop", done: true })
  const lost = await shop.create(push)
  shop.pass(hour)
  shop.fault("stateByOurs", { kind: "drop", done: false }, null)
  expect((await shop.cancel(named(lost))).body["error"]).toBe("cancel_failed")
})

it.each([{ findByOurs: false }, { findRefunds: false, refundOnce: false }])(
  "%j: a refund that it may have made is not made again, and stays unknown until a person resolves it",
  async (can: Abilities) => {
    await open(can)
    const made = await paid()
    shop.fault("refund", { kind: "drop", done: true })
    const key = { "idempotency-key": "back-1" }
    expect((await shop.refund(made, { amount: 600 }, key)).body["error"]).toBe("refund_unknown")
    // Payments that show what went back tell of it; this one is asked only what became of the refund.
    shop.fault("stateByReference", { kind: "drop", done: false }, null)
    for (let count = 0; count < 5; count++) {
      shop.pass(30 * hour)
      await shop.look(made)
      expect((await shop.refund(made, { amount: 600 }, key)).body["error"]).toBe("refund_pending_unknown")
    }
    const [refund] = await refundsOf(made)
    expect(refund).toMatchObject({ status: "unknown" })
    expect(madeByBank()).toHaveLength(1)
    await resolve(refund?.["id"], { made: true, reference: madeByBank()[0]?.reference ?? "" })
    expect((await shop.read(made)).body["status"]).toBe("partially_refunded")
  }
)

it("refundOnce: a refund whose answer was lost is asked about, and never asked for again", async () => {
  await open({ refundOnce: false })
  const made = await paid()
  shop.fault("refund", { kind: "drop", done: true })
  const key = { "idempotency-key": "back-1" }
  expect((await shop.refund(made, { amount: 600 }, key)).body["error"]).toBe("refund_unknown")
  await shop.look(made)
  expect((await shop.refund(made, { amount: 600 }, key)).status).toBe(200)
  expect(madeByBank()).toHaveLength(1)
  expect(await refundsOf(made)).toMatchObject([{ status: "succeeded" }])
})

it("createOnce: a create that is slow to arrive is not asked for again, and is found", async () => {
  await open({ createOnce: false })
  shop.fault("createQr", { kind: "late", delayMs: 20 * second })
  const create = () => shop.create({}, { "idempotency-key": "order-1" })
  const made = await create()
  for (let count = 0; count < 3; count++) {
    expect((await create()).body["error"]).toBe("provider_error")
    shop.pass(5 * second)
  }
  shop.pass(10 * second)
  expect((await create()).body["status"]).toBe("pending")
  expect(shop.payments()).toHaveLength(1)
  expect(await statusOf(idOf(made))).toBe("pending")
})

it("showRefunds: what went back is counted by our own records", async () => {
  await open({ showRefunds: false })
  const made = await paid()
  expect((await shop.refund(made, { amount: 600 })).status).toBe(201)
  expect((await shop.look(made)).body).toMatchObject({ status: "partially_refunded", refundedAmount: 600 })
  expect((await shop.refund(made)).status).toBe(201)
  expect((await shop.look(made)).body).toMatchObject({ status: "refunded", refundedAmount: 1500 })
  expect(madeByBank()).toHaveLength(2)
})

it("cancel: a push that cannot be withdrawn stays open, and is paid", async () => {
  await open({ cancel: false })
  const made = await shop.create(push)
  expect((await shop.cancel(made)).body["error"]).toBe("cancel_failed")
  shop.pay(made)
  expect((await shop.look(made)).body["status"]).toBe("paid")
})

it("push: an invoice by phone fails, and nothing is made", async () => {
  await open({ push: false })
  const made = await shop.create(push)
  expect(made.body["error"]).toBe("invoice_create_failed")
  expect(await statusOf(idOf(made))).toBe("failed")
  expect(shop.payments()).toEqual([])
})

it.each([{}, { findRefunds: false }, { findRefunds: false, refundOnce: false }])(
  "%j: what went back counts once where payments show it without our ids",
  async (can: Abilities) => {
    await open(can, true)
    const made = await paid()
    expect((await shop.refund(made, { amount: 300 })).status).toBe(201)
    expect((await shop.look(made)).body).toMatchObject({ refundedAmount: 300 })

    shop.fault("refund", { kind: "drop", done: true })
    expect((await shop.refund(made, { amount: 600 })).body["error"]).toBe("refund_unknown")
    for (let count = 0; count < 3; count++) {
      shop.pass(30 * hour)
      await shop.look(made)
    }
    const [reference = ""] = madeByBank().flatMap((one) => (one.amount === 60_000 ? [one.reference] : []))
    const unknown = (await refundsOf(made)).find(({ status }) => status === "unknown")
    if (unknown !== undefined) await resolve(unknown["id"], { made: true, reference })
    expect((await shop.look(made)).body).toMatchObject({ status: "partially_refunded", refundedAmount: 900 })
    expect(await refundsOf(made)).toMatchObject([{ status: "succeeded" }, { status: "succeeded" }])
    expect(madeByBank()).toHaveLength(2)
  }
)

it("a refund that is shown without our id before its call answers counts once", async () => {
  await open({}, true, 60 * second)
  const made = await paid()
  shop.fault("refund", { kind: "slow", delayMs: 300 })
  const asked = shop.refund(made)
  while (madeByBank().length === 0) await shop.look(made)
  await shop.look(made)
  expect((await asked).status).toBe(201)
  expect((await shop.look(made)).body).toMatchObject({ status: "refunded", refundedAmount: 1500 })
  expect(await refundsOf(made)).toMatchObject([{ status: "succeeded" }])
})
