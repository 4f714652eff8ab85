/** Live mode as processes: the service, and the provider sandbox as a server of its own. */
import { dayOf } from "@tolem/core/value/Calendar"
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it } from "vitest"
import { eventually } from "../support/eventually.ts"
import { begin, folder, result, run, service } from "./support.ts"

const provider = async (cwd: string) => {
  const sandbox = begin(cwd, ["provider-sandbox", "serve", "--port", "0", "--json"])
  const { port } = JSON.parse((await sandbox.says(/^\{.*\}\n/))[0])
  return `http://127.0.0.1:${port}`
}

const control = async (url: string, path: string, body?: object) => {
  const method = body === undefined ? "GET" : "POST"
  const init = { method, headers: { "content-type": "application/json" } }
  const response = await fetch(
    `${url}/control${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) }
  )
  return response.json()
}

/** A merchant with a cashier and a live key. */
const merchant = async (cwd: string, url: string) => {
  const { organization } = await result(cwd, "org", "create", "--name", "A", "--owner-phone", "77001234567", "--json")
  const org = ["--org", organization.id]
  const cashier = await result(cwd, "connection", "create", ...org, "--name", "Till", "--provider-url", url, "--json")
  await result(cwd, "org", "mode", ...org, "--mode", "live", "--json")
  const key = ["--mode", "live", "--name", "k", "--scopes", "all", "--connection", cashier.id, "--json"]
  const { apiKey } = await result(cwd, "key", "create", ...org, ...key)
  return { org, cashier, apiKey }
}

describe("live mode", () => {
  it("sees a payment by itself", async () => {
    const cwd = folder()
    const url = await provider(cwd)
    const { apiKey, cashier } = await merchant(cwd, url)
    expect(cashier).toMatchObject({ status: "active", isDefault: true, phone: "7701*****00" })
    const server = await service(cwd, ["serve", "--provider-url", url])
    const made = await call(server.url, apiKey, "/invoices", { amount: 1500 })
    expect([made.status, made.body.status]).toEqual([201, "pending"])
    const { payments } = await control(url, "/payments")
    await control(url, `/payments/${payments[0].reference}/pay`, {})
    const becomes = (id: string, status: string) =>
      eventually(async () => expect((await call(server.url, apiKey, `/invoices/${id}`)).body.status).toBe(status))
    await becomes(made.body.id, "paid")
    const { providerReceiptUrl } = (await call(server.url, apiKey, `/invoices/${made.body.id}`)).body
    expect(providerReceiptUrl).toBe(`${url}/receipts/${payments[0].reference}`)
    expect(await (await fetch(providerReceiptUrl)).text()).toContain("1\u00a0500")
  })

  it("has no default cashier to give away, and none to delete that a key is bound to", async () => {
    const cwd = folder()
    const url = await provider(cwd)
    const { org, cashier } = await merchant(cwd, url)
    const idle = await result(cwd, "connection", "create", ...org, "--name", "Idle", "--inactive", "--json")
    expect(idle).toMatchObject({ status: "pending", isDefault: false })
    expect((await result(cwd, "connection", "list", ...org, "--json")).length).toBe(2)
    const bound = await run(cwd, ["connection", "delete", ...org, "--id", cashier.id, "--json"])
    expect([bound.code, JSON.parse(bound.stderr).error]).toEqual([1, "connection_has_keys"])
    expect(await result(cwd, "connection", "delete", ...org, "--id", idle.id, "--json")).toMatchObject({
      deleted: true
    })
    const disabled = await result(cwd, "connection", "disable", ...org, "--id", cashier.id, "--json")
    expect(disabled).toMatchObject({ status: "disabled", isDefault: false })
  })

  it("binds a key to another cashier of its organization, and to no other", async () => {
    const cwd = folder()
    const { organization } = await result(cwd, "org", "create", "--name", "A", "--owner-phone", "77001234567", "--json")
    const org = ["--org", organization.id]
    const till = await result(cwd, "connection", "create", ...org, "--name", "Till", "--inactive", "--json")
    const own = await result(cwd, "key", "create", ...org, "--mode", "live", "--name", "k", "--scopes", "all", "--json")
    const bind = (...args: ReadonlyArray<string>) => run(cwd, ["key", "bind", ...org, ...args, "--json"])
    const outcome = async (...args: ReadonlyArray<string>) => {
      const { code, stderr } = await bind(...args)
      return [code, JSON.parse(stderr).error]
    }
    expect(await outcome("--id", own.id, "--connection", "con_nobody")).toEqual([1, "connection_not_found"])
    expect(await outcome("--id", "key_nobody", "--connection", till.id)).toEqual([1, "key_not_found"])
    const bound = await bind("--id", own.id, "--connection", till.id)
    expect(JSON.parse(bound.stdout)).toEqual({ id: own.id, connectionId: till.id })
    const listed = await result(cwd, "key", "list", ...org, "--json")
    expect(listed).toMatchObject([{ id: own.id, connectionId: till.id, mode: "live", name: "k", lastUsedAt: null }])
    expect(JSON.stringify(listed)).not.toContain("svc_")
    const held = await run(cwd, ["connection", "delete", ...org, "--id", till.id, "--json"])
    expect(JSON.parse(held.stderr).error).toBe("connection_has_keys")
    expect(JSON.parse((await bind("--id", own.id)).stdout)).toEqual({ id: own.id, connectionId: null })
    expect((await run(cwd, ["connection", "delete", ...org, "--id", till.id, "--json"])).code).toBe(0)
  })

  it("leaves no cashier behind who cannot log in", async () => {
    const cwd = folder()
    const url = await provider(cwd)
    const { org } = await merchant(cwd, url)
    const args = ["connection", "create", ...org, "--name", "Bad", "--json"]
    const wrong = await run(cwd, [...args, "--code", "222222", "--provider-url", url])
    expect([wrong.code, JSON.parse(wrong.stderr).error]).toEqual([1, "invalid_code"])
    const gone = await run(cwd, [...args, "--provider-url", "http://127.0.0.1:9"])
    expect(JSON.parse(gone.stderr)).toMatchObject({
      error: "provider_error",
      message: expect.stringContaining("tolem doctor")
    })
    const alone = await run(cwd, args)
    expect([alone.code, JSON.parse(alone.stderr).error]).toEqual([1, "no_provider"])
    expect((await result(cwd, "connection", "list", ...org, "--json")).length).toBe(1)
  })

  it("has refunds resolved by hand of which the provider has not told what became", async () => {
    const cwd = folder()
    const url = await provider(cwd)
    const { apiKey, org } = await merchant(cwd, url)
    const server = await service(cwd, ["serve", "--provider-url", url])
    const { body: made } = await call(server.url, apiKey, "/invoices", { amount: 1500 })
    const { payments } = await control(url, "/payments")
    await control(url, `/payments/${payments[0].reference}/pay`, {})
    expect((await call(server.url, apiKey, `/invoices/${made.id}?live=1`)).body.status).toBe("paid")
    for (const name of ["refund", "refundState"]) {
      await control(url, "/faults", { call: name, fault: { kind: "drop", done: false }, times: null })
    }
    const refused = await call(server.url, apiKey, `/invoices/${made.id}/refund`, { amount: 600 })
    expect(refused.body.error).toBe("refund_unknown")
    const [refund] = (await call(server.url, apiKey, `/invoices/${made.id}`)).body.refunds
    const resolve = ["refund", "resolve", ...org, "--id", refund.id, "--json"]
    const { code, stderr } = await run(cwd, [...resolve, "--made", "yes"])
    expect([code, JSON.parse(stderr).error]).toEqual([1, "invalid_request"])
    expect(await result(cwd, ...resolve, "--made", "yes", "--reference", "kaspi-7")).toMatchObject({
      invoiceId: made.id,
      status: "partially_refunded",
      refunds: [{ id: refund.id, status: "succeeded" }]
    })
    expect((await call(server.url, apiKey, `/invoices/${made.id}`)).body.refundedAmount).toBe(600)
    const [newest] = await result(cwd, "operator", "audit", ...org, "--limit", "1")
    expect(newest).toMatchObject({ action: "refund.resolved", subject: made.id, actor: { kind: "operator" } })
  })

  it("compares a day with the provider's own list, and fails if anything differs", async () => {
    const cwd = folder()
    const url = await provider(cwd)
    const { org } = await merchant(cwd, url)
    const at = Date.now() - 86_400_000
    const day = dayOf(at)
    const compare = ["reconcile", "--day", day, "--provider-url", url]
    const row = { organizationId: org[1], cashier: "Till", status: "compared", open: 0 }
    expect(await result(cwd, ...compare, "--json")).toMatchObject({ day, days: [row] })
    const extra = { does: "extra", cashier: "77010000000", kind: "payment", reference: "m-9", payment: "p-9" }
    await control(url, "/operations", { ...extra, amount: 90_000, at })
    const found = await run(cwd, [...compare, ...org, "--json"])
    expect([found.code, JSON.parse(found.stderr).error]).toEqual([1, "reconciliation_differs"])
    expect(JSON.parse(found.stdout).days[0]).toMatchObject({ open: 1, there: { payments: 1, paid: 900 } })
    const tomorrow = await run(cwd, ["reconcile", "--day", dayOf(Date.now()), "--provider-url", url, "--json"])
    expect([tomorrow.code, JSON.parse(tomorrow.stderr).error]).toEqual([1, "invalid_day"])
  })
})
