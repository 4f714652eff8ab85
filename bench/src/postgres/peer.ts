/**
 * The peer: a Fastify service over `pg` that does the work of a create and of a read by hand, with as few named
 * prepared statements as that takes: one looks the key up and counts, one is the whole write or the whole read.
 *
 * `node peer.ts URL` does both of a create in one transaction. `node peer.ts URL apart` does the best that can be done
 * without sharing writes between requests: the count commits by itself, without waiting for the disk, so that the
 * creates of a key do not wait for each other.
 */
import { randomUUID } from "node:crypto"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import pg from "pg"
import { type EventRow, eventJson, type RefundRow, refundJson, render } from "./Answers.ts"
import {
  admission,
  type Caller,
  type Draft,
  type InvoiceRow,
  insertion,
  newInvoice,
  type Query,
  reading,
  replay,
  sha256
} from "./Statements.ts"

const [url = "", manner = "together"] = process.argv.slice(2)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// The quickest of the sizes 4, 8, 16, 32 at 64 connections of clients on two processors.
const pool = new pg.Pool({ connectionString: url, max: 16 })
// A counter that a power cut sets back is no harm, so the count does not wait for the disk, nor others for its row.
const counting = new pg.Pool({ connectionString: url, max: 8, options: "-c synchronous_commit=off" })
const limit = 1_000_000_000

type Asked = Pick<pg.Pool, "query"> | Pick<pg.ClientBase, "query">

const one = async <A extends object>(pool: Asked, query: Query): Promise<A | undefined> =>
  (await pool.query<A>(query)).rows[0]

const refuse = (reply: FastifyReply, status: number, error: string) => {
  reply.code(status).send({ error, message: "" })
  return undefined
}

/** The caller; undefined if the request was refused. */
const enter = async (
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string,
  asked: Asked = counting
): Promise<Caller | undefined> => {
  const key = request.headers["x-api-key"]
  if (typeof key !== "string") return refuse(reply, 401, "unauthorized")
  const now = Date.now()
  const caller = await one<Caller>(asked, admission(sha256(key), request.method === "GET" ? "read" : "write", now))
  if (caller === undefined) return refuse(reply, 401, "unauthorized")
  if (caller.owner_status !== "active") return refuse(reply, 403, "account_blocked")
  if (caller.organization_status !== "active") return refuse(reply, 410, "organization_inactive")
  const hits = caller.hits ?? limit + 1
  reply.header("x-request-id", randomUUID())
  reply.header("x-content-type-options", "nosniff")
  reply.header("x-ratelimit-limit", String(limit))
  reply.header("x-ratelimit-remaining", String(Math.max(0, limit - hits)))
  reply.header("x-ratelimit-reset", String((Math.floor(now / 60_000) + 1) * 60))
  if (hits > limit) return refuse(reply, 429, "request_rate_limited")
  if (!caller.scopes.split(" ").includes(scope)) return refuse(reply, 403, "insufficient_scope")
  return caller
}

type Body = Pick<Draft, "amount" | "description" | "externalOrderId" | "customer"> & { readonly metadata?: object }

const bodySchema = {
  type: "object",
  required: ["amount"],
  properties: {
    amount: { type: "number", minimum: 1, maximum: 99_999_999.99 },
    description: { type: "string", maxLength: 100 },
    externalOrderId: { type: "string", maxLength: 100 },
    customer: {
      type: "object",
      properties: {
        name: { type: "string", maxLength: 200 },
        phone: { type: "string", pattern: "^7[0-9]{10}$" },
        email: { type: "string", maxLength: 254 }
      }
    },
    metadata: { type: "object" }
  }
}

const json = "application/json; charset=utf-8"
const server = Fastify()

/** Runs the whole of a create on one connection, in one transaction. */
const together = async <A>(use: (client: pg.PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query({ name: "begin", text: "begin" })
    const result = await use(client)
    await client.query({ name: "commit", text: "commit" })
    return result
  } catch (error) {
    await client.query("rollback")
    throw error
  } finally {
    client.release()
  }
}

type Create = FastifyRequest<{ Body: Body }>

server.post<{ Body: Body }>("/api/v1/invoices", { schema: { body: bodySchema } }, (request, reply) =>
  manner === "apart"
    ? created(request, reply, counting, pool)
    : together((client) => created(request, reply, client, client))
)

// What it returns is sent once everything is committed.
const created = async (request: Create, reply: FastifyReply, counting: Asked, pool: Asked) => {
  const caller = await enter(request, reply, "invoices:write", counting)
  if (caller === undefined) return reply
  const key = request.headers["idempotency-key"]
  const idempotencyKey = typeof key === "string" ? key : null
  const body = request.body
  const facts = {
    organizationId: caller.organization_id,
    metadata: body.metadata === undefined ? null : JSON.stringify(body.metadata),
    idempotencyKey,
    fingerprint: idempotencyKey === null ? null : sha256(JSON.stringify(body))
  }
  const made = newInvoice({ ...body, ...facts }, Date.now())
  const inserted = await one(pool, insertion(made))
  reply.type(json)
  if (inserted !== undefined) {
    reply.code(201)
    return render(made)
  }
  const earlier = await one<InvoiceRow>(pool, replay(caller.organization_id, idempotencyKey ?? ""))
  if (earlier === undefined) throw new Error("an invoice was neither written nor found")
  if (earlier.fingerprint !== made.fingerprint) reply.header("idempotency-mismatch", "true")
  return render(earlier, { idempotentReplay: true })
}

interface Detail extends InvoiceRow {
  readonly events: ReadonlyArray<EventRow> | null
  readonly refunds: ReadonlyArray<RefundRow> | null
}

server.get<{ Params: { id: string } }>("/api/v1/invoices/:id", async (request, reply) => {
  const caller = await enter(request, reply, "invoices:read")
  if (caller === undefined) return reply
  const row = await one<Detail>(pool, reading(request.params.id))
  if (row !== undefined && row.organization_id !== caller.organization_id) {
    return reply.code(403).send({ error: "forbidden", message: "" })
  }
  if (row === undefined || row.mode !== caller.mode) {
    return reply.code(404).send({ error: "invoice_not_found", message: "" })
  }
  const events = (row.events ?? []).map(eventJson)
  const refunds = (row.refunds ?? []).map(refundJson)
  return reply.type(json).send(render(row, { events, refunds }))
})

await server.listen({ port: 0, host: "127.0.0.1" })
const address = server.server.address()
console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
process.once("SIGTERM", async () => {
  await server.close()
  await Promise.all([pool.end(), counting.end()])
})
