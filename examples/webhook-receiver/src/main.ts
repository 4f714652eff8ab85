/** Takes webhooks with nothing but Node: `WEBHOOK_SECRET=whsec_… PORT=4000 DATA=shop.db node src/main.ts`. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { DatabaseSync } from "node:sqlite"

const { WEBHOOK_SECRET: secret, PORT = "4000", DATA = "shop.db" } = process.env
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

// A delivery may come twice, also after a restart: so what was done is kept in the database, with what was done.
const shop = new DatabaseSync(DATA)
shop.exec("create table if not exists facts (invoice text, status text, primary key (invoice, status))")
const note = shop.prepare("insert or ignore into facts (invoice, status) values (?, ?)")

const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks) // as it came: the signature is over these bytes
  if (!isSigned(request, body)) {
    response.writeHead(401).end()
    return
  }

  const { event, invoice } = JSON.parse(body.toString())
  // A shop ships the order in the transaction that notes this.
  const isNew = note.run(invoice.id, invoice.status).changes === 1
  if (isNew) console.log(`${event}: ${invoice.id} ${invoice.status}`)
  response.writeHead(204).end()
}

// A client that leaves in the middle of its body rejects the promise, and Node would end the process for that.
const server = createServer((request, response) => void receive(request, response).catch(() => response.destroy()))

server.listen(Number(PORT), () => console.log(JSON.stringify(server.address())))
