/** What is asked beside an open transaction on SQLite, which has one writer: who waits for it, and who must not. */
import { DatabaseSync } from "node:sqlite"
import { setImmediate } from "node:timers/promises"
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, type TolemError } from "@tolem/core"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { eventually } from "./support/eventually.ts"
import { openShop } from "./support/shop.ts"

const codeOf = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => "done",
    ({ code }: TolemError) => code
  )

/** Longer than the moment after which a create gives up of which it is not known who keeps it waiting. */
const longMs = 600
const untilLong = (began: number) => eventually(() => expect(performance.now() - began).toBeGreaterThan(longMs))

/** Requests of others, which have come before, and go on once they are let. */
const requests = <A>(count: number, ask: () => Promise<A>) => {
  const gate = Promise.withResolvers<void>()
  const request = async () => {
    await gate.promise
    return ask()
  }
  const answers = Promise.allSettled(Array.from({ length: count }, request))
  return { letIn: gate.resolve, answers }
}

/** Whether it is answered in a few turns of the event loop: nothing has waited then. */
const isAtOnce = async (answer: Promise<unknown>): Promise<boolean> => {
  let isAnswered = false
  const note = () => {
    isAnswered = true
  }
  answer.then(note, note)
  for (let turn = 0; turn < 100 && !isAnswered; turn++) await setImmediate()
  return isAnswered
}

/** The shop with one connection that it shares with the engine. */
const openShared = async () => {
  const database = new DatabaseSync(":memory:")
  database.exec("create table orders (note text not null)")
  const engine = await createEngine({
    database: sqlite({ database }),
    platform: nodePlatform(),
    secretKeys: ["a key for tests only, of no use anywhere else"],
    settings: { reactions: { pollMs: 20, retryWaitsMs: [20] } }
  })
  onTestFinished(() => engine.close())
  const shop = await engine.merchant({ key: "shop", name: "Shop", mode: "sandbox" })
  const begin = async () => {
    database.exec("begin immediate")
    return { raw: database, commit: async () => database.exec("commit") }
  }
  return { engine, shop, begin, database }
}

const places = { "a connection of its own": openShop, "the connection that it shares": openShared }

describe.skipIf(inject("database") === "postgres")("while a transaction is open", () => {
  for (const [place, open] of Object.entries(places)) {
    it(`on ${place}, creates of other requests wait for their turn`, async () => {
      const { shop, begin } = await open()
      const others = requests(50, () => shop.invoices.create({ amount: 10 }))
      const mine = async () => {
        const tx = await begin()
        const began = performance.now()
        await shop.invoices.create({ amount: 10 }, { tx: tx.raw })
        others.letIn()
        await untilLong(began)
        expect(await isAtOnce(others.answers)).toBe(false)
        await tx.commit()
        // Afterwards the transaction is over for its own request as well.
        await shop.invoices.create({ amount: 10 })
      }
      await mine()
      expect((await others.answers).map(({ status }) => status)).toEqual(Array(50).fill("fulfilled"))
      expect((await shop.invoices.list()).total).toBe(52)
    })

    it(`on ${place}, a create that forgets it is refused at once`, async () => {
      const { shop, begin } = await open()
      const tx = await begin()
      await shop.invoices.create({ amount: 10 }, { tx: tx.raw })
      const forgot = shop.invoices.create({ amount: 10 })
      const bulk = Promise.resolve().then(() => shop.invoices.bulk([{ amount: 10 }]))
      expect(await isAtOnce(Promise.allSettled([forgot, bulk]))).toBe(true)
      expect(await Promise.all([codeOf(forgot), codeOf(bulk)])).toEqual(Array(2).fill("transaction_in_the_way"))
      await expect(forgot).rejects.toMatchObject({ cause: { message: expect.stringContaining("{ tx }") } })
      await tx.commit()
      expect(await codeOf(shop.invoices.create({ amount: 10 }))).toBe("done")
    })

    it(`on ${place}, of which nothing is known, a create says so after a moment`, async () => {
      const { shop, begin } = await open()
      const tx = await begin()
      expect(await codeOf(shop.invoices.create({ amount: 10 }))).toBe("transaction_in_the_way")
      await tx.commit()
      expect(await codeOf(shop.invoices.create({ amount: 10 }))).toBe("done")
      expect((await shop.invoices.list()).total).toBe(1)
    })
  }

  it("behind others who wait for it, on a connection of its own, a create says so as soon", async () => {
    const { shop, begin } = await openShop()
    const tx = await begin()
    const others = Promise.all(["A", "B", "C"].map((title) => shop.paymentLinks.create({ title })))
    expect(await isAtOnce(others.catch(() => {}))).toBe(false)
    expect(await codeOf(shop.invoices.create({ amount: 10 }))).toBe("transaction_in_the_way")
    // Otherwise each of them would have been refused, after five seconds, before it had its turn.
    await tx.commit()
    expect((await others).map(({ title }) => title)).toEqual(["A", "B", "C"])
  })

  const commits = {
    exec: (database: DatabaseSync) => () => database.exec("commit"),
    "a prepared statement": (database: DatabaseSync) => () => void database.prepare("commit").run(),
    "a statement prepared earlier": (database: DatabaseSync) => {
      const statement = database.prepare("commit")
      return () => void statement.run()
    }
  }
  for (const [how, prepared] of Object.entries(commits)) {
    it(`of another on the shared connection, who has ended their own with ${how} waits for it`, async () => {
      const { shop, begin, database } = await openShared()
      const another = requests(1, begin)
      const commit = prepared(database)
      const names = Object.getOwnPropertyNames(database)
      const tx = await begin()
      await shop.invoices.create({ amount: 10 }, { tx: tx.raw })
      commit()
      another.letIn()
      await another.answers
      const created = shop.invoices.create({ amount: 10 })
      expect(await isAtOnce(created.catch(() => {}))).toBe(false)
      database.exec("commit")
      expect(await codeOf(created)).toBe("done")
      expect(Object.getOwnPropertyNames(database)).toEqual(names)
    })
  }

  it("of a handler, what it asks without it is refused at once, and others wait", async () => {
    const { shop, start, paid, notes, tenant } = await openShop()
    const codes: Array<string> = []
    const engine = await start({
      on: {
        "invoice.paid": async ({ invoice }, { tx, attempt }) => {
          if (attempt === 1) {
            const { invoices } = engine.of(tenant)
            const asked = [invoices.create({ amount: 5 }), invoices.get(invoice.id), invoices.refund(invoice.id)]
            expect(await isAtOnce(Promise.allSettled(asked))).toBe(true)
            codes.push(...(await Promise.all(asked.map(codeOf))))
            await asked[0]
          }
          const began = performance.now()
          outside.resolve()
          await untilLong(began)
          await tx.write("handled")
        }
      }
    })
    const outside = Promise.withResolvers<void>()
    const others = outside.promise.then(() =>
      Promise.all(Array.from({ length: 10 }, () => codeOf(engine.of(tenant).invoices.create({ amount: 10 }))))
    )
    const id = await paid("A-1")
    await eventually(async () => expect(await notes()).toEqual(["handled"]))
    expect(codes).toEqual(Array(3).fill("transaction_in_the_way"))
    expect(await others).toEqual(Array(10).fill("done"))
    expect((await shop.invoices.get(id)).refundedAmount).toBe(0)
    expect(await engine.reactions.failures()).toEqual([])
    expect((await shop.invoices.list()).total).toBe(11)
  })
})
