/** What a collector is sent of one payment: its spans, joined, and the lines of the log; and what it is not sent. */
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it } from "vitest"
import { collector, type Item, itemsOf, listen, type Sent } from "../support/collector.ts"
import { eventually } from "../support/eventually.ts"
import { begin, folder, result, service } from "./support.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const parentSpanId = "b7ad6b7169203331"
const headers = { traceparent: `00-${traceId}-${parentSpanId}-01` }

const provider = async (cwd: string) => {
  const sandbox = begin(cwd, ["provider-sandbox", "serve", "--port", "0", "--json"])
  const { port } = JSON.parse((await sandbox.says(/^\{.*\}\n/))[0])
  return `http://127.0.0.1:${port}`
}

/** Passes requests on to a server, and keeps their headers. */
const proxy = async (target: string) => {
  const seen: Array<Sent> = []
  const url = await listen(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    seen.push({ path: request.url, headers: request.headers, body: body.toString() })
    const { host: _, connection: __, "content-length": ___, ...rest } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? "GET",
      headers: rest as Record<string, string>,
      body: body.length === 0 ? null : body
    })
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  return { url, seen }
}

const named = (spans: ReadonlyArray<Item>, name: string): Item => {
  const found = spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(", ")}`)
  return found
}

describe("a collector", () => {
  it("is sent spans from the request over its commit to the attempt of its delivery, and no secret", async () => {
    const cwd = folder()
    const [telemetry, receiver, sandbox] = [await collector(), await collector(), await provider(cwd)]
    const through = await proxy(sandbox)
    const phone = "77001234567"
    const { organization } = await result(cwd, "org", "create", "--name", "A", "--owner-phone", phone)
    const org = ["--org", organization.id]
    const cashier = await result(cwd, "connection", "create", ...org, "--name", "Till", "--provider-url", sandbox)
    await result(cwd, "org", "mode", ...org, "--mode", "live")
    const keyOf = (mode: string, ...more: ReadonlyArray<string>) =>
      result(cwd, "key", "create", ...org, "--mode", mode, "--name", "k", "--scopes", "all", ...more)
    const live = (await keyOf("live", "--connection", cashier.id)).apiKey
    const test = (await keyOf("sandbox")).apiKey
    const hook = ["--mode", "sandbox", "--url", `${receiver.url}/hook?token=hush`, "--events", "invoice.cancelled"]
    const { secret } = await result(cwd, "webhook", "create", ...org, ...hook)
    const server = await service(cwd, ["serve", "--provider-url", through.url, "--otlp-url", telemetry.url])

    const made = await call(server.url, test, "/invoices", { amount: 1500, comment: "hush" }, { headers })
    expect(made.status).toBe(201)
    expect((await call(server.url, live, "/invoices", { amount: 1500 }, { headers })).status).toBe(201)
    const { id } = made.body
    const canceled = await call(server.url, test, `/invoices/${id}/cancel`, {}, { headers })
    expect(canceled.status).toBe(200)
    expect((await call(server.url, test, `/invoices/${id}?hush=${phone}`, undefined, { headers })).status).toBe(200)
    expect((await call(server.url, "hush", "/invoices", undefined, { headers })).body.error).toBe("invalid_api_key")
    await expect.poll(() => receiver.batches.length).toBe(1)
    await eventually(() => named(itemsOf(telemetry.batches, "traces"), "WebhookDispatcher.attempt"))
    expect((await server.stop()).code).toBe(0)

    const spans = itemsOf(telemetry.batches, "traces")
    const ours = spans.filter((span) => span.traceId === traceId)
    const request = named(ours, "POST /api/v1/invoices/:id/cancel")
    expect(request).toMatchObject({
      parentSpanId,
      kind: 2,
      facts: {
        "http.request.method": "POST",
        "http.route": "/api/v1/invoices/:id/cancel",
        "http.response.status_code": 200
      }
    })
    expect(request.facts["tolem.request.id"]).toBe(canceled.headers.get("x-request-id"))
    const spanOf = (spanId: string | undefined) => ours.find((span) => span.spanId === spanId)
    const within = (span: Item | undefined): ReadonlyArray<string | undefined> =>
      span === undefined ? [] : [span.name, ...within(spanOf(span.parentSpanId))]
    const event = named(spans, "Event.committed")
    const [link] = event.links ?? []
    expect(link?.traceId).toBe(traceId)
    expect(within(spanOf(link?.spanId))).toEqual(["InvoiceStore.commitMany", "Invoices.cancel", request.name])
    expect(spanOf(link?.spanId)?.links).toMatchObject([{ traceId: event.traceId, spanId: event.spanId }])
    expect(named(spans, "WebhookDispatcher.attempt")).toMatchObject({
      traceId: event.traceId,
      parentSpanId: event.spanId,
      facts: { "tolem.outcome": "delivered", "http.response.status_code": 200, "tolem.event.type": "invoice.cancelled" }
    })
    expect(within(named(ours, "InvoiceStore.insertMany")).at(-1)).toBe("POST /api/v1/invoices")
    expect(within(named(ours, "Provider.createQr")).at(-1)).toBe("POST /api/v1/invoices")
    expect(named(ours, "Provider.createQr").facts).toEqual({ "tolem.outcome": "accepted" })
    expect(named(ours, "GET /api/v1/invoices").facts).toMatchObject({ "error.type": "invalid_api_key" })
    expect(named(ours, "GET /api/v1/invoices/:id")).toBeDefined()

    const refused = itemsOf(telemetry.batches, "logs").find(({ body }) => body?.stringValue === "Refused")
    expect(refused).toMatchObject({ traceId, facts: { code: "invalid_api_key" } })
    expect(ours.map(({ spanId }) => spanId)).toContain(refused?.spanId)

    const all = telemetry.batches.filter(({ path }) => path !== "/v1/metrics").map(({ body }) => body)
    for (const word of ["hush", phone, live, test, secret, id, "select ", "SELECT ", "127.0.0.1:"])
      expect(
        all.filter((body) => body.replaceAll(/"baseUrl".*?\}/g, "").includes(word)),
        word
      ).toEqual([])
    const strangers = [...receiver.batches, ...through.seen]
    expect(strangers.length).toBeGreaterThan(1)
    expect(strangers.filter((sent) => "traceparent" in sent.headers || "b3" in sent.headers)).toEqual([])
  })

  it("is not sent the codes that the log of a development server shows", async () => {
    const { url, batches } = await collector()
    const server = await service(folder(), ["serve", "--otlp-url", url, "--login-channel", "console"])
    await fetch(`${server.url}/panel/login/code`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ phone: "77001234567" })
    })
    const shown = () => /"code":"(\d+)"/.exec(server.said.stderr)?.[1] ?? Promise.reject(new Error("not logged yet"))
    const code = await eventually(shown)
    expect((await server.stop()).code).toBe(0)
    const lines = itemsOf(batches, "logs").map(({ body }) => body?.stringValue)
    expect(lines).toContain("Service: ready")
    expect(lines.join("\n")).not.toContain("login code")
    for (const { path, body } of batches)
      if (path !== "/v1/metrics") for (const word of [`"${code}"`, "77001234567"]) expect(body).not.toContain(word)
  })

  it("is sent only what is asked for", async () => {
    const { url, batches } = await collector()
    const server = await service(folder(), ["serve", "--otlp-url", url], {
      TOLEM_OTLP_SIGNALS: "traces,metrics",
      TOLEM_TRACE_RATIO: "0"
    })
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
    expect((await server.stop()).code).toBe(0)
    expect(new Set(batches.map(({ path }) => path))).toEqual(new Set(["/v1/metrics"]))
  })
})
