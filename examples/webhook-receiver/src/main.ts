/** Takes webhooks with nothing but Node: `WEBHOOK_SECRET=whsec_… PORT=4000 node src/main.ts`. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"

const { WEBHOOK_SECRET: secret, PORT = "4000" } = process.env
if (secret === undefined) throw new Error("WEBHOOK_SECRET must hold the secret that was shown with the endpoint")

const toleranceSeconds = 300

const isSigned = (request: IncomingMessage, body: Buffer): boolean => {
  const timestamp = String(request.headers["x-webhook-timestamp"])
  const [, signature] = /^sha256=([0-9a-f]{64})$/.exec(String(request.headers["x-webhook-signature"])) ?? []
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds
  if (signature === undefined || !isRecent) return false
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(signature, "hex"))
}

// A delivery may come twice. A shop keeps this in its database, in the transaction that ships the order.
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks) // as it came: the signature is over these bytes
  if (!isSigned(request, body)) {
    response.writeHead(401).end()
    return
  }

  const { event, invoice } = JSON.parse(body.toString())
  const fact = `${invoice.id} ${invoice.status}`
  if (!seen.has(fact)) console.log(`${event}: ${fact}`)
  seen.add(fact)
  response.writeHead(204).end()
})

server.listen(Number(PORT), () => console.log(JSON.stringify(server.address())))
