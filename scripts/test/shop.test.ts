/** The example's shop is killed on each database; more often: `npm run chaos -- shop --times 200`. */
import { createDatabase, createMigrated } from "@tolem/testing-postgres/Databases"
import { expect, inject, it, onTestFinished } from "vitest"
import { openShop } from "../../examples/express/src/App.ts"
import { onPostgres } from "../../examples/express/src/Orders.ts"
import { type Outcome, shop } from "../chaos/Shop.ts"

/** Half of them after a payment. `npm run test:slow` has more. */
const kills = inject("isWhole") ? 10 : 2

const kept = ({ violations, paid, orders }: Outcome) => {
  expect(violations).toEqual([])
  expect(orders).toBeGreaterThan(paid)
  expect(paid).toBeGreaterThan(0)
}

it(`on SQLite each order has one invoice and is paid once, in spite of ${kills} kills`, async () => {
  kept(await shop(kills, () => {}))
}, 600_000)

it(`on PostgreSQL each order has one invoice and is paid once, in spite of ${kills} kills`, async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  kept(await shop(kills, () => {}, url))
}, 600_000)

it("on PostgreSQL the shop goes on when all of its connections end, as in a failover", async () => {
  const { url, query, drop } = await createMigrated()
  onTestFinished(drop)
  const options = { secretKey: "a secret text of the shop, 32 characters long", baseUrl: "https://shop.kz" }
  const orders = onPostgres(url)
  const { shop, engine, close } = await openShop({ ...options, orders })
  const first = await shop.invoices.create({ amount: 10 })
  const { cursor } = await shop.events().page()
  const endAll = () =>
    query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    )
  expect((await endAll()).length).toBeGreaterThan(0)
  // Also those of an order that is being taken, which is not there then.
  const taking = orders.take("A-1", async () => {
    await endAll()
    return "inv_none"
  })
  await expect(taking).rejects.toThrow(/connection|terminat/i)
  // A statement that was under way fails; the next has a new connection.
  const paid = () => shop.invoices.simulate(first.id, "paid")
  await expect
    .poll(() =>
      paid().then(
        ({ status }) => status,
        () => "failed"
      )
    )
    .toBe("paid")
  const after = await shop.events({ after: cursor }).page()
  expect(after.events.map(({ type }) => type)).toEqual(["invoice.paid"])
  expect(await orders.all()).toEqual([])
  expect(await engine.verify()).toEqual([])
  await close()
})
