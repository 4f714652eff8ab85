/** Live invoices of transactions: who cannot ask leaves them alone, and what was asked is not repeated. */
import { setTimeout } from "node:timers/promises"
import type { Abilities } from "@tolem/core/provider/Abilities"
import { expect, it } from "vitest"
import { eventually } from "../support/eventually.ts"
import { openLive } from "../support/liveShop.ts"

const quick = { watcher: { pollMs: 20, leaseMs: 600_000 } }

const inTransaction = async ({ begin, shop }: Awaited<ReturnType<typeof openLive>>) => {
  const tx = await begin()
  const { id } = await shop.invoices.create({ amount: 10 }, { tx: tx.raw })
  await tx.commit()
  return id
}

it("a process without a provider claims nothing that one has to be asked about", async () => {
  const opened = await openLive()
  const { shop, start, payments, agents } = opened
  await start({ settings: quick, agents: true })
  const id = await inTransaction(opened)
  // As long as its claims take to come by several times; a lease of theirs would last for ten minutes.
  await setTimeout(200)
  await agents()
  await eventually(async () => expect((await shop.invoices.get(id)).status).toBe("pending"))
  expect(payments().map(({ ours }) => ours)).toEqual([id])
})

const unsure: ReadonlyArray<Abilities> = [{ createOnce: false }, { createOnce: false, findByOurs: false }]
it.each(unsure)("%j: what it may have taken is not asked for again by an agent, and stays to be seen", async (can) => {
  const opened = await openLive({ can, timeoutMs: 50 })
  const { shop, bank, start, provider, engine, asked } = opened
  bank.control.faults.add({ call: "createQr", times: null, fault: { kind: "drop", done: false } })
  const id = await inTransaction(opened)
  const live = { abandonedAfterMs: 100, openIntervals: [{ untilMs: Number.POSITIVE_INFINITY, everyMs: 50 }] }
  await start({ provider, settings: { watcher: { pollMs: 20, leaseMs: 3_000 }, live } })
  const known = can.findByOurs === false ? "new" : "failed"
  await eventually(() => expect(asked).toEqual([id]))
  await eventually(async () => expect((await shop.invoices.get(id)).status).toBe(known))
  await setTimeout(300)
  expect(asked).toEqual([id])
  expect(await engine.verify()).toEqual([])
})
