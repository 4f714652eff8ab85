import { createServer } from "node:http"
import { verify } from "./verify.mjs"

const secret = process.env.WEBHOOK_SECRET
const seen = new Set() // keep this in your database

createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts).toString()
  if (!verify(secret, request.headers, body)) return response.writeHead(401).end()
  const { event, invoice } = JSON.parse(body)
  const once = `${invoice.id} ${invoice.status}`
  if (!seen.has(once)) {
    seen.add(once)
    console.log(event, invoice.id, invoice.amount)
  }
  response.writeHead(204).end()
}).listen(process.env.PORT ?? 4000)
