/**
 * Two servers on one PostgreSQL that look for payments by themselves once in an hour only: what one of them learns of
 * the other's, the other has said.
 */
import { defaults } from "@tolem/core/engine/Settings"
import { expect, onTestFinished } from "vitest"
import { call, type Json } from "../../support/calls.ts"
import { type Key, start } from "../../support/service.ts"

/** Longer than any test may take. */
export const hourMs = 3_600_000

/** The servers, with a merchant's key. They are stopped after the test. */
export const hinted = async (feed: Partial<typeof defaults.feed> = {}) => {
  const watching = { ...defaults.watching, pollMs: hourMs }
  const settings = { watching, feed: { ...defaults.feed, pollMs: hourMs, maxWaitMs: hourMs, ...feed } }
  const here = await start({ on: "postgres", settings })
  onTestFinished(() => here.stop())
  const there = await start({ beside: here, settings })
  onTestFinished(() => there.stop())
  const [key, other] = [await here.key(), await here.key()]
  const post = async (path: string, body: object, by: Key): Promise<Json> => {
    const answer = await call(here, "POST", `/api/v1${path}`, { key: by, body })
    expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)])
    return answer.body
  }
  const create = async (by = key) => String((await post("/invoices", { amount: 10 }, by))["id"])
  const pay = (id: string, by = key) => post(`/invoices/${id}/simulate`, { status: "paid" }, by)
  return {
    there,
    key,
    create: () => create(),
    pay: (id: string) => pay(id),
    /** What is waited for. A hint is lost to one who is just looking; but each payment is a new one: others go on. */
    heard: async <A>(waiting: Promise<A>): Promise<A> => {
      let isHeard = false
      const noted = waiting.finally(() => {
        isHeard = true
      })
      const another = async () => pay(await create(other), other)
      while (!isHeard) await Promise.race([noted, another()])
      return noted
    }
  }
}
