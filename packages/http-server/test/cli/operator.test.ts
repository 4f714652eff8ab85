/** The operator's commands on one database, beside a server that runs on it. */
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it } from "vitest"
import { folder, read, result, run, service } from "./support.ts"

const refusalOf = async (cwd: string, args: ReadonlyArray<string>) => {
  const { code, stderr } = await run(cwd, args)
  return `${code} ${JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").error}`
}

describe("tolem operator", () => {
  it("lists, blocks and archives, and keys are refused at once; each deed is in the log", async () => {
    const cwd = folder()
    const server = await service(cwd)
    const { organization, owner } = await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
    const of = ["--org", organization.id]
    const key = await result(cwd, "key", "create", ...of, "--name", "till", "--mode", "sandbox", "--scopes", "all")
    const status = async () => (await call(server.url, key.apiKey, "/account")).body.error ?? "ok"
    expect(await status()).toBe("ok")

    const accounts = await result(cwd, "operator", "account", "list", "--search", "7700123")
    expect(accounts).toMatchObject({ total: 1, accounts: [{ id: owner.id, phone: "77001234567", status: "active" }] })
    await result(cwd, "operator", "account", "block", "--id", owner.id)
    expect(await status()).toBe("account_blocked")
    const [listed] = (await result(cwd, "operator", "org", "list")).organizations
    expect(listed).toMatchObject({ id: organization.id, ownerStatus: "blocked", tariff: "trial", mode: "sandbox" })
    await result(cwd, "operator", "account", "unblock", "--id", owner.id)
    const ended = await result(cwd, "operator", "account", "end-sessions", "--id", owner.id)
    expect(ended).toEqual({ id: owner.id, ended: 0 })
    await result(cwd, "operator", "org", "archive", "--id", organization.id)
    expect(await status()).toBe("organization_inactive")
    await result(cwd, "operator", "org", "restore", "--id", organization.id)
    expect(await status()).toBe("ok")

    const records = await result(cwd, "operator", "audit", ...of)
    expect(records.map((record: { action: string }) => record.action)).toEqual([
      "organization.restored",
      "organization.archived",
      "key.created",
      "organization.opened"
    ])
    for (const { actor } of records) {
      expect(actor.kind).toBe("operator")
      expect(actor.origin).toBeTruthy()
    }
    expect(await result(cwd, "operator", "audit", "--limit", "2")).toHaveLength(2)
    expect(await refusalOf(cwd, ["operator", "account", "block", "--id", "acc_no"])).toBe("1 account_not_found")
    expect(await refusalOf(cwd, ["operator", "account", "end-sessions", "--id", "acc_no"])).toBe("1 account_not_found")
    expect(await refusalOf(cwd, ["operator", "org", "archive", "--id", "org_no"])).toBe("1 organization_not_found")
    expect(await refusalOf(cwd, ["operator", "org", "list", "--limit", "0"])).toBe("1 invalid_limit")
  })

  it("shows servers with their agents while they run and once they have ended, and what waits", async () => {
    const cwd = folder()
    const server = await service(cwd)
    const health = () => result(cwd, "operator", "health")
    const { servers, agents, waiting } = await health()
    expect(servers).toMatchObject([{ state: "running", endedAt: null }])
    expect(servers[0].id).toMatch(/^srv_/)
    expect(servers[0].version).toMatch(/^\d+\.\d+\.\d+/)
    const kinds = waiting.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(["invoices", "letters", "subscriptions", "work_items"]))
    for (const { state } of agents) expect(["working", "waiting"]).toContain(state)
    await server.stop()
    const after = await health()
    expect(after).toMatchObject({ servers: [{ id: servers[0].id, state: "ended" }], agents: [] })
    expect(after.servers[0].endedAt).toBe(after.servers[0].seenAt)
    const names = after.servers[0].agents.map(({ agent }: { agent: string }) => agent)
    expect(names).toEqual(expect.arrayContaining(["InvoiceWatcher", "Reconciler", "WebhookDispatcher"]))
    const { stdout: shown } = await read(cwd, "operator", "health")
    expect(shown).toContain(servers[0].id)
    expect(shown).toContain("ended")
  })

  it("shows what needs a person over all organizations, by kind and one by one", async () => {
    const cwd = folder()
    await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
    const { kinds } = await result(cwd, "operator", "work")
    expect(kinds[0]).toEqual({ kind: "refund_unknown", count: 0, more: false, since: null })
    expect(kinds.length).toBe(8)
    const page = await result(cwd, "operator", "work", "--kind", "letter_failed")
    expect(page).toEqual({ kind: "letter_failed", items: [], next: null })
    expect((await read(cwd, "operator", "work", "--kind", "letter_failed")).stdout).toContain("There are none.")
    expect(await refusalOf(cwd, ["operator", "work", "--kind", "letter_failed", "--after", "x y"])).toBe(
      "1 invalid_after"
    )
    expect(await refusalOf(cwd, ["operator", "work", "--limit", "0"])).toBe("1 invalid_limit")
  })

  it("grants tariffs, which merchants buy from it, and pays out what referrers earn", async () => {
    const cwd = folder()
    const open = (name: string, phone: string, ...more: ReadonlyArray<string>) =>
      result(cwd, "org", "create", "--name", name, "--owner-phone", phone, ...more)
    const { organization: platform } = await open("Platform", "77000000001", "--tariff", "scale")
    const server = await service(cwd, ["serve", "--operator-org", `${platform.id}:sandbox`])
    const { owner: referrer } = await open("Referrer", "77000000002")
    const { accounts } = await result(cwd, "operator", "account", "list", "--search", referrer.id)
    const code = accounts[0].referralCode
    const { organization: shop } = await open("Shop", "77000000003", "--referral-code", code)
    const of = ["--org", shop.id]
    expect(await result(cwd, "tariff", "show", ...of)).toMatchObject({ code: "trial", monthlyLimit: 100 })
    const seller = ["--operator-org", `${platform.id}:sandbox`, "--base-url", server.url]
    const order = await result(cwd, "tariff", "buy", ...of, "--tariff", "start", ...seller)
    expect(order).toMatchObject({ amount: 5000, payUrl: `${server.url}/pay/${order.invoiceId}` })
    const name = ["--name", "platform", "--mode", "sandbox", "--scopes", "all"]
    const { apiKey } = await result(cwd, "key", "create", "--org", platform.id, ...name)
    await call(server.url, apiKey, `/invoices/${order.invoiceId}/simulate`, { status: "paid" })
    const isStarted = async () => (await result(cwd, "tariff", "show", ...of)).code === "start"
    const deadline = Date.now() + 20_000
    while (!(await isStarted()) && Date.now() < deadline);
    expect(await isStarted()).toBe(true)

    const [earning] = await result(cwd, "operator", "earnings", "list")
    expect(earning).toMatchObject({ accountId: referrer.id, organizationId: shop.id, amount: 1000, state: "accrued" })
    expect(await result(cwd, "operator", "earnings", "pay", "--id", earning.id)).toMatchObject({ state: "paid_out" })
    expect(await refusalOf(cwd, ["operator", "earnings", "pay", "--id", earning.id])).toBe("1 earning_not_accrued")

    const granted = await result(cwd, "operator", "tariff", "grant", ...of, "--tariff", "partner", "--months", "2")
    expect(Date.parse(granted.validUntil)).toBeGreaterThan(Date.now() + 50 * 24 * 3_600_000)
    expect(await result(cwd, "operator", "tariff", "grant", ...of, "--tariff", "scale")).toMatchObject({
      validUntil: null
    })
    expect(await refusalOf(cwd, ["operator", "tariff", "grant", "--org", "org_no", "--tariff", "scale"])).toBe(
      "1 organization_not_found"
    )
    expect(await refusalOf(cwd, ["tariff", "buy", ...of, "--tariff", "start"])).toBe("1 invalid_tariff")
    expect(await refusalOf(cwd, ["org", "mode", ...of, "--mode", "live"])).toBe("1 no_provider")
    expect((await result(cwd, "tariff", "list")).map((tariff: { code: string }) => tariff.code)).toEqual([
      "trial",
      "start",
      "business",
      "scale",
      "partner"
    ])
    expect(await result(cwd, "verify")).toMatchObject({ ok: true })
  })

  it("adds and removes members, not the owner", async () => {
    const cwd = folder()
    const { organization } = await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
    const member = (verb: string, ...more: ReadonlyArray<string>) => [
      "operator",
      "member",
      verb,
      "--org",
      organization.id,
      ...more
    ]
    const developer = ["--phone", "77009998877"]
    expect(await result(cwd, ...member("add", ...developer, "--role", "manager"))).toMatchObject({ role: "manager" })
    const roles = async () =>
      (await result(cwd, ...member("list"))).map(
        ({ phone, role }: { phone: string; role: string }) => `${phone} ${role}`
      )
    expect(await roles()).toEqual(["77001234567 owner", "77009998877 manager"])
    await result(cwd, ...member("remove", ...developer))
    expect(await roles()).toEqual(["77001234567 owner"])
    expect(await refusalOf(cwd, member("remove", ...developer))).toBe("1 member_not_found")
    expect(await refusalOf(cwd, member("remove", "--phone", "77001234567"))).toBe("1 member_not_found")
    expect(await refusalOf(cwd, member("add", "--phone", "8700"))).toBe("1 invalid_phone")
  })

  it("notes members' addresses, and shows what became of letters; a sandbox writes to members only", async () => {
    const cwd = folder()
    const mail = { TOLEM_SMTP_URL: "smtp://127.0.0.1:1?plain=1", TOLEM_MAIL_FROM: "Shop <shop@example.kz>" }
    const server = await service(cwd, ["serve"], mail)
    const phone = ["--owner-phone", "77001234567"]
    const { organization } = await result(cwd, "org", "create", "--name", "Shop", ...phone)
    const { organization: other } = await result(cwd, "org", "create", "--name", "Other", ...phone)
    const of = ["--org", organization.id]
    const add = ["operator", "member", "add", ...of, "--phone", "77009998877"]
    expect(await result(cwd, ...add, "--email", "aliya@example.kz")).toMatchObject({ email: "aliya@example.kz" })
    expect(await result(cwd, ...add)).toMatchObject({ email: "aliya@example.kz" })
    expect(await refusalOf(cwd, [...add, "--email", "aliya"])).toBe("1 invalid_email")
    const key = await result(cwd, "key", "create", ...of, "--name", "till", "--mode", "sandbox", "--scopes", "all")

    const letterTo = async (email: string) => {
      const { body } = await call(server.url, key.apiKey, "/invoices", { amount: 1500, customer: { email } })
      await call(server.url, key.apiKey, `/invoices/${body.id}/simulate`, { status: "paid" })
      const letters = async () => (await result(cwd, "operator", "letters", ...of, "--invoice", body.id)).letters[0]
      const deadline = Date.now() + 20_000
      while ((await letters()).reason === null && Date.now() < deadline);
      return { id: body.id, letter: await letters() }
    }
    // Nothing listens there: that it is tried at all shows that it may go.
    expect((await letterTo("aliya@example.kz")).letter).toMatchObject({ status: "pending", attempts: 1 })
    const { id, letter } = await letterTo("stranger@example.com")
    expect(letter).toMatchObject({ status: "kept", attempts: 0, recipient: "stranger@example.com" })
    expect(await refusalOf(cwd, ["operator", "letters", "--org", other.id, "--invoice", id])).toBe(
      "1 invoice_not_found"
    )
    expect(await result(cwd, ...add, "--email", "")).toMatchObject({ email: null })
    expect((await letterTo("aliya@example.kz")).letter).toMatchObject({ status: "kept" })
    expect(await result(cwd, "verify")).toMatchObject({ ok: true })
  })
})
