/**
 * The peer: a small Fastify service over `node:sqlite` that does the work of a create by hand, one request at a time,
 * one transaction a request, with the durability of ours (WAL, synchronous FULL). `node peer.ts FILE ORGANIZATION`.
 */
import { createHash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import Fastify from "fastify"
import { makeInsert } from "./Rows.ts"

const [file = "", organizationId = ""] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")

const findKey = db.prepare(`select k.id, k.organization_id, k.mode, k.scopes, o.status as organization_status,
  a.status as owner_status from tolem_api_keys k join tolem_organizations o on o.id = k.organization_id
  join tolem_accounts a on a.id = o.owner_id where k.digest = ?`)
const hit = db.prepare(`insert into tolem_rate_windows (window_at, key_id, kind, hits) values (?, ?, 'write', 1)
  on conflict (window_at, key_id, kind) do update set hits = hits + 1 returning hits`)
const insert = makeInsert(db, organizationId)
const begin = db.prepare("begin immediate")
const commit = db.prepare("commit")
const rollback = db.prepare("rollback")
const limit = 1_000_000_000

interface Body {
  readonly amount: number
  readonly description: string
  readonly externalOrderId: string
  readonly customer: { readonly phone: string }
  readonly metadata: object
}

const server = Fastify()
server.post<{ Body: Body }>("/api/v1/invoices", (request, reply) => {
  const text = String(request.headers["x-api-key"])
  const key = findKey.get(createHash("sha256").update(text).digest("hex"))
  if (key === undefined) return reply.code(401).send({ error: "unauthorized", message: "" })
  const body = request.body
  if (typeof body.amount !== "number" || body.amount < 1) {
    return reply.code(422).send({ error: "invalid_amount", message: "" })
  }
  const now = Date.now()
  begin.run()
  try {
    const counted = hit.get(BigInt(now - (now % 60_000)), String(key["id"]))
    if (Number(counted?.["hits"]) > limit) {
      commit.run()
      return reply.code(429).send({ error: "request_rate_limited", message: "" })
    }
    const made = insert({
      amount: body.amount,
      description: body.description,
      externalOrderId: body.externalOrderId,
      phone: body.customer.phone,
      metadata: JSON.stringify(body.metadata),
      key: String(request.headers["idempotency-key"]),
      fingerprint: createHash("sha256").update(JSON.stringify(body)).digest("hex")
    })
    commit.run()
    return reply
      .code(made.created ? 201 : 200)
      .header("x-ratelimit-remaining", String(limit - Number(counted?.["hits"])))
      .send({ ...body, id: made.id, status: "pending", createdAt: new Date(made.now).toISOString() })
  } catch (error) {
    rollback.run()
    throw error
  }
})
await server.listen({ port: 0, host: "127.0.0.1" })
const address = server.server.address()
console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
process.once("SIGTERM", () => void server.close().then(() => db.close()))
