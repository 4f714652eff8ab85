/** How the iterator of events ends: by its signal, and with its engine. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, EngineClosed } from "@tolem/core"
import { afterEach, expect, it } from "vitest"

const ends: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A shop with three events. */
const started = async () => {
  const engine = await createEngine({
    database: sqlite({ filename: ":memory:" }),
    platform: nodePlatform(),
    secretKeys: ["a key for tests only, of no use anywhere else"],
    agents: false
  })
  ends.push(engine.close)
  const shop = await engine.merchant({ key: "shop", name: "Shop", mode: "sandbox" })
  for (const amount of [1, 2, 3]) await shop.invoices.create({ amount })
  return { engine, shop }
}

it("ends between two events of a page where its signal says so", async () => {
  const { shop } = await started()
  const stop = new AbortController()
  let found = 0
  for await (const _ of shop.events({ signal: stop.signal })) {
    found++
    stop.abort()
  }
  expect(found).toBe(1)
})

it("ends without an error where its engine is closed while it waits", async () => {
  const { engine, shop } = await started()
  const events = shop.events()[Symbol.asyncIterator]()
  for (let n = 0; n < 3; n++) expect(await events.next()).toMatchObject({ done: false })
  const last = events.next()
  await engine.close()
  // One that is not told waits for longer than the engine does, and fails with it.
  expect(await last).toEqual({ done: true, value: undefined })
})

it("ends without an error where its engine is closed while an event is looked at", async () => {
  const { engine, shop } = await started()
  let found = 0
  for await (const _ of shop.events()) {
    found++
    await engine.close()
  }
  expect(found).toBe(1)
})

it("does not pass for complete where its engine is closed before its last event", async () => {
  const { engine, shop } = await started()
  const found: Array<string> = []
  const all = async () => {
    for await (const { id } of shop.events({ follow: false, limit: 2 })) {
      found.push(id)
      if (found.length === 1) await engine.close()
    }
  }
  await expect(all()).rejects.toBeInstanceOf(EngineClosed)
  expect(found).toHaveLength(2)
})

it("is refused where its engine was closed before", async () => {
  const { engine, shop } = await started()
  await engine.close()
  await expect(shop.events()[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(EngineClosed)
})
