/** A request that waits at one server is answered when something is committed at another. */
import { describe, expect, it } from "vitest"
import { cluster, send, times } from "./support/cluster.ts"

/** What a merchant may rely on, from the answer that says that it is committed to the one that tells of it. */
const withinMs = 300

describe("a request that waits for events", () => {
  it("is answered within 0.3 seconds of a commit at another server, whatever it is", async () => {
    const { servers, merchant, command } = await cluster()
    const [here, there] = await servers(2)
    const key = await merchant()
    const delays: Array<number> = []
    let after = ""
    const next = async (commit: () => Promise<unknown>) => {
      let committedAt = Number.POSITIVE_INFINITY
      const waiting = send(there!, key, `/events?wait=20&after=${after}`)
      // A server that has answered this has the one before it waiting.
      await send(there!, key, "/account")
      const done = commit().then(() => {
        committedAt = performance.now()
      })
      const { body } = await waiting
      await done
      delays.push(Math.max(0, performance.now() - committedAt))
      after = body.cursor
      return body.events
    }
    for (const _ of times(5)) {
      let id = ""
      const create = async () => {
        id = (await send(here!, key, "/invoices", { amount: 10 })).body.id
      }
      const [created] = await next(create)
      expect([created.type, created.invoice.id]).toEqual(["invoice.created", id])
      const [paid] = await next(() => send(here!, key, `/invoices/${id}/simulate`, { status: "paid" }))
      expect([paid.type, paid.invoice.id]).toEqual(["invoice.paid", id])
    }
    // Of a machine that does other things as well, most.
    expect(delays.filter((delay) => delay < withinMs).length).toBeGreaterThanOrEqual(8)
    expect((await command("verify")).ok).toBe(true)
  })
})
