/** An open page that one server holds learns of what is committed at another. */
import { describe, expect, it } from "vitest"
import { cluster, send, times } from "./support/cluster.ts"

/** From the answer that says that it is committed to the line that tells the page of it. */
const withinMs = 300

describe("an open page", () => {
  it("is told within 0.3 seconds of a payment that another server has committed", async () => {
    const { servers, merchant } = await cluster()
    const [here, there] = await servers(2)
    const key = await merchant()
    const delays: Array<number> = []
    for (const _ of times(5)) {
      const { id } = (await send(here!, key, "/invoices", { amount: 10 })).body
      const { body } = await fetch(`${there!.url}/pay/${id}/changes`)
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader.read()).value).toContain('"status":"pending"')
      await send(here!, key, `/invoices/${id}/simulate`, { status: "paid" })
      const committedAt = performance.now()
      expect((await reader.read()).value).toContain('"status":"paid"')
      delays.push(performance.now() - committedAt)
    }
    // Of a machine that does other things as well, most.
    expect(delays.filter((delay) => delay < withinMs).length).toBeGreaterThanOrEqual(3)
  })
})
