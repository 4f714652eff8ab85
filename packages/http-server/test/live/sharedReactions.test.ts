/** Handlers on a connection that the application uses as well: its own statements never get into their transactions. */
import { DatabaseSync } from "node:sqlite"
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"
import { expect, it, onTestFinished } from "vitest"
import { eventually } from "../support/eventually.ts"

it("a handler on a DatabaseSync of the application writes in its transaction, and may not be async", async () => {
  const database = new DatabaseSync(":memory:")
  database.exec("create table orders (note text not null)")
  const errors: Array<string> = []
  const engine = await createEngine({
    database: sqlite({ database }),
    platform: nodePlatform(),
    secretKeys: ["a key for tests only, of no use anywhere else"],
    settings: { reactions: { pollMs: 10, retryWaitsMs: [20] } },
    on: {
      "invoice.paid": ({ invoice }, { tx, attempt }) => {
        expect(database.isTransaction).toBe(true)
        tx.prepare("insert into orders (note) values (?)").run(`${invoice.externalOrderId} at ${attempt}`)
        if (attempt === 1) throw new Error("no luck")
      },
      "invoice.expired": async ({ invoice }, { tx }) => {
        tx.prepare("insert into orders (note) values (?)").run(invoice.id)
      }
    }
  })
  onTestFinished(() => engine.close())
  const shop = await engine.merchant({ key: "shop", name: "Shop", mode: "sandbox" })
  const simulated = async (status: "paid" | "expired", externalOrderId: string) => {
    const { id } = await shop.invoices.create({ amount: 10, externalOrderId })
    await shop.invoices.simulate(id, status)
  }
  // The application goes on with its own work on the same connection all the while.
  const busy = setInterval(() => {
    if (database.isTransaction) errors.push("the application had a turn within a transaction")
  }, 0)
  onTestFinished(() => clearInterval(busy))
  await simulated("paid", "A-1")
  await simulated("expired", "A-2")
  const notes = () =>
    database
      .prepare("select note from orders")
      .all()
      .map(({ note }) => note)
  await eventually(() => expect(notes()).toEqual(["A-1 at 2"]))
  await eventually(async () => expect((await engine.reactions.failures())[0]?.status).toBe("failed"))
  expect((await engine.reactions.failures())[0]?.error).toContain("must not be async")
  expect(notes()).toEqual(["A-1 at 2"])
  expect(errors).toEqual([])
})

it("an invoice is made in a transaction on a DatabaseSync of the application, and nowhere else meanwhile", async () => {
  const database = new DatabaseSync(":memory:")
  database.exec("create table orders (note text not null)")
  const engine = await createEngine({
    database: sqlite({ database }),
    platform: nodePlatform(),
    secretKeys: ["a key for tests only, of no use anywhere else"]
  })
  onTestFinished(() => engine.close())
  const shop = await engine.merchant({ key: "shop", name: "Shop", mode: "sandbox" })
  const create = (options?: { readonly tx: DatabaseSync }) => shop.invoices.create({ amount: 10 }, options)
  database.exec("begin; insert into orders values ('A-1')")
  let turns = 0
  setImmediate(() => turns++)
  const { id } = await create({ tx: database })
  expect(turns).toBe(0)
  await expect(create()).rejects.toMatchObject({ code: "transaction_in_the_way" })
  database.exec("rollback; begin")
  const kept = await create({ tx: database })
  database.exec("commit")
  await expect(create({ tx: database })).rejects.toMatchObject({ code: "transaction_not_open" })
  await expect(shop.invoices.get(id)).rejects.toMatchObject({ code: "invoice_not_found" })
  expect(await shop.invoices.get(kept.id)).toMatchObject({ status: "pending" })
  expect(await engine.verify()).toEqual([])
})
