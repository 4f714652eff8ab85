/** Three servers on one PostgreSQL share everything, and each piece of work is done by one of them. */

import type { Merchant } from "@tolem/testing-harness/Desk"
import { describe, expect, it } from "vitest"
import { cluster, inLines, receiver, send, times, until } from "./support/cluster.ts"

type Server = Parameters<typeof send>[0]

const count = <A>(items: ReadonlyArray<A>, which: (item: A) => boolean) => items.filter(which).length

/** How many of the requests that servers get in turn, all at once, are let through in one minute. */
const passed = async (
  servers: ReadonlyArray<Server>,
  fresh: () => Promise<Merchant>,
  requests: number,
  request: (server: Server, merchant: Merchant) => ReturnType<typeof send>
): Promise<number> => {
  const merchant = await fresh()
  const answers = await Promise.all(times(requests).map((index) => request(servers[index % servers.length]!, merchant)))
  const windows = new Set(answers.map(({ headers }) => headers.get("x-ratelimit-reset")))
  // The minute has ended meanwhile: the next attempt has a whole one.
  if (windows.size > 1) return passed(servers, fresh, requests, request)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.every(({ headers }) => Number(headers.get("retry-after")) >= 1)).toBe(true)
  return requests - refused.length
}

const paid = async (server: Server, merchant: Merchant) => {
  const { body } = await send(server, merchant, "/invoices", { amount: 10 })
  const answer = await send(server, merchant, `/invoices/${body.id}/simulate`, { status: "paid" })
  expect(answer.status).toBe(200)
  return String(body.id)
}

const unlimited = ["--writes-per-minute", "1000000", "--reads-per-minute", "1000000"]

describe("three servers", () => {
  it("let exactly 200 writes and 600 reads of a key through in a minute", async () => {
    const { servers, merchant, keyOf } = await cluster()
    const three = await servers(3)
    const { organizationId } = await merchant()
    const fresh = () => keyOf(organizationId)
    const write = (server: Server, key: Merchant) => send(server, key, "/invoices", { amount: 1 })
    const read = (server: Server, key: Merchant) => send(server, key, "/invoices?limit=1")
    expect(await passed(three, fresh, 260, write)).toBe(200)
    expect(await passed(three, fresh, 700, read)).toBe(600)
  })

  it("all refuse a key from the moment it is deleted", async () => {
    const { servers, merchant, command } = await cluster()
    const three = await servers(3)
    const key = await merchant()
    const statuses = () => Promise.all(three.map(async (server) => (await send(server, key, "/invoices")).status))
    expect(await statuses()).toEqual([200, 200, 200])
    await command("key", "delete", "--id", key.keyId)
    expect(await statuses()).toEqual([401, 401, 401])
  })

  it("make one invoice of an idempotency key that all get at once", async () => {
    const { servers, merchant, query } = await cluster()
    const three = await servers(3)
    const key = await merchant()
    const once = { "idempotency-key": "order-1" }
    const answers = await Promise.all(
      times(100).map((index) => send(three[index % 3]!, key, "/invoices", { amount: 5 }, once))
    )
    expect(count(answers, ({ status }) => status === 201)).toBe(1)
    expect(count(answers, ({ status, body }) => status === 200 && body.idempotentReplay === true)).toBe(99)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await query("select count(*)::int as n from tolem_invoices")).toEqual([{ n: 1 }])
  })

  it("make one invoice for each date of a subscription", async () => {
    const { servers, merchant, command, query } = await cluster()
    const three = await servers(3, "", ...unlimited)
    const key = await merchant()
    await inLines(150, async (index) => {
      const startAt = new Date(Date.now() + 4_000).toISOString()
      const made = await send(three[index % 3]!, key, "/subscriptions", { amount: 10, interval: "day", startAt })
      expect(made.status).toBe(201)
    })
    const made = async () => (await query("select count(*)::int as n from tolem_invoices"))[0]?.["n"]
    await until("every subscription has run", 120_000, async () => (await made()) === 150)
    const wrong = await query("select id from tolem_subscriptions where runs <> 1 or last_invoice_id is null")
    expect(wrong).toEqual([])
    expect((await command("verify")).ok).toBe(true)
  })

  it("deliver each event once, and let each invoice expire once", async () => {
    const { servers, command, broken, query } = await cluster()
    const three = await servers(3, "", ...unlimited)
    // Made by commands beside the servers, as people do it.
    const { organization } = await command("org", "create", "--name", "Dastarkhan", "--owner-phone", "77000000001")
    const owner = ["--org", organization.id, "--mode", "sandbox"]
    const { apiKey, id: keyId } = await command("key", "create", ...owner, "--name", "test", "--scopes", "all")
    const key = { organizationId: organization.id, apiKey, keyId }
    const { url, arrivals } = await receiver()
    await command("webhook", "create", ...owner, "--url", url)
    const opened = async (server: Server) => String((await send(server, key, "/invoices", { amount: 1 })).body.id)
    const invoices = await inLines(90, (index) => paid(three[index % 3]!, key))
    const open = await inLines(90, (index) => opened(three[index % 3]!))
    // Their time passes at once, under the eyes of all three. `verify` tells of that alone.
    await query("update tolem_invoices set expires_at = 1, due_at = 1 where status = 'pending'")
    await until("every event has arrived", 120_000, () => arrivals.length >= 180)
    const of = (event: string) => arrivals.filter((arrival) => arrival.event === event).map(({ invoice }) => invoice)
    expect(of("invoice.paid").toSorted()).toEqual(invoices.toSorted())
    expect(of("invoice.expired").toSorted()).toEqual(open.toSorted())
    const doubled = `select invoice_id from tolem_events group by invoice_id having count(*) <> 2`
    expect(await query(doubled)).toEqual([])
    expect(await broken()).toEqual(["invoices_are_sealed", "invoices_are_sound"])
  })
})
