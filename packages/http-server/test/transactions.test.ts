/** Invoices in the application's own transactions: committed with what it writes itself, or not at all. */
import { setTimeout } from "node:timers/promises"
import type { TolemError } from "@tolem/core"
import { describe, expect, inject, it } from "vitest"
import { eventually } from "./support/eventually.ts"
import { openLive } from "./support/liveShop.ts"
import { openShop } from "./support/shop.ts"

const isPostgres = inject("database") === "postgres"
const push = { amount: 10, kind: "phone", customer: { phone: "77011112233" } } as const
const quick = { watcher: { pollMs: 20, leaseMs: 3_000 } }
const refusal = { kind: "refuse", code: "invalid", retryable: false } as const

const codeOf = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => "done",
    ({ code }: TolemError) => code
  )

describe("an invoice in a transaction of the application", () => {
  it("is committed with what the application writes, and undone with it", async () => {
    const { shop, begin, notes, first } = await openShop()
    const kept = await begin()
    await kept.write("kept")
    const invoice = await shop.invoices.create({ amount: 10, externalOrderId: "A-1" }, { tx: kept.raw })
    expect(invoice.status).toBe("pending")
    await expect(shop.invoices.get(invoice.id)).rejects.toMatchObject({ code: "invoice_not_found" })
    await kept.commit()
    const { events, refunds, ...read } = await shop.invoices.get(invoice.id)
    expect([read, events.length, refunds]).toEqual([invoice, 1, []])
    const undone = await begin()
    await undone.write("undone")
    const gone = await shop.invoices.create({ amount: 10 }, { tx: undone.raw })
    await undone.rollback()
    await expect(shop.invoices.get(gone.id)).rejects.toMatchObject({ code: "invoice_not_found" })
    expect(await notes()).toEqual(["kept"])
    expect((await shop.events().page()).events.map(({ invoice: { id } }) => id)).toEqual([invoice.id])
    expect(await shop.invoices.simulate(invoice.id, "paid")).toMatchObject({
      status: "paid",
      receiptNumber: "00000001"
    })
    expect(await first.verify()).toEqual([])
  })

  it("may be one of several, and answers what its idempotency key has made, inside and outside", async () => {
    const { shop, begin, first } = await openShop()
    const before = await shop.invoices.create({ amount: 10, idempotencyKey: "before" })
    const tx = await begin()
    const create = (idempotencyKey: string, amount = 10) =>
      shop.invoices.create({ amount, idempotencyKey }, { tx: tx.raw })
    const [one, again, two] = await Promise.all([create("1"), create("1"), create("2")])
    expect(again).toEqual({ ...one, idempotentReplay: true })
    expect(two.id).not.toBe(one.id)
    expect(await create("before", 20)).toEqual({ ...before, idempotentReplay: true, idempotencyMismatch: true })
    await tx.commit()
    const later = await shop.invoices.create({ amount: 10, idempotencyKey: "1" })
    expect(later).toEqual({ ...one, idempotentReplay: true })
    expect((await shop.invoices.list()).total).toBe(3)
    expect(await first.verify()).toEqual([])
  })

  it("that is refused leaves the transaction as it was", async () => {
    const { shop, begin, notes, start, tenant } = await openShop()
    const limited = await start({ agents: false, settings: { sandbox: { invoicesPerDay: 1 } } })
    const tx = await begin()
    const inTx = { tx: tx.raw }
    await tx.write("before")
    expect(await codeOf(shop.invoices.create({ amount: -1 }, inTx))).toBe("amount_too_small")
    const few = limited.of(tenant)
    await few.invoices.create({ amount: 10 }, inTx)
    expect(await codeOf(few.invoices.create({ amount: 10 }, inTx))).toBe("sandbox_limit")
    const stranger = limited.of({ organizationId: "org_nobody", mode: "sandbox" })
    expect(await codeOf(stranger.invoices.create({ amount: 10 }, inTx))).toBe("organization_inactive")
    const dark = limited.of({ ...tenant, mode: "live" })
    expect(await codeOf(dark.invoices.create({ amount: 10 }, inTx))).toBe("not_live")
    await tx.write("after")
    await tx.commit()
    expect(await notes()).toEqual(["before", "after"])
    expect((await shop.invoices.list()).total).toBe(1)
    expect(await limited.verify()).toEqual([])
  })

  it("is refused where no transaction is open", async () => {
    const { shop, begin } = await openShop()
    const tx = await begin()
    await tx.commit()
    for (const none of [tx.raw, {}, { query: "none" }, undefined, null]) {
      expect(await codeOf(shop.invoices.create({ amount: 10 }, { tx: none! }))).toBe("transaction_not_open")
    }
    // The client itself, and nothing at all, in place of the options.
    for (const none of [tx.raw, {}, null]) {
      expect(await codeOf(shop.invoices.create({ amount: 10 }, none as never))).toBe("transaction_not_open")
    }
    expect((await shop.invoices.list()).total).toBe(0)
  })

  it("is part of what a handler of events does", async () => {
    const { shop, start, paid, notes } = await openShop()
    let tries = 0
    let late: object = {}
    const engine = await start({
      on: {
        "invoice.paid": async ({ invoice, organizationId, mode }, { tx }) => {
          if (invoice.externalOrderId !== "A-1") return
          tries++
          late = tx.raw
          const of = engine.of({ organizationId, mode })
          const bonus = await of.invoices.create({ amount: 5, externalOrderId: `bonus ${tries}` }, { tx: tx.raw })
          await tx.write(`bonus ${bonus.externalOrderId}`)
          if (tries === 1) throw new Error("no luck")
        }
      }
    })
    await paid("A-1")
    await eventually(async () => expect(await notes()).toEqual(["bonus bonus 2"]))
    const { invoices } = await shop.invoices.list()
    expect(invoices.map(({ externalOrderId }) => externalOrderId).toSorted()).toEqual(["A-1", "bonus 2"])
    expect(await codeOf(shop.invoices.create({ amount: 10 }, { tx: late }))).toBe("transaction_not_open")
  })

  it("is none where a handler that is over has not awaited it", async () => {
    const { shop, start, paid, notes, first } = await openShop()
    const late: Array<Promise<string>> = []
    const engine = await start({
      on: {
        "invoice.paid": async ({ organizationId, mode }, { tx, attempt }) => {
          const { invoices } = engine.of({ organizationId, mode })
          for (let count = 0; count < 3; count++) late.push(codeOf(invoices.create({ amount: 5 }, { tx: tx.raw })))
          await tx.write(`try ${attempt}`)
          if (attempt < 3) throw new Error("no luck")
        }
      }
    })
    await paid("A-1")
    await eventually(async () => expect(await notes()).toEqual(["try 3"]))
    const codes = await Promise.all(late)
    const done = codes.slice(6).filter((code) => code === "done")
    expect(codes).toHaveLength(9)
    for (const code of codes) expect(["done", "transaction_not_open"]).toContain(code)
    expect((await shop.invoices.list()).total).toBe(1 + done.length)
    expect(await first.verify()).toEqual([])
  })

  it("is made at the provider after the commit, whoever is there then", async () => {
    const { shop, begin, payments, agents, engine } = await openLive()
    const tx = await begin()
    const inTx = { tx: tx.raw }
    const qr = await shop.invoices.create({ amount: 10, idempotencyKey: "qr" }, inTx)
    const phone = await shop.invoices.create(push, inTx)
    const again = await shop.invoices.create({ amount: 10, idempotencyKey: "again" }, inTx)
    expect([qr, phone, again].map(({ status, qrUrl }) => [status, qrUrl])).toEqual(Array(3).fill(["new", null]))
    await tx.commit()
    // A crash at this point: nobody has asked, and nobody remembers.
    expect(payments()).toEqual([])
    const replay = await shop.invoices.create({ amount: 10, idempotencyKey: "again" })
    expect(replay).toMatchObject({ id: again.id, status: "pending", idempotentReplay: true })
    await agents()
    for (const { id } of [qr, phone]) {
      await eventually(async () => expect((await shop.invoices.get(id)).status).toBe("pending"))
    }
    expect((await shop.invoices.get(qr.id)).qrUrl).not.toBeNull()
    expect(
      payments()
        .map(({ ours }) => ours)
        .toSorted()
    ).toEqual([qr, phone, again].map(({ id }) => id).toSorted())
    expect(await engine.verify()).toEqual([])
  })

  it("asks for nothing if it is undone, and tells of a provider that refuses", async () => {
    const { shop, begin, payments, bank, start, provider } = await openLive()
    const undone = await begin()
    await shop.invoices.create({ amount: 10 }, { tx: undone.raw })
    await undone.rollback()
    bank.control.faults.add({ call: "createQr", times: 1, fault: refusal })
    const refused = await begin()
    const { id } = await shop.invoices.create({ amount: 10, idempotencyKey: "order" }, { tx: refused.raw })
    await refused.commit()
    // One that has no provider leaves it to the others.
    const unable = await start({ settings: quick })
    await setTimeout(100)
    await unable.close()
    const heard: Array<string> = []
    await start({ provider, settings: quick, on: { "invoice.failed": ({ invoice }) => void heard.push(invoice.id) } })
    await eventually(() => expect(heard).toEqual([id]))
    expect(payments()).toEqual([])
    const another = await shop.invoices.create({ amount: 10, idempotencyKey: "order" })
    expect([another.id === id, another.status]).toEqual([false, "pending"])
  })
})

