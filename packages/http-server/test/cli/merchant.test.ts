/** What merchants have, at the command line: lists, single things, and what is done to invoices and webhooks. */
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it } from "vitest"
import { folder, read, result, run, service } from "./support.ts"

const shop = async (cwd: string) => {
  const { organization } = await result(cwd, "org", "create", "--name", "Кофе", "--owner-phone", "77001234567")
  const org = ["--org", organization.id]
  return { id: organization.id as string, org, of: [...org, "--mode", "sandbox"] }
}

const refusal = (text: string) => JSON.parse(text.trim().split("\n").at(-1) ?? "").error

const hook = "http://127.0.0.1:9/hook"

describe("invoices", () => {
  it("have the addresses of servers at the port of TOLEM_PORT, unless their address is named", async () => {
    const cwd = folder()
    const { of } = await shop(cwd)
    const create = async (variables: Record<string, string>) => {
      const { stdout } = await run(cwd, ["invoice", "create", ...of, "--amount", "300", "--json"], variables)
      return new URL(JSON.parse(stdout).payUrl).origin
    }
    expect(await create({ TOLEM_PORT: "3777" })).toBe("http://localhost:3777")
    const named = { TOLEM_PORT: "3777", TOLEM_BASE_URL: "https://pay.example.kz" }
    expect(await create(named)).toBe("https://pay.example.kz")
  })

  it("are made, paid, refunded, cancelled, listed and shown", async () => {
    const cwd = folder()
    const { org, of } = await shop(cwd)
    const create = ["invoice", "create", ...of, "--amount"]
    const facts = ["--description", "Two coffees", "--customer-name", "Ainur", "--metadata", '{"table":7}']
    const made = await result(cwd, ...create, "1500", ...facts, "--idempotency-key", "k1")
    expect(made).toMatchObject({
      status: "pending",
      amount: 1500,
      customer: { name: "Ainur" },
      metadata: { table: 7 },
      payUrl: `http://localhost:3000/pay/${made.id}`
    })
    expect((await result(cwd, ...create, "1500", ...facts, "--idempotency-key", "k1")).id).toBe(made.id)
    const address = ["--base-url", "https://pay.example.kz/"]
    const other = await result(cwd, ...create, "200", ...address)
    expect(other.payUrl).toBe(`https://pay.example.kz/pay/${other.id}`)

    const id = ["--id", made.id]
    expect((await result(cwd, "invoice", "pay", ...org, ...id)).status).toBe("paid")
    const refunded = await result(cwd, "invoice", "refund", ...of, ...id, "--amount", "500", "--reason", "cold")
    expect(refunded).toMatchObject({ status: "partially_refunded", refundedAmount: 500 })
    expect((await result(cwd, "invoice", "refund", ...of, ...id)).status).toBe("refunded")
    expect((await result(cwd, "invoice", "cancel", ...of, "--id", other.id)).status).toBe("cancelled")

    const listed = await result(cwd, "invoice", "list", ...of, "--limit", "1")
    expect(listed).toMatchObject({ total: 2, limit: 1, offset: 0, invoices: [{ id: other.id }] })
    const paid = await result(cwd, "invoice", "list", ...of, "--status", "refunded", "--search", "coffees")
    expect(paid.invoices.map((each: { id: string }) => each.id)).toEqual([made.id])
    const shown = await result(cwd, "invoice", "show", ...of, ...id)
    expect(shown.events.at(-1).type).toBe("invoice.refunded")
    expect(shown.refunds).toMatchObject([{ amount: 500, reason: "cold" }, { amount: 1000 }])
    expect(await result(cwd, "verify")).toMatchObject({ ok: true })

    const { stdout } = await read(cwd, "invoice", "list", ...of, "--limit", "1")
    const [head, row, , place] = stdout.split("\n")
    expect(head).toMatch(/^ID +STATUS +KZT +CREATED +PAID +ORDER +DESCRIPTION$/)
    expect(row).toMatch(new RegExp(`^${other.id}  cancelled  200  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$`))
    expect(place).toBe("1 to 1 of 2. Go on with --offset 1.")
    const text = (await read(cwd, "invoice", "show", ...of, ...id)).stdout
    expect(text).toMatch(/^status +refunded$/m)
    expect(text).toMatch(/^Refunds$/m)
  })
})

