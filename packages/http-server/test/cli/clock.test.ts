import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it } from "vitest"
import { folder, result, run, service } from "./support.ts"

const daily = {
  amount: 500,
  interval: "day",
  kind: "phone",
  customer: { phone: "77011112233" },
  retry: [5],
  misfire: "skip"
}

describe("the clock of a sandbox", () => {
  it("goes ahead while a server runs, and everything due on the way happens in order", async () => {
    const cwd = folder()
    const { organization } = await result(
      cwd,
      "org",
      "create",
      "--name",
      "Shop",
      "--owner-phone",
      "77001234567",
      "--json"
    )
    const org = ["--org", organization.id]
    const key = ["key", "create", ...org, "--mode", "sandbox", "--name", "k", "--scopes", "all", "--json"]
    const { apiKey } = await result(cwd, ...key)
    const { url } = await service(cwd)
    const made = await call(url, apiKey, "/subscriptions", daily)
    expect(made.status).toBe(201)
    const moved = await result(cwd, "clock", "advance", ...org, "--by", "30d12h", "--json")
    expect(moved).toMatchObject({ organization: organization.id, aheadMs: expect.any(Number) })
    expect(Math.abs(moved.aheadMs - 30.5 * 86_400_000)).toBeLessThan(60_000)
    const { body } = await call(url, apiKey, `/subscriptions/${made.body.id}`)
    expect(body.runs).toBe(31)
    expect(Date.parse(body.nextRunAt)).toBeGreaterThan(Date.parse(moved.now))
    const shown = ["subscription", "show", ...org, "--mode", "sandbox", "--id", made.body.id, "--json"]
    const { subscription, runs: rows, events, fault } = await result(cwd, ...shown)
    expect([subscription.id, rows.length, fault]).toEqual([made.body.id, 31, null])
    expect(events.map(({ type }: { type: string }) => type)).toContain("subscription.reissued")
    const invoices = await call(url, apiKey, "/invoices?limit=200")
    const runs = invoices.body.invoices.map((invoice: { metadata: { run: number } }) => invoice.metadata.run)
    // Each expired after a day and was issued again five hours later; the newest ones wait.
    expect(runs.toSorted((a: number, b: number) => a - b).slice(0, 4)).toEqual([1, 1, 2, 2])
    const times = invoices.body.invoices.map((invoice: { createdAt: string }) => Date.parse(invoice.createdAt))
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a))
    expect(await result(cwd, "verify", "--json")).toMatchObject({ ok: true })
  })

  it("wants an organization that exists and a time", async () => {
    const cwd = folder()
    await result(cwd, "migrate")
    const unknown = await run(cwd, ["clock", "advance", "--org", "org_nobody", "--by", "1d", "--json"])
    expect([unknown.code, JSON.parse(unknown.stderr).error]).toEqual([1, "organization_inactive"])
    const { organization } = await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
    const far = await run(cwd, ["clock", "advance", "--org", organization.id, "--by", "4000d", "--json"])
    expect([far.code, JSON.parse(far.stderr).error]).toEqual([1, "invalid_duration"])
    for (const by of ["tomorrow", "0d", "1x", "-1d"]) {
      expect((await run(cwd, ["clock", "advance", "--org", "org_nobody", `--by=${by}`])).code).toBe(2)
    }
  })
})
