/** Handlers of the application hear of events: each once in what they write, whatever fails meanwhile. */
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { ReactionHandlers } from "@tolem/core/embedded/EmbeddedReactions"
import { begin } from "@tolem/testing-harness/Program"
import { describe, expect, it, onTestFinished } from "vitest"
import { eventually } from "./support/eventually.ts"
import { openShop, type Tx } from "./support/shop.ts"

describe("a handler", () => {
  it("is told the event and the invoice as it was then, and writes in the transaction that settles it", async () => {
    const { start, paid, notes, shop, tenant } = await openShop()
    const facts: Array<unknown> = []
    await start({
      on: {
        "invoice.paid": async (fact, { tx, attempt }) => {
          facts.push([fact, attempt])
          await tx.write(`paid ${fact.invoice.externalOrderId}`)
        }
      }
    })
    const id = await paid("A-1")
    await shop.invoices.refund(id, { amount: 3 })
    await eventually(async () => expect(await notes()).toEqual(["paid A-1"]))
    const { events, ...invoice } = await shop.invoices.get(id)
    const event = events.find(({ type }) => type === "invoice.paid")
    expect(facts).toEqual([
      [{ ...tenant, event, invoice: expect.objectContaining({ id, status: "paid", refundedAmount: 0 }) }, 1]
    ])
    expect(invoice.refundedAmount).toBe(3)
  })

  it("hears of an invoice's events in order, and of each once, however many processes there are", async () => {
    const { start, shop, notes } = await openShop()
    const on: ReactionHandlers<Tx> = {
      "invoice.*": ({ event, invoice }, { tx }) => tx.write(`${invoice.id} ${event.sequence}`)
    }
    await Promise.all([start({ on }), start({ on }), start({ on })])
    const ids: Array<string> = []
    await Promise.all(
      Array.from({ length: 15 }, async () => {
        const { id } = await shop.invoices.create({ amount: 10 })
        ids.push(id)
        await shop.invoices.simulate(id, "paid")
        await shop.invoices.refund(id, { amount: 1 })
      })
    )
    await eventually(async () => expect((await notes()).length).toBe(45))
    await setTimeout(200)
    const all = await notes()
    expect(all.length).toBe(45)
    for (const id of ids) {
      expect(all.filter((note) => note.startsWith(id))).toEqual([`${id} 1`, `${id} 2`, `${id} 3`])
    }
  })

  it("that fails is undone and tried again, and holds up only its own invoice", async () => {
    const { start, shop, paid, notes } = await openShop()
    let fails = true
    const engine = await start({
      on: {
        "invoice.*": async ({ event, invoice }, { tx, attempt }) => {
          if (event.type === "invoice.created") return
          await tx.write(`${invoice.externalOrderId} ${event.type}`)
          if (invoice.externalOrderId === "bad" && event.type === "invoice.paid" && fails) {
            throw new Error(`no luck at ${attempt}`)
          }
        }
      }
    })
    const bad = await paid("bad")
    await shop.invoices.refund(bad, { amount: 1 })
    for (const order of ["A-1", "A-2", "A-3"]) await paid(order)
    await eventually(async () =>
      expect((await notes()).filter((note) => note.startsWith("A-")).toSorted()).toEqual([
        "A-1 invoice.paid",
        "A-2 invoice.paid",
        "A-3 invoice.paid"
      ])
    )
    await eventually(async () =>
      expect(await engine.reactions.failures()).toMatchObject([
        { invoiceId: bad, type: "invoice.paid", status: "failed", attemptCount: 3, error: "Error: no luck at 3" }
      ])
    )
    // Given up, it holds nothing up any more.
    await eventually(async () => expect(await notes()).toContain("bad invoice.partially_refunded"))
    expect(await notes()).not.toContain("bad invoice.paid")
    fails = false
    const [failure] = await engine.reactions.failures()
    expect(await engine.reactions.resend(failure!.id)).toBe(true)
    await eventually(async () => expect(await notes()).toContain("bad invoice.paid"))
    await eventually(async () => expect(await engine.reactions.failures()).toEqual([]))
    expect(await engine.reactions.resend(failure!.id)).toBe(false)
    expect(await engine.verify()).toEqual([])
  })

  it("that hangs is given up, and what it does later belongs to nothing", async () => {
    const { start, paid, notes } = await openShop()
    const late: Array<unknown> = []
    const engine = await start({
      settings: { reactions: { timeoutMs: 200 } },
      on: {
        "invoice.paid": async ({ invoice }, { tx, attempt, signal }) => {
          await tx.write(`${invoice.externalOrderId} at ${attempt}`)
          if (attempt > 1) return
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
          await tx.write("too late").catch((error: Error) => late.push(error.message))
        }
      }
    })
    await paid("A-1")
    await eventually(async () => expect(await notes()).toEqual(["A-1 at 2"]))
    expect(late).toEqual(["the transaction has ended: what belongs to it must be awaited in it"])
    expect(await engine.reactions.failures()).toEqual([])
  })

  it("hears of what has happened while no process ran", async () => {
    const { start, paid, notes } = await openShop()
    const on: ReactionHandlers<Tx> = {
      "invoice.paid": ({ invoice }, { tx }) => tx.write(String(invoice.externalOrderId))
    }
    const engine = await start({ on })
    await paid("A-1")
    await eventually(async () => expect(await notes()).toEqual(["A-1"]))
    await engine.close()
    await paid("A-2")
    await paid("A-3")
    expect(await notes()).toEqual(["A-1"])
    await start({ on })
    // Those of different invoices in any order.
    await eventually(async () => expect((await notes()).toSorted()).toEqual(["A-1", "A-2", "A-3"]))
  })

  it("that runs when a tick ends is waited for", async () => {
    const { start, paid, notes } = await openShop()
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let hasBegun = false
    const engine = await start({
      agents: false,
      on: {
        "invoice.paid": async ({ invoice }, { tx }) => {
          hasBegun = true
          begun.resolve()
          await gate.promise
          await tx.write(String(invoice.externalOrderId))
        }
      }
    })
    await paid("A-1")
    let isOver = false
    // On a slow machine a tick may be over before it has found anything: the one that begins the handler is meant.
    const tick = async () => {
      while (!hasBegun) await engine.tick({ forMs: 300 })
      isOver = true
    }
    const ticked = tick()
    await begun.promise
    await setTimeout(600)
    expect(isOver).toBe(false)
    gate.resolve()
    await ticked
    expect(await notes()).toEqual(["A-1"])
  })

  it("can be added later under a name, for some organizations, and removed", async () => {
    const { start, paid, tenant, first } = await openShop()
    await paid("before")
    const engine = await start()
    const heard: Array<string> = []
    const hear = (name: string) => ({
      "invoice.paid": ({ invoice }: { invoice: { externalOrderId: string | null } }) =>
        void heard.push(`${name} ${invoice.externalOrderId}`)
    })
    const books = await engine.reactions.add("books", hear("books"), { organizations: [tenant.organizationId] })
    await engine.reactions.add("others", hear("others"), { organizations: ["org_nobody"] })
    await engine.reactions.add("all", hear("all"))
    await paid("A-1")
    await eventually(() => expect(heard.toSorted()).toContain("all A-1"))
    await eventually(() => expect(heard.filter((one) => one !== "all before").toSorted()).toContain("books A-1"))
    await books.stop()
    await paid("A-2")
    await eventually(() => expect(heard).toContain("all A-2"))
    expect(heard).not.toContain("books A-2")
    await engine.reactions.add("books", hear("books"), { organizations: [tenant.organizationId] })
    await eventually(() => expect(heard).toContain("books A-2"))
    expect(await engine.reactions.remove("all")).toBe(true)
    expect(await engine.reactions.remove("all")).toBe(false)
    expect(heard.some((one) => one.startsWith("others"))).toBe(false)
    expect(await first.verify()).toEqual([])
  })
})

describe("an application that is killed", () => {
  for (const where of ["written", "handled"]) {
    it(`when it has ${where === "written" ? "written" : "handled"} an event has written it once`, async () => {
      const { url, paid, notes, first } = await openShop()
      const script = fileURLToPath(new URL("servers/programs/orders.ts", import.meta.url))
      const orders = ["A-1", "A-2", "A-3", "A-4"]
      for (const order of orders) await paid(order)
      const isDone = async () => (await notes()).length >= orders.length
      let kills = 0
      // What starts it again, as a supervisor does.
      for (let starts = 0; starts < 20 && !(await isDone()); starts++) {
        const program = begin([url, where], { script })
        onTestFinished(() => program.stop().then(() => {}))
        await Promise.race([program.ended, eventually(async () => expect(await isDone()).toBe(true))])
        if (!program.isAlive()) kills++
        await program.stop()
      }
      expect((await notes()).toSorted()).toEqual(orders)
      expect(kills).toBeGreaterThan(0)
      expect(await first.reactions.failures()).toEqual([])
      expect(await first.verify()).toEqual([])
    })
  }
})
