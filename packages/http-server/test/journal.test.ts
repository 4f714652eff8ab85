/** The journal of an organization over HTTP: who did what, found by person, kind and time, and as a file. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { Engine } from "@tolem/core/engine/Engine"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { as, join, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
let owner: Person
let manager: Person
beforeAll(async () => {
  service = await start()
  owner = await logIn(service, "77096000001")
  manager = await logIn(service, "77096000002")
})
afterAll(() => service.stop())

interface Shown {
  readonly records: ReadonlyArray<{
    readonly id: string
    readonly at: string
    readonly action: string
    readonly kind: string | null
    readonly actor: Readonly<Record<"kind" | "id" | "name" | "origin", string | null>>
    readonly subject: { readonly id: string; readonly name: string | null }
    readonly detail: string | null
  }>
  readonly next: string | null
}

const opened = async () => {
  const organizationId = await organizationOf(service, owner)
  await join(service, organizationId, manager, "manager")
  const panel = (person: Person, method: string, path: string, body?: unknown) =>
    as(service, person, method, `/panel/orgs/${organizationId}${path}`, body)
  const journal = async (query = "") => JSON.parse((await panel(owner, "GET", `/journal${query}`)).text) as Shown
  return { organizationId, panel, journal }
}

it("says who did what to what, in which order, and from where", async () => {
  const { organizationId, panel, journal } = await opened()
  await as(service, manager, "PATCH", "/panel/account", { name: "Aliya" })
  expect((await panel(manager, "PATCH", "/profile", { name: "Tea" })).status).toBe(200)
  const hook = await panel(manager, "POST", "/webhook-endpoints", { url: "https://shop.kz/hook" })
  const { records, next } = await journal()
  expect(next).toBeNull()
  const [endpoint, changed, added] = records
  expect(endpoint).toMatchObject({
    action: "endpoint.created",
    kind: "webhooks",
    actor: { kind: "account", id: manager.accountId, name: "Aliya" },
    subject: { id: hook.body["id"], name: "https://shop.kz/hook" },
    detail: "sandbox"
  })
  expect(endpoint?.actor.origin).toMatch(/127\.0\.0\.1|::1/)
  expect(changed).toMatchObject({ action: "organization.changed", subject: { id: organizationId } })
  expect(added).toMatchObject({ action: "member.added", kind: "members", subject: { name: "Aliya" } })
  const { body } = await panel(owner, "GET", "/journal/actors")
  expect(body["actors"]).toContainEqual({ kind: "account", id: manager.accountId, name: "Aliya" })
})

it("is narrowed down to a person, a key, a kind and a time", async () => {
  const { organizationId, panel, journal } = await opened()
  const key = await service.key({ organizationId })
  const { organizations } = await service.run(Engine)
  const [{ id: keyId } = { id: "" }] = await service.run(organizations.keys(organizationId))
  await panel(manager, "PATCH", "/profile", { name: "Tea" })
  const audits = await service.run(AuditStore)
  const long = 1_600_000_000_000
  const deed = { organizationId, action: "refund.requested", subject: "inv_1" } as const
  const byKey = { kind: "key", id: keyId, origin: "192.0.2.7" } as const
  await service.run(audits.note(auditOf({ ...deed, actor: byKey, createdAt: long })))
  const ofKey = await journal(`?actor=${keyId}`)
  expect(ofKey.records).toMatchObject([
    { action: "refund.requested", actor: { kind: "key", origin: "192.0.2.7" }, at: "2020-09-13T12:26:40.000Z" }
  ])
  expect(ofKey.records[0]?.actor.name).toContain(key.apiKey.slice(-4))
  const actions = async (query: string) => (await journal(query)).records.map(({ action }) => action)
  expect(await actions(`?actor=${manager.accountId}`)).toEqual(["organization.changed"])
  expect(await actions("?kind=refunds")).toEqual(["refund.requested"])
  expect(await actions("?from=2020-09-13&to=2020-09-13")).toEqual(["refund.requested"])
  expect(await actions("?to=2020-09-12")).toEqual([])
  expect(await actions(`?kind=members&actor=${manager.accountId}`)).toEqual([])
  expect(await actions("?kind=none")).toEqual([])
  expect(await actions("?actor=a&actor=b")).toEqual([])
  expect(outcomeOf(await panel(owner, "GET", "/journal?from=soon"))).toBe("422 invalid_from")
  expect(outcomeOf(await panel(owner, "GET", "/journal?after=soon"))).toBe("422 invalid_after")
  expect(outcomeOf(await panel(manager, "GET", "/journal"))).toBe("403 insufficient_role")
})

it("hides who runs the platform, and is read page by page and taken along whole", async () => {
  const { organizationId, panel, journal } = await opened()
  const audits = await service.run(AuditStore)
  const many = Array.from({ length: 120 }, (_, index) =>
    auditOf({ organizationId, subject: organizationId, createdAt: 1_600_000_000_000 + Math.floor(index / 3) })
  )
  await service.run(Effect.forEach(many, audits.note, { discard: true }))
  const pages: Array<Shown> = []
  for (let after: string | null = ""; after !== null; after = pages.at(-1)?.next ?? null) {
    pages.push(await journal(`?kind=tariff${after === "" ? "" : `&after=${after}`}`))
  }
  const found = pages.flatMap(({ records }) => records)
  expect(pages.map(({ records }) => records.length)).toEqual([50, 50, 20])
  expect(new Set(found.map(({ id }) => id)).size).toBe(120)
  expect(found.map(({ at }) => at)).toEqual(
    found
      .map(({ at }) => at)
      .toSorted()
      .toReversed()
  )
  expect(found[0]?.actor).toEqual({ kind: "operator", id: null, name: null, origin: null })
  const { text, headers } = await panel(owner, "GET", "/journal.csv?kind=tariff&lang=en")
  expect(headers.get("content-disposition")).toContain(`tolem-${organizationId}-journal.csv`)
  const lines = text.trim().split("\r\n")
  expect(lines[0]).toBe("At (Almaty),Kind of actor,Who,Actor id,From,Section,Action,Subject id,Subject,Detail")
  expect(lines).toHaveLength(121)
  expect(lines[1]).toBe(`2020-09-13 18:26:40,operator,,,,tariff,tariff.granted,${organizationId},,`)
  expect(
    (await journal("?kind=exports")).records.map(({ action, detail }) => [action, JSON.parse(detail ?? "")])
  ).toEqual([
    ["invoices.export_ended", expect.objectContaining({ rows: 120, isWhole: true })],
    ["invoices.exported", { table: "journal", mode: "sandbox", kind: "tariff", lang: "en" }]
  ])
  expect(outcomeOf(await panel(manager, "GET", "/journal.csv"))).toBe("403 insufficient_role")
})
