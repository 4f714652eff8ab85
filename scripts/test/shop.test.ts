/** The example's shop is killed on each database; more often: `npm run chaos -- shop --times 200`. */
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { expect, inject, it, onTestFinished } from "vitest"
import { type Outcome, shop } from "../chaos/Shop.ts"

/** Half of them after a payment. `npm run test:slow` has more. */
const kills = inject("isWhole") ? 10 : 4

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
