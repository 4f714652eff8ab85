/** What operators see at `/metrics` of a server that takes payments, is refused, and sends webhooks and letters. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { beginning } from "@tolem/core/feed/Cursor"
import { HandOver, type Mailer } from "@tolem/core/mail/Mailer"
import { backlogKinds } from "@tolem/core/measure/BacklogStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { newLine, tested } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { receive, takes } from "@tolem/testing-harness/Receiver"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import * as DiskMetrics from "../src/operations/DiskMetrics.ts"
import { call } from "./support/calls.ts"
import { eventually } from "./support/eventually.ts"
import { documented, familiesOf, samplesOf } from "./support/metricsText.ts"
import { type Key, type Service, start } from "./support/service.ts"

const mailer: Mailer["Service"] = { send: () => Effect.succeed(HandOver.Taken()) }
const invoices = "/api/v1/invoices"
const isPostgres = inject("database") === "postgres"

let service: Service
let bank: SandboxBank.SandboxBank
let receiver: Awaited<ReturnType<typeof receive>>
let sandboxKey: Key
let liveKey: Key

beforeAll(async () => {
  receiver = await receive(takes)
  bank = SandboxBank.make({})
  const watcher = { ...defaults.watcher, pollMs: 20 }
  const webhook = { ...defaults.webhook, pollMs: 20, privateNetworks: ["127.0.0.0/8"] }
  const mail = { ...defaults.mail, pollMs: 20 }
  const sandbox = { ...defaults.sandbox, mailTo: ["@qa.example.kz"] }
  const settings = { watcher, webhook, mail, sandbox }
  service = await start({ provider: InProcess.layer(bank), mailer, agents: true, settings })
  sandboxKey = await service.key()
  const { id: organizationId } = await service.organization()
  const { connections } = await service.run(Engine)
  const till = await service.run(connections.create(organizationId, { name: "Till" }))
  const { id: processId } = await service.run(connections.initLogin(organizationId, till.id))
  await service.run(connections.sendPhone(organizationId, till.id, { processId, phone: "77010000000" }))
  await service.run(connections.verifyOtp(organizationId, till.id, { processId, otp: Redacted.make("111111") }))
  liveKey = await service.key({ organizationId, mode: "live" })
})
afterAll(async () => {
  await service?.stop()
  await receiver?.close()
})

const shown = async () => (await call(service, "GET", "/metrics")).text

/** The sum of the series of a metric that have these labels. */
const total = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
  samplesOf(await shown())
    .filter((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)

const pays = async (body: object = {}) => {
  const made = await call(service, "POST", invoices, { key: sandboxKey, body: { amount: 1500, ...body } })
  const path = `${invoices}/${made.body["id"]}`
  expect((await call(service, "POST", `${path}/simulate`, { key: sandboxKey, body: { status: "paid" } })).status).toBe(
    200
  )
  return path
}

describe("invoices", () => {
  it("count once for each status that they come to, by kind and mode", async () => {
    const of = (status: string) => total("tolem_invoices_total", { status, kind: "qr", mode: "sandbox" })
    const before = [await of("pending"), await of("paid"), await of("partially_refunded"), await of("refunded")]
    const path = await pays()
    for (const body of [{ amount: 500 }, { amount: 400 }, {}]) {
      expect((await call(service, "POST", `${path}/refund`, { key: sandboxKey, body })).status).toBeLessThan(300)
    }
    const after = [await of("pending"), await of("paid"), await of("partially_refunded"), await of("refunded")]
    expect(after.map((count, index) => count - before[index]!)).toEqual([1, 1, 2, 1])
  })

  it("count no replay and no refused request", async () => {
    const body = { key: sandboxKey, body: { amount: 700 }, headers: { "idempotency-key": "once" } }
    await call(service, "POST", invoices, body)
    const before = await total("tolem_invoices_total")
    expect((await call(service, "POST", invoices, body)).status).toBe(200)
    await call(service, "POST", invoices, { key: sandboxKey, body: { amount: -1 } })
    expect(await total("tolem_invoices_total")).toBe(before)
  })
})

describe("the provider", () => {
  it("is counted by verb and outcome, and timed", async () => {
    const accepted = { call: "createQr", outcome: "accepted" }
    const before = await total("tolem_provider_calls_total", accepted)
    const timed = await total("tolem_provider_call_duration_seconds_count", { call: "createQr" })
    expect((await call(service, "POST", invoices, { key: liveKey, body: { amount: 1500 } })).status).toBe(201)
    expect(await total("tolem_provider_calls_total", accepted)).toBe(before + 1)
    expect(await total("tolem_provider_call_duration_seconds_count", { call: "createQr" })).toBe(timed + 1)
  })

  it("that loses a cashier's session is seen", async () => {
    expect(await total("tolem_cashier_sessions_total", { change: "opened" })).toBeGreaterThan(0)
    bank.control.loseSessions(null)
    const changes = () => total("tolem_cashier_sessions_total", { change: "lost" })
    // The create's own call is told of it, or one of the watcher's, which comes just before.
    const calls = () => total("tolem_provider_calls_total", { outcome: "session_lost" })
    const before = [await changes(), await calls()] as const
    const made = await call(service, "POST", invoices, { key: liveKey, body: { amount: 1500 } })
    expect(made.status).toBeGreaterThan(399)
    expect(await changes()).toBe(before[0] + 1)
    expect(await calls()).toBeGreaterThan(before[1])
  })
})

describe("what is refused", () => {
  it("counts by the code of its error", async () => {
    const of = (code: string) => total("tolem_http_errors_total", { code })
    const before = [await of("amount_too_small"), await of("invalid_api_key")]
    await call(service, "POST", invoices, { key: sandboxKey, body: { amount: -1 } })
    await call(service, "POST", invoices, { key: "wrong", body: { amount: 1 } })
    expect([await of("amount_too_small"), await of("invalid_api_key")]).toEqual(before.map((count) => count + 1))
    expect(await total("tolem_http_refusals_total", { code: "invalid_api_key" })).toBeGreaterThan(0)
  })
})

describe("what agents do", () => {
  it("shows as attempts of webhooks, letters, and when each has last run", async () => {
    const body = { url: `${receiver.url}/hook`, events: ["invoice.paid"] }
    expect((await call(service, "POST", "/api/v1/webhook-endpoints", { key: sandboxKey, body })).status).toBe(201)
    const before = [
      await total("tolem_webhook_attempts_total", { outcome: "delivered" }),
      await total("tolem_letters_total", { outcome: "sent" })
    ]
    await pays({ customer: { email: "customer@qa.example.kz" } })
    await eventually(async () => {
      const after = [
        await total("tolem_webhook_attempts_total", { outcome: "delivered" }),
        await total("tolem_letters_total", { outcome: "sent" })
      ]
      expect(after).toEqual(before.map((count) => count + 1))
    })
    for (const agent of [
      "WebhookDispatcher",
      "InvoiceWatcher",
      "MailDispatcher",
      "SubscriptionRunner",
      "Janitor of rates"
    ]) {
      const at = await total("tolem_agent_last_run_timestamp_seconds", { agent })
      expect(Math.abs(Date.now() / 1000 - at), agent).toBeLessThan(120)
    }
  })
})

describe("what members are told", () => {
  it("is counted by channel and outcome", async () => {
    const { organizationId } = sandboxKey
    const { members } = await service.run(Engine)
    const [owner] = await service.run(members.list(organizationId))
    const accountId = owner?.account.id ?? ""
    const audit = auditOf({ action: "account.email_noted", subject: accountId })
    await service.run(DirectoryStore.use((store) => store.setEmail(accountId, "owner@qa.example.kz", audit)))
    const key = { organizationId, accountId, mode: "sandbox", channel: "letter" } as const
    const taken = { channel: "letter", outcome: "taken" }
    const before = await total("tolem_notifications_total", taken)
    const wish = { kinds: ["paid"], minimum: null, quiet: null, language: "en" } as const
    const line = tested(newLine(key, wish, beginning, Date.now()), Date.now())
    await service.run(NoticeStore.use((store) => store.add(line, auditOf())))
    await eventually(async () => expect(await total("tolem_notifications_total", taken)).toBe(before + 1))
  })
})

describe("the storage", () => {
  it("shows what waits in it, how large it is, and how it answers", async () => {
    await pays()
    await eventually(async () => {
      expect(await total("tolem_database_size_bytes")).toBeGreaterThan(100_000)
      const kinds = samplesOf(await shown()).filter(({ name }) => name === "tolem_backlog_rows")
      expect(kinds.map(({ labels }) => labels["kind"]).toSorted()).toEqual([...backlogKinds].sort())
    })
    for (const kind of ["read", "write", "transaction"]) {
      expect(await total("tolem_database_operation_duration_seconds_count", { kind }), kind).toBeGreaterThan(0)
    }
    expect(await total("tolem_database_operations_running")).toBeGreaterThanOrEqual(0)
  })

  it.runIf(isPostgres)("shows the pool of connections, of which the listener has one", async () => {
    await eventually(async () => expect(await total("tolem_database_pool_used")).toBeGreaterThanOrEqual(1))
    expect(await total("tolem_database_pool_size")).toBeGreaterThan(1)
    await eventually(async () => expect(await total("tolem_database_pool_waiting")).toBe(0))
  })

  it("shows the disk of a file, and its log of writes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tolem-disk-"))
    const file = join(folder, "tolem.db")
    writeFileSync(`${file}-wal`, "x".repeat(4321))
    const looking = Effect.runFork(Effect.scoped(Effect.andThen(Layer.build(DiskMetrics.layer(file)), Effect.never)))
    try {
      await eventually(async () => expect(await total("tolem_database_log_bytes")).toBe(4321))
      const [free, size] = [await total("tolem_disk_free_bytes"), await total("tolem_disk_size_bytes")]
      expect(free).toBeGreaterThan(0)
      expect(size).toBeGreaterThan(free)
    } finally {
      await Effect.runPromise(Fiber.interrupt(looking))
      rmSync(folder, { recursive: true })
    }
  })
})

describe("the table of the documentation", () => {
  // Only a damaged database, a failing agent and a collector that is away have these; `poisonedCases` and the tests of
  // the watcher and of batches show them.
  const ofTroubles = ["tolem_unreadable_rows_total", "tolem_agent_failures_total", "tolem_telemetry_dropped_total"]

  it("names every metric with its kind and labels, and none that there is not", async () => {
    const rows = documented()
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
    const exported = familiesOf(await shown()).filter(({ name }) => name.startsWith("tolem_"))
    for (const family of exported) expect(rows).toContainEqual(family)
    const ofPools = isPostgres ? [] : rows.map(({ name }) => name).filter((name) => name.includes("_pool_"))
    const names = new Set([...exported.map(({ name }) => name), ...ofTroubles, ...ofPools])
    expect(rows.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
  })

  it("is true that no label names an organization, a key, an invoice or a text of people", async () => {
    const text = await shown()
    for (const secret of [
      sandboxKey.organizationId,
      liveKey.organizationId,
      sandboxKey.keyId,
      sandboxKey.apiKey,
      "qa.example.kz"
    ]) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/"(inv|org|key|whe|con|mai)_[0-9a-zA-Z]{8,}/)
  })
})
