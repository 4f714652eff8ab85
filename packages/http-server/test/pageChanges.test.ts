/** How open pages learn of changes: one held request each, which costs no view. */
import { defaults } from "@tolem/core/engine/Settings"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

let service: Service
let key: Key
beforeAll(async () => {
  service = await start({ settings: { pagesPerMinute: 205, watching: { ...defaults.watching, ofVisitor: 202 } } })
  key = await service.key()
})
afterAll(() => service.stop())

const create = async () =>
  String((await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 5 } })).body["id"])
const simulate = (id: string, status = "paid") =>
  call(service, "POST", `/api/v1/invoices/${id}/simulate`, { key, body: { status } })

/** Opens the stream of a page; `next` answers what it tells next, undefined at its end. */
const listen = async (id: string, { url }: Pick<Service, "url"> = service) => {
  const answer = await fetch(`${url}/pay/${id}/changes`)
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  const next = async (): Promise<{ status: string; leftMs: number | null; seen: string } | undefined> => {
    for (;;) {
      const [, data] = /^data: (.*)\n\n/m.exec(text) ?? []
      if (data !== undefined) {
        text = text.slice(text.indexOf(data) + data.length + 2)
        return JSON.parse(data)
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  return { answer, next, leave: () => reader.cancel() }
}

describe("an open page", () => {
  it("is told what is so, then what changes, and no more once nothing can", async () => {
    const id = await create()
    const page = await listen(id)
    expect(page.answer.headers.get("content-type")).toBe("text/event-stream")
    expect(page.answer.headers.get("cache-control")).toBe("no-store")
    const first = await page.next()
    expect(first).toMatchObject({ status: "pending", leftMs: expect.toSatisfy((left) => left > 100_000) })
    await simulate(id, "expired")
    expect((await page.next())?.status).toBe("expired")
    await simulate(id)
    expect((await page.next())?.status).toBe("paid")
    expect(await page.next()).toBeUndefined()
  })

  it("without streams asks once, and is answered when there is something to tell", async () => {
    const id = await create()
    const status = async (seen = "") => {
      const answer = await fetch(`${service.url}/pay/${id}/status${seen === "" ? "" : `?seen=${seen}`}`)
      return JSON.parse(await answer.text())
    }
    const { seen } = await status()
    expect((await status("something-else")).status).toBe("pending")
    const waiting = status(seen)
    await simulate(id)
    expect((await waiting).status).toBe("paid")
  })

  it("shows the same to all of 200 customers behind one address, each of whom pays", async () => {
    const ids = await Promise.all(Array.from({ length: 200 }, create))
    const pages = await Promise.all(
      ids.map(async (id) => {
        expect((await fetch(`${service.url}/pay/${id}`)).status).toBe(200)
        return listen(id)
      })
    )
    for (const { next } of pages) expect((await next())?.status).toBe("pending")
    await Promise.all(ids.map((id) => simulate(id)))
    for (const { next } of pages) expect((await next())?.status).toBe("paid")
  })

  it("shares the places of its address, and gives its own back when it is closed", async () => {
    const id = await create()
    const others = await Promise.all(Array.from({ length: 202 }, () => listen(id)))
    await Promise.all(others.map(({ next }) => next()))
    const late = await listen(id)
    expect([late.answer.status, await late.next()]).toEqual([200, undefined])
    const { seen } = JSON.parse(await (await fetch(`${service.url}/pay/${id}/status`)).text())
    const refused = await fetch(`${service.url}/pay/${id}/status?seen=${seen}`)
    expect([refused.status, JSON.parse(await refused.text()).error]).toEqual([429, "too_many_waiting"])
    expect((await fetch(`${service.url}/pay/${id}/changes`, { method: "HEAD" })).status).toBe(200)
    await others[0]?.leave()
    let now: unknown
    while (now === undefined) now = await (await listen(id)).next()
    await Promise.all(others.map(({ leave }) => leave()))
  })

  it("is let go when its server stops", async () => {
    const own = await start()
    const ownKey = await own.key()
    const { body } = await call(own, "POST", "/api/v1/invoices", { key: ownKey, body: { amount: 5 } })
    const page = await listen(String(body["id"]), own)
    await page.next()
    const asked = fetch(`${own.url}/pay/${body["id"]}/status?seen=pending-${Date.parse(String(body["expiresAt"]))}-0`)
    // A server that has answered this has the one before it waiting.
    await call(own, "GET", "/api/v1/account", { key: ownKey })
    await own.stop()
    expect(await page.next()).toBeUndefined()
    expect((await asked).status).toBe(200)
  })

  it("is not told of an invoice that does not exist", async () => {
    const guessed = await fetch(`${service.url}/pay/inv_1/changes`)
    expect([guessed.status, JSON.parse(await guessed.text()).error]).toEqual([404, "invoice_not_found"])
  })
})