describe("webhooks", () => {
  it("are listed without their secrets, tested, and sent again", async () => {
    const cwd = folder()
    const { id: organization, org, of } = await shop(cwd)
    const endpoint = await result(cwd, "webhook", "create", ...of, "--url", hook, "--events", "invoice.paid")
    const id = ["--id", endpoint.id]
    const listed = await run(cwd, ["webhook", "list", ...of])
    expect(JSON.parse(listed.stdout)).toMatchObject({ total: 1, endpoints: [{ id: endpoint.id, url: hook }] })
    const shown = await run(cwd, ["webhook", "show", ...of, ...id])
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: endpoint.id, events: ["invoice.paid"] })
    for (const text of [listed.stdout, shown.stdout, (await read(cwd, "webhook", "show", ...of, ...id)).stdout]) {
      expect(text).not.toContain("whsec_")
    }

    const tested = await result(cwd, "webhook", "test", ...of, ...id)
    expect(tested).toMatchObject({ event: "webhook.test", status: "pending" })
    const invoice = await result(cwd, "invoice", "create", ...of, "--amount", "1500")
    await result(cwd, "invoice", "pay", ...org, "--id", invoice.id)
    const first = await result(cwd, "delivery", "list", ...of, "--invoice", invoice.id)
    expect(first).toMatchObject({ total: 1, deliveries: [{ event: "invoice.paid" }] })
    const resent = await result(cwd, "webhook", "resend", ...of, ...id, "--delivery", first.deliveries[0].id)
    expect(resent).toMatchObject({ eventId: first.deliveries[0].eventId, invoiceId: invoice.id })
    expect(resent.id).not.toBe(first.deliveries[0].id)
    expect(await result(cwd, "webhook", "replay", ...of, ...id, "--from", "2000-01-01")).toEqual({
      id: endpoint.id,
      sent: 1
    })
    const failed = ["--from", "2000-01-01", "--to", "2099-01-01", "--failed-only"]
    expect(await result(cwd, "webhook", "replay", ...of, ...id, ...failed)).toMatchObject({ sent: 0 })
    const all = await result(cwd, "delivery", "list", ...of, "--endpoint", endpoint.id, "--status", "pending")
    expect(all.total).toBe(4)

    // A server that runs takes what is due, and the log has what came of it.
    const server = await service(cwd)
    const key = await result(cwd, "key", "create", ...org, "--mode", "sandbox", "--name", "k", "--scopes", "all")
    const path = `/webhook-endpoints/${endpoint.id}/deliveries/${tested.id}`
    await expect.poll(async () => (await call(server.url, key.apiKey, path)).body.attemptCount).toBeGreaterThan(0)
    const args = ["delivery", "show", ...of, "--endpoint", endpoint.id, "--id", tested.id]
    const logged = await result(cwd, ...args)
    expect(logged.attempts[0]).toMatchObject({ number: 1, url: hook })
    expect((await read(cwd, ...args)).stdout).toMatch(/^NUMBER +TIME +MS +ANSWER +URL$/m)
    expect(organization).toMatch(/^org_/)
  })
})

