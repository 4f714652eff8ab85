/** The platform as a whole, as those who run it see it in the console, and as all others do not. */
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { Engine } from "@tolem/core/engine/Engine"
import type { Health } from "@tolem/core/platform/PlatformHealth"
import { ServerStore } from "@tolem/core/platform/ServerStore"
import { freshId } from "@tolem/testing/fixtures"
import { connectionOf } from "@tolem/testing/storage/ConnectionCases"
import { agentOf, serverOf } from "@tolem/testing/storage/PlatformCases"
import { Clock } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { as, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
let operator: Person
let owner: Person
beforeAll(async () => {
  service = await start()
  operator = await logIn(service, "77096000011")
  owner = await logIn(service, "77096000012")
  const { operators } = await service.run(Engine)
  await service.run(operators.grant(operator.phone))
})
afterAll(() => service.stop())

const read = (path: string, person: Pick<Person, "token"> = operator) => as(service, person, "GET", path)

const paths = ["/panel/operator/health", "/panel/operator/work", "/panel/operator/work/refund_unknown"]

it("is shown to none who does not run it, nor after they have ceased to", async () => {
  for (const path of paths) {
    expect([path, outcomeOf(await read(path, owner))]).toEqual([path, "403 forbidden"])
    expect([path, outcomeOf(await read(path, { token: "x" }))]).toEqual([path, "401 unauthorized"])
    expect([path, outcomeOf(await read(path))]).toEqual([path, "200"])
  }
  const former = await logIn(service, "77096000013")
  const { operators } = await service.run(Engine)
  await service.run(operators.grant(former.phone))
  expect(outcomeOf(await read(paths[0]!, former))).toBe("200")
  await service.run(operators.end(former.phone))
  for (const path of paths) expect(outcomeOf(await read(path, former))).toBe("403 forbidden")
})

it("shows servers that run, are silent and have ended, the agents of those that run, and what waits", async () => {
  const now = await service.run(Clock.currentTimeMillis)
  const failing = agentOf({ agent: "MailDispatcher", succeededAt: now - 1000, failedAt: now, failedInRow: 3 })
  const servers = [
    serverOf({ id: "srv_ended", seenAt: now, endedAt: now }),
    serverOf({ id: "srv_silent", seenAt: now - 3_600_000, agents: [agentOf({ agent: "Nothing" })] }),
    serverOf({ id: "srv_running", seenAt: now, agents: [failing] })
  ]
  const store = await service.run(ServerStore)
  for (const server of servers) await service.run(store.tell(server))
  const { body, text } = await read("/panel/operator/health")
  const shown: Pick<Health, "servers"> = JSON.parse(text)
  const states = shown.servers.map(({ id, state }) => `${id} ${state}`)
  expect(states).toEqual(["srv_running running", "srv_silent silent", "srv_ended ended"])
  expect(body["agents"]).toMatchObject([{ agent: "MailDispatcher", state: "failing", servers: 1, failedInRow: 3 }])
  expect(body["waiting"]).toMatchObject([{ kind: "invoices", agent: "InvoiceWatcher" }, {}, {}, {}, {}, {}])
})

it("shows what needs a person over all organizations, in pages, and nothing of customers or cashiers", async () => {
  const organizationId = await organizationOf(service, owner)
  const other = await organizationOf(service, owner)
  const store = await service.run(ConnectionStore)
  const lost = [organizationId, other].map((id, index) =>
    connectionOf({ id: freshId("con"), organizationId: id, name: "Aliya", status: "expired", createdAt: index + 1 })
  )
  for (const connection of lost) await service.run(store.add(connection))
  const { body: counts } = await read("/panel/operator/work")
  expect(counts["kinds"]).toContainEqual(
    expect.objectContaining({ kind: "cashier_session_lost", count: 2, more: false })
  )
  const first = await read("/panel/operator/work/cashier_session_lost?limit=1")
  expect(first.body["items"]).toMatchObject([
    { organization: { id: organizationId, name: "Shop" }, connectionId: lost[0]?.id }
  ])
  expect(first.text).not.toMatch(/Aliya|7700/)
  const second = await read(`/panel/operator/work/cashier_session_lost?limit=1&after=${first.body["next"]}`)
  expect(second.body).toMatchObject({ items: [{ organization: { id: other } }], next: null })
})

it("refuses kinds, places and limits that are none", async () => {
  const outcome = async (path: string) => outcomeOf(await read(`/panel/operator/work/${path}`))
  expect(await outcome("x")).toBe("404 work_kind_not_found")
  expect(await outcome("constructor")).toBe("404 work_kind_not_found")
  expect(await outcome("letter_failed?after=x")).toBe("422 invalid_after")
  expect(await outcome("letter_failed?after=1.a&after=2.b")).toBe("422 invalid_after")
  expect(await outcome("letter_failed?limit=x")).toBe("422 invalid_limit")
})
