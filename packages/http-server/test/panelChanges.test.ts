/** How the cabinet hears of changes: one stream of events for each window. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { as, join, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
let owner: Person
beforeAll(async () => {
  service = await start({ settings: { feed: { ...defaults.feed, streamsOfSession: 3 } } })
  owner = await logIn(service, "77081000001")
})
afterAll(() => service.stop())

interface Told {
  readonly type: string
  readonly id: string | null
  readonly event: string | null
}

/** Opens a stream; `next` answers what it tells next, undefined at its end, and `lastId` where it stands. */
const listen = async (
  organizationId: string,
  person: Person,
  { after = "", mode = "sandbox", cookie = false } = {}
) => {
  const answer = await fetch(`${service.url}/panel/orgs/${organizationId}/changes?mode=${mode}`, {
    headers: {
      ...(cookie ? { cookie: `tolem_session=${person.token}` } : { authorization: `Bearer ${person.token}` }),
      ...(after !== "" && { "last-event-id": after })
    }
  })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let [text, lastId] = ["", ""]
  const block = async (): Promise<string | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n")
      if (end >= 0) {
        const found = text.slice(0, end)
        text = text.slice(end + 2)
        return found
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  const next = async (): Promise<Told | undefined> => {
    for (;;) {
      const found = await block()
      if (found === undefined) return undefined
      lastId = /^id: (.+)$/m.exec(found)?.[1] ?? lastId
      const [, data] = /^data: (.*)$/m.exec(found) ?? []
      if (data !== undefined) return JSON.parse(data)
    }
  }
  /** Until it is open; its first lines say where it begins. */
  const opened = async () => {
    const found = await block()
    lastId = /^id: (.+)$/m.exec(found ?? "")?.[1] ?? ""
  }
  return { answer, next, opened, lastId: () => lastId, leave: () => reader.cancel() }
}

const create = async (organizationId: string, person = owner) =>
  (await as(service, person, "POST", `/panel/orgs/${organizationId}/invoices?mode=sandbox`, { amount: 5 })).body["id"]

describe("a window of the cabinet", () => {
  it("is told what its member sees, in order, by the one request that is held for it", async () => {
    const id = await organizationOf(service, owner)
    const window = await listen(id, owner, { cookie: true })
    expect(window.answer.headers.get("content-type")).toBe("text/event-stream")
    expect(window.answer.headers.get("cache-control")).toBe("no-store")
    expect(window.answer.headers.get("content-encoding")).toBeNull()
    await window.opened()
    const invoice = await create(id)
    expect(await window.next()).toEqual({ type: "invoice", id: invoice, event: "invoice.created" })
    const path = `/panel/orgs/${id}/invoices/${invoice}`
    await as(service, owner, "POST", `${path}/simulate?mode=sandbox`, { status: "paid" })
    const events: Array<string> = []
    while (events.at(-1) !== "invoice invoice.paid") {
      const told = await window.next()
      if (told === undefined) throw new Error(`ended after ${events}`)
      events.push(`${told?.type} ${told?.event}`)
    }
    await as(service, owner, "POST", `${path}/refund?mode=sandbox`, { amount: 5 })
    expect(await window.next()).toEqual({ type: "refund", id: invoice, event: "invoice.refunded" })
    const connection = await as(service, owner, "POST", `/panel/orgs/${id}/connections`, { name: "Till" })
    expect(await window.next()).toEqual({ type: "connection", id: connection.body["id"], event: null })
    const made = { url: "http://localhost:9/" }
    const endpoint = await as(service, owner, "POST", `/panel/orgs/${id}/webhook-endpoints?mode=sandbox`, made)
    expect(await window.next()).toEqual({ type: "endpoint", id: endpoint.body["id"], event: null })
    await as(service, owner, "DELETE", `/panel/orgs/${id}/webhook-endpoints/${endpoint.body["id"]}?mode=sandbox`)
    expect(await window.next()).toMatchObject({ type: "endpoint", id: endpoint.body["id"] })
    await window.leave()
  })

  it("goes on where it ended, and tells nothing of other organizations and modes", async () => {
    const [id, other] = [await organizationOf(service, owner), await organizationOf(service, owner)]
    const first = await listen(id, owner)
    await first.opened()
    const one = await create(id)
    expect((await first.next())?.id).toBe(one)
    await first.leave()
    await create(other)
    const two = await create(id)
    const again = await listen(id, owner, { after: first.lastId() })
    expect(await again.next()).toEqual({ type: "invoice", id: two, event: "invoice.created" })
    const rest = [await again.next(), await again.next()]
    expect(rest).toEqual([
      { type: "connection", id: null, event: null },
      { type: "endpoint", id: null, event: null }
    ])
    const live = await listen(id, owner, { mode: "live", after: "nonsense" })
    await live.opened()
    await create(id)
    expect((await again.next())?.event).toBe("invoice.created")
    const connection = await as(service, owner, "POST", `/panel/orgs/${id}/connections`, { name: "Till" })
    expect(await live.next()).toMatchObject({ type: "connection", id: connection.body["id"] })
    await Promise.all([again.leave(), live.leave()])
  })

  it("of a cashier is told of the cashiers given to them alone", async () => {
    const id = await organizationOf(service, owner)
    const cashier = await logIn(service, "77081000002")
    await join(service, id, cashier, "cashier")
    const { connections } = await service.run(Engine)
    const [own, foreign] = [
      await service.run(connections.create(id, { name: "Own" })),
      await service.run(connections.create(id, { name: "Foreign" }))
    ]
    const terms = { connectionIds: [own.id] }
    await as(service, owner, "PATCH", `/panel/orgs/${id}/members/${cashier.accountId}`, terms)
    const window = await listen(id, cashier, { mode: "live" })
    await window.opened()
    const disable = (connectionId: string) =>
      as(service, owner, "PATCH", `/panel/orgs/${id}/connections/${connectionId}`, { disabled: true })
    await disable(foreign.id)
    await disable(own.id)
    expect(await window.next()).toEqual({ type: "connection", id: own.id, event: null })
    await window.leave()
  })

  it("ends when its session does, or its member becomes another one", async () => {
    const id = await organizationOf(service, owner)
    const member = await logIn(service, "77081000003")
    await join(service, id, member, "manager")
    const window = await listen(id, member)
    await window.opened()
    const path = `/panel/orgs/${id}/members/${member.accountId}`
    expect(outcomeOf(await as(service, owner, "PATCH", path, { role: "accountant" }))).toBe("200")
    expect(await window.next()).toBeUndefined()
    const next = await listen(id, member)
    await next.opened()
    await call(service, "POST", "/panel/logout", { headers: { authorization: `Bearer ${member.token}` } })
    expect(await next.next()).toBeUndefined()
    expect((await listen(id, member)).answer.status).toBe(401)
  })

  it("has a bound for each session, and gives its place back", async () => {
    const id = await organizationOf(service, owner)
    const windows = [await listen(id, owner), await listen(id, owner), await listen(id, owner)]
    for (const { opened } of windows) await opened()
    expect((await listen(id, owner)).answer.status).toBe(429)
    await windows[0]?.leave()
    await expect
      .poll(async () => {
        const { answer, leave } = await listen(id, owner)
        await leave()
        return answer.status
      })
      .toBe(200)
    await Promise.all(windows.map(({ leave }) => leave()))
  })
})
