/** Quotas over several servers: exact, whichever is asked. */
import { describe, expect, it } from "vitest"
import { begin, folder } from "../cli/support.ts"
import { cluster, send, times } from "./support/cluster.ts"

/** A provider as a process of its own. */
const provider = async () => {
  const sandbox = begin(folder(), ["provider-sandbox", "serve", "--port", "0", "--json"])
  const { port } = JSON.parse((await sandbox.says(/^\{.*\}\n/))[0])
  return `http://127.0.0.1:${port}`
}

describe("three servers", () => {
  it("count the live invoices of an organization exactly, and let not one more through", async () => {
    const { servers, command, query } = await cluster()
    const url = await provider()
    const { organization } = await command("org", "create", "--name", "Shop", "--owner-phone", "77001234567")
    const of = ["--org", organization.id]
    const [key] = await Promise.all([
      command("key", "create", ...of, "--mode", "live", "--name", "till", "--scopes", "all"),
      command("connection", "create", ...of, "--name", "Till", "--provider-url", url)
    ])
    await command("org", "mode", ...of, "--mode", "live")
    const three = await servers(3, "", "--provider-url", url, "--writes-per-minute", "1000000")
    const merchant = { organizationId: organization.id, apiKey: key.apiKey, keyId: key.id }
    // The trial allows 50 a day. Every sixth request comes twice, under one idempotency key.
    const answers = await Promise.all(
      times(120).map((index) => {
        const headers = index % 6 < 2 ? { "idempotency-key": `order-${Math.floor(index / 6)}` } : {}
        return send(three[index % 3]!, merchant, "/invoices", { amount: 10 }, headers as Record<string, string>)
      })
    )
    const made = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 429)
    expect(made).toHaveLength(50)
    expect(new Set(refused.map(({ body }) => body.error))).toEqual(new Set(["tariff_daily_burst"]))
    expect(made.length + refused.length + answers.filter(({ status }) => status === 200).length).toBe(120)
    expect(await query("select count(*)::int as n from tolem_invoices")).toEqual([{ n: 50 }])
    const used = await query("select used::int as used from tolem_usage order by period")
    expect(used).toEqual([{ used: 50 }, { used: 50 }])
    const { body } = await send(three[0]!, merchant, "/account")
    expect(body.tariff).toMatchObject({ monthlyUsed: 50, dailyUsed: 50, dailyLimit: 50 })
  })

  it("hold the limit of a visitor's views together, wherever in one IPv6 network the visitor is", async () => {
    const { servers } = await cluster()
    const three = await servers(3, "", "--trusted-proxies", "127.0.0.0/8")
    const minute = () => Math.floor(Date.now() / 60_000)
    const views = (network: number) =>
      Promise.all(
        times(150).map(async (index) => {
          const url = `${three[index % 3]!.url}/pay/inv_1`
          const from = `2001:db8:0:${network}:${index}::1`
          return (await fetch(url, { headers: { "x-forwarded-for": from } })).status
        })
      )
    let began = minute()
    let statuses = await views(0)
    for (let network = 1; minute() !== began; network++) {
      began = minute() // the window ended meanwhile: another network tries it in the next one
      statuses = await views(network)
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  })
})
