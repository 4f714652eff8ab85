import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import { verify, WebhookRejected } from "../src/WebhookVerifier.ts"

const secret = "whsec_bXkgc2VjcmV0IGtleSBvZiAzMiByYW5kb20gYnl0ZXM="
const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const body = JSON.stringify({
  event: "invoice.paid",
  invoice: {
    id: "inv_1",
    status: "paid",
    amount: 1500,
    externalOrderId: "A-1",
    metadata: { note: "қазақша", big: 1 },
    receiptNumber: "00000001",
    receiptUrl: "http://localhost:3000/receipts/inv_1",
    paidAt: "2026-01-02T03:04:05.000Z"
  },
  sentAt: "2026-01-02T03:04:05.000Z",
  id: "evt_1",
  sequence: 2
})

const sign = (timestamp: number, text: string | Uint8Array, key = secret) =>
  `sha256=${createHmac("sha256", key).update(`${timestamp}.`).update(text).digest("hex")}`

const signed = (atMs: number, text: string | Uint8Array = body, key = secret) => {
  const timestamp = Math.floor(atMs / 1000)
  return { "X-Webhook-Timestamp": String(timestamp), "X-Webhook-Signature": sign(timestamp, text, key) }
}

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "accepted",
    (error: unknown) => (error instanceof WebhookRejected ? error.reason : error)
  )

describe("a receiver", () => {
  it("gets the event of a request that was signed just now, from text or bytes, from records or Headers", async () => {
    const headers = signed(now)
    const event = await verify({ body, headers, secret, now })
    expect(event).toEqual(JSON.parse(body))
    const bytes = new TextEncoder().encode(body)
    expect(await verify({ body: bytes, headers: new Headers(headers), secret, now })).toEqual(event)
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]))
    expect(await verify({ body: bytes, headers: lower, secret, now })).toEqual(event)
  })

  it("keeps members that it does not know of", async () => {
    const text = JSON.stringify({ ...JSON.parse(body), late: true, somethingNew: 1 })
    expect(await verify({ body: text, headers: signed(now, text), secret, now })).toMatchObject({
      late: true,
      somethingNew: 1
    })
  })

  it("uses the clock by itself where no instant is given", async () => {
    expect(await reasonOf(verify({ body, headers: signed(now), secret }))).toBe("timestamp_out_of_range")
  })

  it("takes 300 seconds of difference either way, and not one more", async () => {
    const at = (differenceMs: number) =>
      reasonOf(verify({ body, headers: signed(now), secret, now: now + differenceMs }))
    expect(await at(300_000)).toBe("accepted")
    expect(await at(-300_000)).toBe("accepted")
    expect(await at(301_000)).toBe("timestamp_out_of_range")
    expect(await at(-301_000)).toBe("timestamp_out_of_range")
  })

  it("refuses any altered byte, another secret, another timestamp, and signatures of another form", async () => {
    const headers = signed(now)
    const refused = (changed: object, text: string | Uint8Array = body) =>
      reasonOf(verify({ body: text, headers: { ...headers, ...changed }, secret, now }))
    expect(await refused({}, body.replace("1500", "1501"))).toBe("signature_mismatch")
    expect(await refused({}, `${body} `)).toBe("signature_mismatch")
    expect(await refused(signed(now, body, "whsec_other"))).toBe("signature_mismatch")
    expect(await refused({ "X-Webhook-Timestamp": String(now / 1000 + 1) })).toBe("signature_mismatch")
    const signature = headers["X-Webhook-Signature"]
    for (const form of [
      "",
      "sha256=",
      signature.slice(7),
      signature.toUpperCase(),
      signature.slice(0, -1),
      `${signature}0`
    ]) {
      expect(await refused({ "X-Webhook-Signature": form })).toBe("signature_mismatch")
    }
  })

  it("refuses requests without the two headers, and timestamps that are none", async () => {
    const { "X-Webhook-Timestamp": timestamp, "X-Webhook-Signature": signature } = signed(now)
    expect(await reasonOf(verify({ body, headers: {}, secret, now }))).toBe("header_missing")
    expect(await reasonOf(verify({ body, headers: { "X-Webhook-Timestamp": timestamp }, secret, now }))).toBe(
      "header_missing"
    )
    for (const text of ["", "now", "1e9", "-1", "9".repeat(40), `${timestamp}.5`]) {
      const headers = { "X-Webhook-Timestamp": text, "X-Webhook-Signature": signature }
      expect(await reasonOf(verify({ body, headers, secret, now }))).toBe("timestamp_out_of_range")
    }
  })

  it("accepts by the old secret while a rotation lasts", async () => {
    const timestamp = now / 1000
    const headers = {
      ...signed(now, body, "whsec_new"),
      "X-Webhook-Signature-Previous": sign(timestamp, body, secret)
    }
    expect(await reasonOf(verify({ body, headers, secret, now }))).toBe("accepted")
    expect(await reasonOf(verify({ body, headers, secret: "whsec_new", now }))).toBe("accepted")
    expect(await reasonOf(verify({ body, headers, secret: "whsec_third", now }))).toBe("signature_mismatch")
  })

  it("tells what is signed but no event", async () => {
    for (const text of [
      "",
      "not json",
      "[]",
      "{}",
      "null",
      JSON.stringify({ ...JSON.parse(body), event: 1 }),
      JSON.stringify({ ...JSON.parse(body), invoice: { id: "inv_1" } })
    ]) {
      expect(await reasonOf(verify({ body: text, headers: signed(now, text), secret, now }))).toBe("not_an_event")
    }
  })

  it("takes kinds of events that it does not know of", async () => {
    const text = JSON.stringify({ ...JSON.parse(body), event: "invoice.unknown" })
    expect(await verify({ body: text, headers: signed(now, text), secret, now })).toMatchObject({ id: "evt_1" })
  })

  it("says in words what is wrong", async () => {
    const error: unknown = await verify({ body, headers: {}, secret }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: "WebhookRejected", message: "The request has no timestamp or no signature." })
  })
})