describe("lists", () => {
  it("have organizations, keys, links, hooks and subscriptions, each of which can be shown", async () => {
    const cwd = folder()
    const { id, org, of } = await shop(cwd)
    const server = await service(cwd)
    const key = await result(cwd, "key", "create", ...of, "--name", "till", "--scopes", "all")
    const make = async (path: string, body: object) => (await call(server.url, key.apiKey, path, body)).body
    const link = await make("/payment-links", { title: "Tickets", amount: 500 })
    const form = await make("/form-hooks", { name: "Order form" })
    const plan = { amount: 900, interval: "month", description: "Club", customer: { phone: "77001112233" } }
    const subscription = await make("/subscriptions", plan)

    expect(await result(cwd, "org", "list")).toMatchObject({ total: 1, organizations: [{ id, ownerStatus: "active" }] })
    expect(await result(cwd, "org", "show", ...org)).toMatchObject({ id, name: "Кофе", ownerPhone: "77001234567" })
    expect(await result(cwd, "key", "list", ...org)).toMatchObject([{ id: key.id, name: "till" }])
    const shownKey = await run(cwd, ["key", "show", ...org, "--id", key.id])
    expect(JSON.parse(shownKey.stdout)).toMatchObject({ id: key.id, mode: "sandbox" })
    expect(shownKey.stdout).not.toContain(key.apiKey)
    expect(await result(cwd, "link", "list", ...of)).toMatchObject({ total: 1, links: [{ id: link.id }] })
    expect(await result(cwd, "link", "show", ...of, "--id", link.id)).toMatchObject({ title: "Tickets", amount: 500 })
    expect(await result(cwd, "hook", "list", ...of)).toMatchObject({ total: 1, hooks: [{ id: form.id }] })
    expect(await result(cwd, "hook", "show", ...of, "--id", form.id)).toMatchObject({ name: "Order form" })
    const subscriptions = await result(cwd, "subscription", "list", ...of, "--status", "active")
    expect(subscriptions).toMatchObject({ total: 1, subscriptions: [{ id: subscription.id }] })
    const found = await result(cwd, "subscription", "show", ...of, "--id", subscription.id)
    expect(found.subscription).toMatchObject({ id: subscription.id, description: "Club" })

    const heads = [
      [["org", "list"], "ID NAME MODE STATUS OWNER TARIFF UNTIL CREATED"],
      [["key", "list", ...org], "ID NAME MODE ENDS CASHIER LAST USED CREATED"],
      [["link", "list", ...of], "ID TITLE STATUS KZT PAYMENTS PAID KZT CREATED URL"],
      [["hook", "list", ...of], "ID NAME STATUS CAUGHT CREATED URL"],
      [["subscription", "list", ...of], "ID STATUS KZT EVERY RUNS NEXT DESCRIPTION"],
      [["operator", "audit"], "ID TIME ACTION SUBJECT DETAIL BY"],
      [["operator", "account", "list"], "ID PHONE STATUS NAME EMAIL CREATED"],
      [["operator", "member", "list", ...org], "ACCOUNT PHONE ROLE NAME EMAIL"]
    ] as const
    for (const [args, head] of heads) {
      const { stdout } = await read(cwd, ...args)
      expect(stdout.split("\n")[0]?.replace(/ +/g, " "), args.join(" ")).toBe(head)
      expect(stdout.split("\n").length).toBeGreaterThan(2)
    }
    for (const args of [
      ["link", "show", ...of, "--id", link.id],
      ["hook", "show", ...of, "--id", form.id],
      ["subscription", "show", ...of, "--id", subscription.id],
      ["key", "show", ...org, "--id", key.id],
      ["org", "show", ...org]
    ]) {
      expect((await read(cwd, ...args)).stdout).toMatch(/^id +\w+_\w+$/m)
    }
  })
})

const nobody = ["--org", "org_nobody", "--mode", "sandbox"]
const of = ["--mode", "sandbox", "--org"]
const id = (what: string) => ["--id", `${what}_none`]

