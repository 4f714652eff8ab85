/** Work that three servers share: each piece is done by one of them, also when one is killed in the middle of it. */

import type { Merchant } from "@tolem/testing-harness/Desk"
import type { Arrival } from "@tolem/testing-harness/Receiver"
import { describe, expect, it } from "vitest"
import { cluster, inLines, receiver, send, times, until } from "../cluster/support/cluster.ts"

type Server = Parameters<typeof send>[0]

const unlimited = ["--writes-per-minute", "1000000", "--reads-per-minute", "1000000"]

const paid = async (server: Server, merchant: Merchant): Promise<string> => {
  const { body } = await send(server, merchant, "/invoices", { amount: 10 })
  expect((await send(server, merchant, `/invoices/${body.id}/simulate`, { status: "paid" })).status).toBe(200)
  return body.id
}

/** How often each delivery has arrived. */
const arrivalsOf = (arrivals: ReadonlyArray<Arrival>) => {
  const counts = new Map<string, number>()
  for (const { delivery } of arrivals) counts.set(delivery, (counts.get(delivery) ?? 0) + 1)
  return counts
}

/** Invoices that three servers make, pay and announce to two endpoints. */
const count = 220

const pending = "select count(*)::int as n from tolem_deliveries where status = 'pending'"

describe("three servers", () => {
  it("try each delivery once where nothing fails, and write each event once", async () => {
    const { servers, merchant, announce, command, query } = await cluster()
    const three = await servers(3, "", ...unlimited)
    const key = await merchant()
    const [one, two] = [await receiver(), await receiver()]
    for (const { url } of [one, two]) await announce(key, url)
    await inLines(count, (index) => paid(three[index % 3]!, key))
    // When all are settled, none can arrive any more.
    await until("all is delivered", 120_000, async () => (await query(pending))[0]?.["n"] === 0)
    for (const { arrivals } of [one, two]) {
      expect(arrivals).toHaveLength(count)
      expect(new Set(arrivals.map(({ delivery }) => delivery)).size).toBe(count)
      expect(new Set(arrivals.map(({ invoice }) => invoice)).size).toBe(count)
    }
    expect(await query("select count(*)::int as n from tolem_attempts")).toEqual([{ n: 2 * count }])
    expect(await query("select type, count(*)::int as n from tolem_events group by type order by type")).toEqual([
      { type: "invoice.created", n: count },
      { type: "invoice.paid", n: count }
    ])
    expect((await command("verify")).ok).toBe(true)
  })

  it("take over what one of them held when it was killed, each piece once, within 30 seconds", async () => {
    const { server, servers, merchant, announce, command, query } = await cluster()
    const [first, others] = [await server("", ...unlimited), await servers(2, "", ...unlimited)]
    const key = await merchant()
    let hangs = true
    const held = new Set<string>()
    const { url, arrivals } = await receiver(({ delivery }) => {
      if (!hangs) return 200
      held.add(delivery)
      return null
    })
    await announce(key, url)
    // The other two sleep until the first one has begun, so that it is the one that holds something.
    for (const other of others) other.signal("SIGSTOP")
    await Promise.all(times(40).map(() => paid(first, key)))
    await until("it waits for answers", 120_000, () => held.size >= 4)
    first.signal("SIGKILL")
    await first.ended
    hangs = false
    for (const other of others) other.signal("SIGCONT")
    await until("the others have delivered all", 30_000, async () => (await query(pending))[0]?.["n"] === 0)
    const counts = arrivalsOf(arrivals)
    expect(counts.size).toBe(40)
    for (const [delivery, count] of counts) expect(count).toBe(held.has(delivery) ? 2 : 1)
    expect((await send(others[0]!, key, "/invoices?status=paid&limit=1")).body.total).toBe(40)
    expect((await command("verify")).ok).toBe(true)
  })
})
