import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const secret = "whsec_c2lnbmVkIHdpdGggdGhpcyB0ZXh0LCBhcyBhIHdob2xl"

let folder: string
let receiver: ChildProcessWithoutNullStreams
let closed: Promise<unknown>
let url: string
let said = ""

const start = async () => {
  const own = { PORT: "0", WEBHOOK_SECRET: secret, DATA: join(folder, "shop.db") }
  receiver = spawn(process.execPath, [main], { env: { ...process.env, ...own } })
  closed = once(receiver, "close")
  said = ""
  const [address] = await once(receiver.stdout, "data")
  url = `http://localhost:${JSON.parse(String(address)).port}`
  receiver.stdout.on("data", (chunk) => {
    said += chunk
  })
}

const stop = async () => {
  receiver.kill()
  await closed
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tolem-receiver-"))
  await start()
})

afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const body = JSON.stringify({ event: "invoice.paid", invoice: { id: "inv_1", status: "paid", amount: 1500 } })

const deliver = async (sent: string, { signed = sent, ageSeconds = 0 } = {}) => {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds)
  const signature = createHmac("sha256", secret).update(`${timestamp}.${signed}`).digest("hex")
  const headers = { "X-Webhook-Timestamp": timestamp, "X-Webhook-Signature": `sha256=${signature}` }
  return (await fetch(url, { method: "POST", headers, body: sent })).status
}

it("takes what is signed, and acts on it once", async () => {
  expect(await deliver(body)).toBe(204)
  expect(await deliver(body)).toBe(204)
  await stop()
  expect(said).toBe("invoice.paid: inv_1 paid\n")
})

it("acts on it once also where it comes again after a restart", async () => {
  expect(await deliver(body)).toBe(204)
  await stop()
  await start()
  expect(await deliver(body)).toBe(204)
  expect(await deliver(body.replace("inv_1", "inv_2"))).toBe(204)
  await stop()
  expect(said).toBe("invoice.paid: inv_2 paid\n")
})

it("refuses what was altered, is old, or is not signed", async () => {
  expect(await deliver(body.replace("1500", "1"), { signed: body })).toBe(401)
  expect(await deliver(body, { ageSeconds: 400 })).toBe(401)
  expect((await fetch(url, { method: "POST", body })).status).toBe(401)
})

it("stays up where a client leaves in the middle of its body", async () => {
  const client = connect(Number(new URL(url).port), "localhost")
  await once(client, "connect")
  client.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf")
  // The server has the request by then: it answers those of one process in their order.
  expect((await fetch(url, { method: "POST", body })).status).toBe(401)
  client.destroy()
  await once(client, "close")
  expect(await deliver(body)).toBe(204)
  expect(await deliver(body)).toBe(204)
})
