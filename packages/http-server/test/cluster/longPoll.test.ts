/** A request that waits at one server is answered when something is committed at another. */
import { defaults } from "@tolem/core/engine/Settings"
import { describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { times } from "./support/cluster.ts"
import { hinted, hourMs } from "./support/hinted.ts"

type World = Awaited<ReturnType<typeof hinted>>

/** Waits for what follows, for an hour, while it is committed; answers the events that there are then. */
const reader = ({ there, key }: World) => {
  let after = ""
  return async (commit: () => Promise<unknown>, heard = <A>(waiting: Promise<A>) => waiting) => {
    const waiting = call(there, "GET", `/api/v1/events?wait=${hourMs / 1000}&after=${after}`, { key })
    // A server that has answered this has the one before it waiting.
    await call(there, "GET", "/api/v1/account", { key })
    await commit()
    const { body } = await heard(waiting)
    after = String(body["cursor"])
    return body["events"]
  }
}

describe("a request that waits for events", () => {
  it("is answered before its time is over, whatever another server has committed", async () => {
    const world = await hinted({ pollMs: defaults.feed.pollMs })
    const next = reader(world)
    for (const _ of times(5)) {
      let id = ""
      const created = await next(async () => {
        id = await world.create()
      })
      expect(created).toMatchObject([{ type: "invoice.created", invoice: { id } }])
      expect(await next(() => world.pay(id))).toMatchObject([{ type: "invoice.paid", invoice: { id } }])
    }
  })

  it("is answered by the word of a server that has committed a payment, without a look of its own", async () => {
    const world = await hinted()
    const next = reader(world)
    for (const _ of times(5)) {
      const id = await world.create()
      // What is there already is answered at once.
      expect(await next(async () => {})).toMatchObject([{ type: "invoice.created", invoice: { id } }])
      const paid = await next(() => world.pay(id), world.heard)
      expect(paid).toMatchObject([{ type: "invoice.paid", invoice: { id } }])
    }
  })
})