describe("while a transaction of the application is open", () => {
  it.runIf(isPostgres)("others create, also for the same day, cashier and status", async () => {
    const { shop, begin, first } = await openShop()
    const [one, two] = [await begin(), await begin()]
    await shop.invoices.create({ amount: 10 }, { tx: one.raw })
    await shop.invoices.create({ amount: 10 }, { tx: two.raw })
    await Promise.all(Array.from({ length: 30 }, () => shop.invoices.create({ amount: 10 })))
    expect((await shop.invoices.list()).total).toBe(30)
    await one.commit()
    await two.rollback()
    expect((await shop.invoices.list()).total).toBe(31)
    expect(await first.verify()).toEqual([])
  })

  it.runIf(isPostgres)("with a key, only who asks with the same one waits for it", async () => {
    const { begin, start, tenant } = await openShop()
    const first = await start({ agents: false, settings: { batch: { writers: 1 } } })
    const shop = first.of(tenant)
    const tx = await begin()
    const keys = Array.from({ length: 2 }, (_, index) => `held ${index}`)
    for (const idempotencyKey of keys) await shop.invoices.create({ amount: 10, idempotencyKey }, { tx: tx.raw })
    const { organization } = await first.organizations.create({ name: "Other", ownerPhone: "77001234568" })
    const other = first.of({ organizationId: organization.id, mode: "sandbox" })
    await other.invoices.list()
    const held = keys.map((idempotencyKey) => shop.invoices.create({ amount: 10, idempotencyKey }))
    const refused = Promise.all(held.map(codeOf))
    // The first is being written, and what comes now is written together with the rest.
    await setTimeout(300)
    const free = keys.map((key) => [
      other.invoices.create({ amount: 10 }),
      other.invoices.create({ amount: 10, idempotencyKey: `other ${key}` })
    ])
    expect((await Promise.all(free.flat().map(codeOf))).every((code) => code === "done")).toBe(true)
    await tx.commit()
    for (const code of await refused) expect(["service_unavailable", "done"]).toContain(code)
    expect(await first.verify()).toEqual([])
  })

  it.runIf(isPostgres)("that has failed, a create says so", async () => {
    const { shop, begin } = await openShop()
    const tx = await begin()
    await tx.write("once")
    await (tx.raw as { query: (text: string) => Promise<unknown> }).query("select 1 / 0").catch(() => {})
    expect(await codeOf(shop.invoices.create({ amount: 10 }, { tx: tx.raw }))).toBe("transaction_not_open")
  })

  it.skipIf(isPostgres)("a create outside of it does not wait for its end, and says what to do", async () => {
    const { shop, begin } = await openShop()
    const tx = await begin()
    await tx.write("held")
    // Before the transaction ends: it would wait for ever.
    const refused = await shop.invoices.create({ amount: 10 }).catch((error: TolemError) => error)
    expect(refused).toMatchObject({ code: "transaction_in_the_way", status: 409, retryable: true })
    expect((refused as TolemError).messages.en).toContain("create in it with { tx }")
    await tx.commit()
    expect((await shop.invoices.create({ amount: 10 })).status).toBe("pending")
  })

  it.skipIf(isPostgres)("what else is asked waits for its end, and holds up nothing meanwhile", async () => {
    const { shop, begin } = await openShop()
    const { id } = await shop.invoices.create({ amount: 10 })
    const tx = await begin()
    let turns = 0
    const counting = setInterval(() => turns++, 1)
    const cancelled = shop.invoices.cancel(id)
    await eventually(() => expect(turns).toBeGreaterThan(20))
    clearInterval(counting)
    await tx.commit()
    expect(await cancelled).toMatchObject({ status: "cancelled" })
  })
})
