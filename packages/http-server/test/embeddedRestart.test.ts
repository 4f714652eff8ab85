/** An application that starts again finds its organization, its endpoint and its invoices, and makes none twice. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, type EngineOptions } from "@tolem/core"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { madeOf } from "@tolem/testing-harness/Program"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

const folders: Array<string> = []
let folder: string
const toNewFolder = (): void => {
  folder = mkdtempSync(join(tmpdir(), "tolem-restart-"))
  folders.push(folder)
}
beforeEach(toNewFolder)
afterEach(() => {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true })
})

const started = (options: Partial<EngineOptions<unknown>> = {}) =>
  createEngine({
    database: sqlite({ filename: join(folder, "shop.db") }),
    platform: nodePlatform(),
    secretKeys: ["a key for tests only, of no use anywhere else"],
    agents: false,
    ...options
  })

const program = fileURLToPath(new URL("support/embeddedLife.ts", import.meta.url))

/** One life of the application, in a process of its own. */
const live = async () =>
  JSON.parse((await promisify(execFile)(process.execPath, [madeOf(program), join(folder, "shop.db")])).stdout)

describe("an application that starts again", () => {
  it("has one organization, one endpoint with one secret, and one invoice for an order", async () => {
    const first = await live()
    expect(first).toMatchObject({ endpoints: [first.hook.id], total: 1 })
    expect(first.hook.secret).toMatch(/^whsec_/)
    for (let start = 0; start < 3; start++) expect(await live()).toEqual(first)
  })

  it("has them also where several processes start at once", async () => {
    const lives = await Promise.all([live(), live(), live(), live()])
    expect(lives).toEqual(lives.map(() => lives[0]))
    expect(lives[0]).toMatchObject({ endpoints: [lives[0].hook.id], total: 1 })
  })

  it("may ask its endpoint for other events, and have other organizations", async () => {
    const engine = await started()
    const shop = await engine.merchant({ key: "a", name: "Shop", mode: "sandbox", ownerPhone: "77001234567" })
    const url = "http://localhost:4000/hook"
    const made = await shop.webhooks.ensure({ url, events: ["invoice.paid"] })
    const again = await shop.webhooks.ensure({ url })
    expect(again).toEqual({ ...made, events: [], updatedAt: again.updatedAt })
    await shop.webhooks.patch(made.id, { disabled: true })
    expect(await shop.webhooks.ensure({ url })).toMatchObject({ id: made.id, disabled: true })
    const other = await engine.merchant({ key: "b", name: "Shop", mode: "sandbox" })
    expect(other.organizationId).not.toBe(shop.organizationId)
    expect((await other.webhooks.ensure({ url })).id).not.toBe(made.id)
    await expect(engine.merchant({ key: "", name: "Shop", mode: "live" })).rejects.toMatchObject({
      code: "invalid_idempotency_key"
    })
    expect(await engine.verify()).toEqual([])
    await engine.close()
  })

  it("is refused what it asks for an organization that there is not", async () => {
    const engine = await started()
    const nobody = engine.of({ organizationId: "org_nope", mode: "sandbox" })
    await expect(nobody.invoices.create({ amount: 1500 })).rejects.toMatchObject({ code: "organization_inactive" })
    await expect(nobody.invoices.list()).rejects.toMatchObject({ code: "organization_inactive" })
    await expect(nobody.webhooks.ensure({ url: "http://localhost:1" })).rejects.toMatchObject({
      code: "organization_inactive"
    })
    expect(await engine.verify()).toEqual([])
    await engine.close()
  })
})

/** Has a cashier of the organization log in. */
const loggedIn = async ({ connections }: Awaited<ReturnType<typeof started>>, organizationId: string) => {
  const { id } = await connections.create(organizationId, { name: "Till" })
  const { processId } = await connections.initLogin(organizationId, id)
  await connections.sendPhone(organizationId, id, { processId, phone: "77010000000" })
  await connections.verifyOtp(organizationId, id, { processId, otp: "111111" })
}

describe("live mode of an embedded engine", () => {
  it("begins with the first `merchant` of that mode that finds a cashier who works", async () => {
    const engine = await started({ provider: InProcess.layer(SandboxBank.make()) })
    const merchant = (mode: "live" | "sandbox") => engine.merchant({ key: "shop", name: "Shop", mode })
    const modeOf = async (id: string) => (await engine.organizations.get(id)).mode
    try {
      const early = await merchant("live")
      const { organizationId } = early
      await expect(early.invoices.create({ amount: 1500 })).rejects.toMatchObject({ code: "not_live" })
      await loggedIn(engine, organizationId)
      expect([(await merchant("sandbox")).mode, await modeOf(organizationId)]).toEqual(["sandbox", "sandbox"])
      const [shop] = await Promise.all([merchant("live"), merchant("live")])
      expect([shop.organizationId, await modeOf(organizationId)]).toEqual([organizationId, "live"])
      expect(await shop.invoices.create({ amount: 1500 })).toMatchObject({ mode: "live", status: "pending" })
      await (await merchant("sandbox")).invoices.create({ amount: 1500 })
      expect(await modeOf(organizationId)).toBe("live")
      const { records } = await engine.audit.list({ organizationId })
      expect(records.filter(({ action }) => action === "organization.mode_switched")).toHaveLength(1)
      expect(await engine.verify()).toEqual([])
    } finally {
      await engine.close()
    }
  })

  /** How many live invoices of `count` were made, and why the next one was not, a while after the trial has ended. */
  const outcomeOf = async (count: number, options: Partial<EngineOptions<unknown>>) => {
    const bank = SandboxBank.make()
    const engine = await started({ provider: InProcess.layer(bank), ...options })
    try {
      const shop = await engine.merchant({ key: "shop", name: "Shop", mode: "live" })
      const { organizationId } = shop
      await loggedIn(engine, organizationId)
      await engine.organizations.switchMode(organizationId, "live")
      const { results, created } = await shop.invoices.bulk(Array.from({ length: count }, () => ({ amount: 1500 })))
      const { tariff } = await engine.tariffs.standing(organizationId)
      const codes = new Set(results.flatMap((one) => (one.ok ? [] : [one.error])))
      return { created, codes: [...codes], active: tariff.active }
    } finally {
      await engine.close()
    }
  }

  it("has no tariffs unless it is told to", async () => {
    const ended = { settings: { tariffs: { trialMs: 0 } } }
    expect(await outcomeOf(60, ended)).toEqual({ created: 60, codes: [], active: true })
    toNewFolder()
    expect(await outcomeOf(2, { ...ended, tariffs: "catalogue" })).toEqual({
      created: 0,
      codes: ["tariff_inactive"],
      active: false
    })
    toNewFolder()
    expect(await outcomeOf(60, { tariffs: "catalogue" })).toMatchObject({ created: 50, codes: ["tariff_daily_burst"] })
  })
})