/** If `--org` comes last, the organization of the case is its value. */
const refusals: ReadonlyArray<readonly [code: string, args: ReadonlyArray<string>]> = [
  ["organization_not_found", ["invoice", "list", ...nobody]],
  ["organization_not_found", ["invoice", "create", ...nobody, "--amount", "5"]],
  ["organization_not_found", ["webhook", "list", ...nobody]],
  ["organization_not_found", ["link", "list", ...nobody]],
  ["organization_not_found", ["hook", "list", ...nobody]],
  ["organization_not_found", ["subscription", "list", ...nobody]],
  ["organization_not_found", ["delivery", "list", ...nobody, "--endpoint", "whe_1"]],
  ["organization_not_found", ["key", "list", "--org", "org_nobody"]],
  ["organization_not_found", ["org", "show", "--org", "org_nobody"]],
  ["invoice_not_found", ["invoice", "show", ...id("inv"), ...of]],
  ["invoice_not_found", ["invoice", "cancel", ...id("inv"), ...of]],
  ["invoice_not_found", ["invoice", "refund", ...id("inv"), ...of]],
  ["invoice_not_found", ["invoice", "pay", ...id("inv"), "--org"]],
  ["invoice_not_found", ["delivery", "list", "--invoice", "inv_none", ...of]],
  ["amount_too_small", ["invoice", "create", "--amount", "0", ...of]],
  ["invalid_phone", ["invoice", "create", "--amount", "5", "--customer-phone", "5", ...of]],
  ["not_live", ["invoice", "create", "--amount", "5", "--mode", "live", "--org"]],
  ["invalid_limit", ["invoice", "list", "--limit", "0", ...of]],
  ["invalid_offset", ["link", "list", "--offset", "-1", ...of]],
  ["invalid_status", ["invoice", "list", "--status", "lost", ...of]],
  ["invalid_from", ["invoice", "list", "--from", "yesterday", ...of]],
  ["endpoint_not_found", ["webhook", "show", ...id("whe"), ...of]],
  ["endpoint_not_found", ["webhook", "test", ...id("whe"), ...of]],
  ["endpoint_not_found", ["webhook", "resend", ...id("whe"), "--delivery", "dlv_1", ...of]],
  ["endpoint_not_found", ["webhook", "replay", ...id("whe"), "--from", "2026-01-01", ...of]],
  ["endpoint_not_found", ["delivery", "list", "--endpoint", "whe_none", ...of]],
  ["link_not_found", ["link", "show", ...id("lnk"), ...of]],
  ["hook_not_found", ["hook", "show", ...id("hok"), ...of]],
  ["subscription_not_found", ["subscription", "show", ...id("sub"), ...of]],
  ["key_not_found", ["key", "show", ...id("key"), "--org"]],
  ["usage", ["delivery", "list", ...of]],
  ["usage", ["delivery", "list", "--endpoint", "whe_1", "--invoice", "inv_1", ...of]],
  ["usage", ["invoice", "create", "--amount", "much", ...of]],
  ["usage", ["invoice", "create", "--amount", "5", "--metadata", "3", ...of]],
  ["usage", ["invoice", "pay", ...id("inv"), "--status", "lost", "--org"]]
]

describe("refusals", () => {
  it("have the catalogue's codes", async () => {
    const cwd = folder()
    const { id } = await shop(cwd)
    const ended = []
    for (const [, args] of refusals) ended.push(await run(cwd, args.at(-1) === "--org" ? [...args, id] : args))
    expect(ended.map(({ stderr }, at) => [refusal(stderr), refusals[at]?.[1]])).toEqual(refusals)
    expect(ended.map(({ code }) => code)).toEqual(refusals.map(([code]) => (code === "usage" ? 2 : 1)))
    expect(ended.map(({ stdout }) => stdout).join("")).toBe("")
    const [lost] = ended.filter((_, at) => refusals[at]?.[0] === "invalid_status")
    expect(lost?.stderr).toContain("With --help the command says what its flags may be.")
  })

  it("leave what others have alone: an invoice of another organization is not shown, paid or refunded", async () => {
    const cwd = folder()
    const one = await shop(cwd)
    const made = await result(cwd, "invoice", "create", ...one.of, "--amount", "5")
    const { organization } = await result(cwd, "org", "create", "--name", "Other", "--owner-phone", "77007654321")
    const other = ["--org", organization.id]
    for (const args of [
      ["show", "--mode", "sandbox"],
      ["cancel", "--mode", "sandbox"],
      ["refund", "--mode", "sandbox"],
      ["pay"]
    ]) {
      const { code, stderr } = await run(cwd, ["invoice", ...args, ...other, "--id", made.id])
      expect([code, refusal(stderr)]).toEqual([1, "forbidden"])
    }
  })
})
