import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { begin, folder, run } from "./support.ts"

const started = async (...flags: ReadonlyArray<string>) => {
  const server = begin(folder(), ["provider-sandbox", "serve", "--port", "0", ...flags])
  const ready = JSON.parse((await server.says(/^\{.*\}\n/))[0])
  const call = async (path: string, body?: object, session = "") => {
    const headers = { authorization: `Bearer ${session}` }
    const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) }
    const response = await fetch(`${ready.url}${path}`, init)
    return { status: response.status, body: await response.json() }
  }
  return { ...server, ready, call }
}

const login = async ({ call }: Awaited<ReturnType<typeof started>>, code: string) => {
  const { processId } = (await call("/v1/login", {})).body
  await call("/v1/login/phone", { processId, phone: "77770000001" })
  return call("/v1/login/code", { processId, code })
}

describe("tolem provider-sandbox serve", () => {
  it("is a provider that can be paid at, and ends with 0 at SIGTERM", async () => {
    const server = await started()
    expect(server.ready).toMatchObject({ status: "ready", host: "127.0.0.1", scenario: "waits" })
    const { session } = (await login(server, "111111")).body
    const order = { ours: "inv_1", amount: 150_000, description: null, phone: null }
    const { body: payment } = await server.call("/v1/payments", order, session)
    expect(payment.state).toBe("waiting")
    await server.call(`/control/payments/${payment.reference}/pay`, {})
    expect((await server.call("/v1/orders/inv_1", undefined, session)).body.state).toBe("paid")
    server.signal("SIGTERM")
    expect(await server.ended).toMatchObject({ code: 0, stderr: "" })
  })

  it("gives no reference twice, even after a restart", async () => {
    const order = { ours: "inv_1", amount: 150_000, description: null, phone: null }
    const references: Array<string> = []
    for (let n = 0; n < 2; n++) {
      const server = await started()
      const { session } = (await login(server, "111111")).body
      references.push((await server.call("/v1/payments", order, session)).body.reference)
      server.signal("SIGTERM")
      await server.ended
    }
    expect(new Set(references).size).toBe(2)
  })

  it("takes its code and its usual scenario from flags", async () => {
    const server = await started("--code", "2222", "--scenario", "refuses_create")
    expect((await login(server, "111111")).body.error).toBe("wrong_code")
    const { session } = (await login(server, "2222")).body
    const order = { ours: "inv_1", amount: 150_000, description: null, phone: null }
    expect(await server.call("/v1/payments", order, session)).toMatchObject({ status: 409, body: { error: "invalid" } })
  })

  it("does what its document says can be pasted", async () => {
    const { ready } = await started()
    const text = readFileSync(new URL("../../../../docs/provider-sandbox.md", import.meta.url), "utf8")
    const pasted = /```sh\n([^`]*)```/.exec(text)?.[1] ?? ""
    const env = { PATH: process.env["PATH"], SANDBOX: ready.url }
    const { stdout, stderr } = await promisify(execFile)("sh", ["-c", pasted], { env })
    expect(stderr).toBe("")
    const state = JSON.parse(stdout.slice(stdout.lastIndexOf('{"reference"')))
    expect(state).toMatchObject({ ours: "inv_1", state: "paid" })
  })

  it("ends although a call is left without its answer", async () => {
    const server = await started()
    await server.call("/control/faults", { call: "initLogin", fault: { kind: "silence" } })
    const silent = server.call("/v1/login", {}).then(
      () => "answered",
      () => "cut"
    )
    const noticed = async (): Promise<void> => {
      const { body } = await server.call("/control/faults")
      if (body.faults.length > 0) await noticed()
    }
    await noticed()
    server.signal("SIGTERM")
    expect((await server.ended).code).toBe(0)
    await silent
  })

  it("says so when the port is taken", async () => {
    const { ready } = await started()
    const { code, stderr } = await run(folder(), ["provider-sandbox", "serve", "--port", String(ready.port)])
    expect(code).toBe(1)
    expect(JSON.parse(stderr).error).toBe("cannot_listen")
  })

  it("refuses a scenario that there is not, and names its own help", async () => {
    const args = ["provider-sandbox", "serve", "--scenario", "none"]
    expect((await run(folder(), args)).code).toBe(2)
    const { stdout } = await run(folder(), ["provider-sandbox", "serve", "--help"])
    for (const word of ["--port", "--host", "--code", "--scenario", "refunds_on_its_own"])
      expect(stdout).toContain(word)
  })
})
