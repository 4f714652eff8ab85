/** What a server sends to a collector of OpenTelemetry, and that it does without one. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { call } from "@tolem/testing-harness/Client"
import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { addressFault, parseHeaders, parseSignals } from "../../src/operations/OtlpSettings.ts"
import { collector, listen } from "../support/collector.ts"
import { folder, run, service } from "./support.ts"

const secret = "hush,hush"
const headers = { TOLEM_OTLP_HEADERS: "x-team=tolem, authorization=Bearer%20hush%2Chush" }

/** An address that refuses connections. */
const free = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe("a server with a collector", () => {
  it("sends what it measures, the last at its end, and no secret", async () => {
    const { url, batches } = await collector()
    const phone = "77001234567"
    const running = await service(folder(), ["start", "--otlp-url", url], headers)
    const { apiKey } = running.ready
    expect((await fetch(`${running.url}/health/live`)).status).toBe(200)
    const answer = await fetch(`${running.url}/api/v1/invoices?q=${phone}`, {
      headers: { authorization: `Bearer ${apiKey}` }
    })
    expect(answer.status).toBe(200)
    await answer.text()
    expect((await call(running.url, apiKey, "/invoices", { amount: 1500 })).status).toBe(201)
    const { code, stderr } = await running.stop()
    expect(code).toBe(0)

    const last = batches.findLast(({ path }) => path === "/v1/metrics")
    expect(last).toMatchObject({
      path: "/v1/metrics",
      headers: { authorization: `Bearer ${secret}`, "x-team": "tolem" }
    })
    const { resource, scopeMetrics } = JSON.parse(last!.body).resourceMetrics[0]
    const attributes = Object.fromEntries(
      resource.attributes.map((each: { key: string; value: { stringValue: string } }) => [
        each.key,
        each.value.stringValue
      ])
    )
    expect(attributes).toMatchObject({
      "service.name": "tolem",
      "service.version": expect.stringMatching(/^\d+\.\d+\.\d+/),
      "service.instance.id": expect.stringMatching(new RegExp(`:${running.pid}$`))
    })
    const requests = scopeMetrics[0].metrics.find(({ name }: { name: string }) => name === "tolem_http_requests_total")
    expect(JSON.stringify(requests)).toContain("/health/live")
    expect(last!.body).toContain("tolem_invoices_total")

    const all = [...batches.map(({ body }) => body), stderr].join("\n")
    for (const word of ["hush", phone, apiKey]) expect(all).not.toContain(word)
  })
})

describe("a server whose collector", () => {
  const away: ReadonlyArray<readonly [string, () => Promise<string>, string]> = [
    ["is away", free, "ECONNREFUSED"],
    ["refuses", () => listen((_request, response) => void response.writeHead(401).end()), "answered 401"],
    [
      "sends it elsewhere",
      () => listen((_request, response) => void response.writeHead(307, { location: "/" }).end()),
      "answered 307"
    ]
  ]

  it.each(away)("%s serves, ends in order, and says so once", async (_what, start, reason) => {
    const running = await service(folder(), ["serve", "--otlp-url", await start()], headers)
    expect((await fetch(`${running.url}/health/ready`)).status).toBe(200)
    const { code, stderr } = await running.stop()
    expect(code).toBe(0)
    for (const signal of ["metrics", "traces", "logs"])
      expect(stderr.match(new RegExp(`does not take ${signal}`, "g")), signal).toHaveLength(1)
    expect(stderr).toContain(reason)
    expect(stderr).not.toContain("hush")
  })

  it("never answers serves while a batch waits, and ends in order", async () => {
    let asked = 0
    const url = await listen(() => void asked++)
    const running = await service(folder(), ["serve", "--otlp-url", url], headers)
    await expect.poll(() => asked).toBeGreaterThan(0)
    expect((await fetch(`${running.url}/health/ready`)).status).toBe(200)
    await expect.poll(() => running.said.stderr).toContain("no answer in time")
    expect((await fetch(`${running.url}/health/ready`)).status).toBe(200)
    expect((await running.stop()).code).toBe(0)
  })
})

describe("the settings of a collector", () => {
  it("are refused where they are wrong, without repeating what is secret", async () => {
    for (const [url, variables, words] of [
      ["http://127.0.0.1:1", { TOLEM_OTLP_SIGNALS: "metrics,hush" }, "--otlp-signals must be names"],
      ["http://127.0.0.1:1", { TOLEM_TRACE_RATIO: "1.5" }, "--trace-ratio must be from 0 to 1"],
      ["ftp://127.0.0.1", {}, "must be an address"],
      ["http://user:hush@127.0.0.1", {}, "must have no password"],
      ["http://127.0.0.1/?key=hush", {}, "neither a query"],
      ["http://127.0.0.1:1", { TOLEM_OTLP_HEADERS: "hush" }, "TOLEM_OTLP_HEADERS"],
      ["http://127.0.0.1:1", { TOLEM_OTLP_HEADERS: "a=hush%0d%0ab" }, "TOLEM_OTLP_HEADERS"]
    ] as const) {
      const { code, stderr } = await run(folder(), ["serve", "--port", "0", "--otlp-url", url], variables)
      expect(code, words).toBe(2)
      expect(stderr).toContain(words)
      expect(stderr).not.toContain("hush")
    }
  })

  it("are read as OpenTelemetry writes them", () => {
    const read = (text: string) => Result.map(parseHeaders(Redacted.make(text)), Redacted.value)
    expect(read("")).toEqual(Result.succeed({}))
    expect(read("A=b=c, d=e%20f,")).toEqual(Result.succeed({ a: "b=c", d: "e f" }))
    for (const wrong of ["a", "=b", "a b=c", "a=%zz", "a=", "a=ж"])
      expect(Result.isFailure(read(wrong)), wrong).toBe(true)
    expect(addressFault("https://otlp.example.kz/tolem/")).toBeUndefined()
    expect(parseSignals("logs, metrics")).toEqual(["metrics", "logs"])
    expect([parseSignals(""), parseSignals("metrics,more")]).toEqual([undefined, undefined])
  })
})
