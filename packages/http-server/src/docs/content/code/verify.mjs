import { createHmac, timingSafeEqual } from "node:crypto"

// `body` is the raw text of the request, before anything has parsed it.
export function verify(secret, headers, body, now = Date.now() / 1000) {
  const timestamp = headers["x-webhook-timestamp"] ?? ""
  if (!(Math.abs(now - Number(timestamp)) <= 300)) return false
  const own = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")
  return [headers["x-webhook-signature"], headers["x-webhook-signature-previous"]].some((given) => {
    const expected = Buffer.from(`sha256=${own}`)
    const received = Buffer.from(given ?? "")
    return received.length === expected.length && timingSafeEqual(received, expected)
  })
}
