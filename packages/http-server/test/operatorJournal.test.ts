/** The journal in the console: who did what over all organizations, without anything of their customers. */
import type { AuditRecord } from "@tolem/core/audit/Audit"
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { Engine } from "@tolem/core/engine/Engine"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { as, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
let operator: Person
let owner: Person
beforeAll(async () => {
  service = await start()
  operator = await logIn(service, "77096200011")
  owner = await logIn(service, "77096200012")
  const { operators } = await service.run(Engine)
  await service.run(operators.grant(operator.phone))
  await as(service, operator, "PATCH", "/panel/account", { name: "Dana" })
  await as(service, owner, "PATCH", "/panel/account", { name: "Aliya" })
})
afterAll(() => service.stop())

interface Named {
  readonly id: string
  readonly name: string | null
}

interface Shown {
  readonly records: ReadonlyArray<{
    readonly id: string
    readonly at: string
    readonly action: string
    readonly kind: string | null
    readonly organization: Named | null
    readonly actor: Readonly<Record<"kind" | "id" | "name" | "origin", string | null>>
    readonly subject: Named
    readonly detail: string | null
  }>
  readonly next: string | null
}

const read = (query = "", person: Pick<Person, "token"> = operator) =>
  as(service, person, "GET", `/panel/operator/journal${query}`)
const journal = async (query = "") => JSON.parse((await read(query)).text) as Shown
const note = async (...records: ReadonlyArray<AuditRecord>) => {
  const audits = await service.run(AuditStore)
  await service.run(Effect.forEach(records, audits.note, { discard: true }))
}

it("is an operator's alone, also with what an owner may read in their own", async () => {
  const organizationId = await organizationOf(service, owner)
  for (const query of ["", `?organization=${organizationId}`, `?actor=${owner.accountId}`]) {
    expect(outcomeOf(await read(query, owner))).toBe("403 forbidden")
    expect(outcomeOf(await read(query, { token: "x" }))).toBe("401 unauthorized")
    expect(outcomeOf(await read(query))).toBe("200")
  }
})

it("names people, operators and organizations, and tells of what is of no organization", async () => {
  const organizationId = await organizationOf(service, owner)
  await as(service, owner, "PATCH", `/panel/orgs/${organizationId}/profile`, { name: "Tea" })
  await as(service, operator, "POST", `/panel/operator/organizations/${organizationId}/archive`)
  const { records, next } = await journal(`?organization=${organizationId}`)
  expect(next).toBeNull()
  const shop = { id: organizationId, name: "Tea" }
  expect(records).toMatchObject([
    {
      action: "organization.archived",
      kind: "organization",
      organization: shop,
      actor: { kind: "operator", id: operator.accountId, name: "Dana" },
      subject: shop
    },
    { action: "organization.changed", actor: { kind: "account", id: owner.accountId, name: "Aliya" }, detail: "name" },
    { action: "organization.opened", actor: { kind: "application", id: null, name: null, origin: null } }
  ])
  expect(records[0]?.actor.origin).toMatch(/127\.0\.0\.1|::1/)
  const [renamed] = (await journal(`?actor=${owner.accountId}&kind=accounts`)).records
  expect(renamed).toMatchObject({
    action: "account.renamed",
    kind: "accounts",
    organization: null,
    subject: { id: owner.accountId, name: "Aliya" }
  })
})

it("is narrowed down to an organization, an actor, a kind of any deed, and a time", async () => {
  const [shop, other] = [await organizationOf(service, owner), await organizationOf(service, owner)]
  const createdAt = 1_600_000_000_000
  const person = { kind: "account", id: "acc_77", origin: "192.0.2.7" } as const
  const root = { kind: "operator", id: "root", origin: "box" } as const
  const deed = (part: Parameters<typeof auditOf>[0]) => auditOf({ createdAt, ...part })
  await note(
    deed({ organizationId: shop, action: "refund.requested", subject: "inv_1", actor: person }),
    deed({ organizationId: other, action: "key.deleted", subject: "key_1", actor: person }),
    deed({ organizationId: null, action: "operator.granted", subject: "acc_78", actor: root }),
    deed({ organizationId: null, action: "login.failed", subject: "chl_1", actor: { ...person, id: null } }),
    deed({ organizationId: null, action: "earning.paid_out", subject: "pay_1", actor: root }),
    deed({ organizationId: null, action: "sealing.begun", subject: "invoices", actor: root })
  )
  const actions = async (query: string) => (await journal(query)).records.map(({ action }) => action)
  const day = "from=2020-09-13&to=2020-09-13"
  expect(await actions(`?${day}`)).toEqual([
    "sealing.begun",
    "earning.paid_out",
    "login.failed",
    "operator.granted",
    "key.deleted",
    "refund.requested"
  ])
  expect(await actions(`?${day}&organization=${shop}`)).toEqual(["refund.requested"])
  expect(await actions("?actor=acc_77")).toEqual(["key.deleted", "refund.requested"])
  expect(await actions("?actor=acc_77&kind=keys")).toEqual(["key.deleted"])
  expect(await actions(`?actor=acc_77&kind=keys&organization=${shop}`)).toEqual([])
  expect(await actions(`?${day}&kind=refunds`)).toEqual(["refund.requested"])
  expect(await actions(`?${day}&kind=operators`)).toEqual(["operator.granted"])
  expect(await actions(`?${day}&kind=sessions`)).toEqual(["login.failed"])
  expect(await actions(`?${day}&kind=payouts`)).toEqual(["earning.paid_out"])
  expect(await actions(`?${day}&kind=sealing&actor=root`)).toEqual(["sealing.begun"])
  expect(await actions("?to=2020-09-12")).toEqual([])
  for (const nothing of ["kind=none", "kind=constructor", "organization=org_none", "actor=%00", "organization=%00"])
    expect([nothing, await actions(`?${nothing}`)]).toEqual([nothing, []])
  for (const twice of ["actor=a&actor=b", "organization=a&organization=b", "kind=keys&kind=keys"])
    expect([twice, await actions(`?${twice}`)]).toEqual([twice, []])
  expect(outcomeOf(await read("?from=soon"))).toBe("422 invalid_from")
  expect(outcomeOf(await read("?to=2020-13-01"))).toBe("422 invalid_to")
  expect(outcomeOf(await read("?after=soon"))).toBe("422 invalid_after")
  expect(outcomeOf(await read("?after=1.org_x"))).toBe("422 invalid_after")
})

it("asks owners for no kind that is of no organization", async () => {
  const shop = await organizationOf(service, owner)
  await note(auditOf({ organizationId: shop, action: "account.email_noted", subject: owner.accountId }))
  const own = await as(service, owner, "GET", `/panel/orgs/${shop}/journal?kind=accounts`)
  expect(own.body).toEqual({ records: [], next: null })
  expect((await journal(`?organization=${shop}&kind=accounts`)).records).toHaveLength(1)
})

it("is read page by page, each record once", async () => {
  const [shop, other] = [await organizationOf(service, owner), await organizationOf(service, owner)]
  const many = Array.from({ length: 120 }, (_, index) =>
    auditOf({
      organizationId: [shop, other, null][index % 3] ?? null,
      action: "session.confirmed",
      createdAt: 1_500_000_000_000 + Math.floor(index / 7)
    })
  )
  await note(...many)
  const pages: Array<Shown> = []
  for (let after: string | null = ""; after !== null; after = pages.at(-1)?.next ?? null) {
    pages.push(await journal(`?kind=sessions&to=2017-07-15${after === "" ? "" : `&after=${after}`}`))
  }
  const found = pages.flatMap(({ records }) => records)
  expect(pages.map(({ records }) => records.length)).toEqual([50, 50, 20])
  expect(new Set(found.map(({ id }) => id)).size).toBe(120)
  const times = found.map(({ at }) => at)
  expect(times).toEqual(times.toSorted().toReversed())
})

it("shows nothing of customers, whatever members, programs and operators have written of them", async () => {
  const shop = await organizationOf(service, owner)
  const key = await service.key({ organizationId: shop })
  const customer = { phone: "77770001122", email: "aigul@mail.kz", name: "Aigul" }
  const made = await call(service, "POST", "/api/v1/invoices", {
    key,
    body: { amount: 1500, description: "Tea of Aigul", customer: { phone: customer.phone, email: customer.email } }
  })
  const invoiceId = String(made.body["id"])
  const reason = `The customer +7 777 000 11 22 (${customer.email}) paid twice on 2026-01-05`
  const look = { invoiceId, reason }
  expect(outcomeOf(await as(service, operator, "POST", "/panel/operator/looks", look))).toBe("200")
  const panel = `/panel/orgs/${shop}`
  await as(service, owner, "GET", `${panel}/invoices.csv?search=${customer.phone}&who=${customer.phone}`)
  const of = (action: AuditRecord["action"], detail: string) =>
    auditOf({ organizationId: shop, action, subject: invoiceId, detail })
  await note(
    of("refund.resolved", JSON.stringify({ refundId: "ref_1", made: true, reference: "QR 17", note: "to Aigul" })),
    of("work_item.accepted", JSON.stringify({ kind: "amount", day: "2026-01-05", note: "Aigul paid in cash" })),
    of("letter.resent", customer.email),
    of("organization.changed", `name ${customer.phone}`),
    of("tariff.ordered", JSON.stringify({ tariff: "business", months: 3, amount: 4500, for: customer.name })),
    of("refund.requested", "{ not JSON of Aigul")
  )
  const { text } = await read(`?organization=${shop}`)
  expect(text).not.toMatch(/Aigul|aigul|7777000|777 000|11 22|QR 17/)
  const { records } = JSON.parse(text) as Shown
  const details = records.map(({ action, detail }) => [action, detail])
  expect(details).toContainEqual(["refund.resolved", JSON.stringify({ refundId: "ref_1", made: true })])
  expect(details).toContainEqual(["work_item.accepted", JSON.stringify({ kind: "amount", day: "2026-01-05" })])
  expect(details).toContainEqual(["letter.resent", null])
  expect(details).toContainEqual(["organization.changed", null])
  expect(details).toContainEqual(["refund.requested", null])
  const ordered = { tariff: "business", months: 3, amount: 4500 }
  expect(details).toContainEqual(["tariff.ordered", JSON.stringify(ordered)])
  const looked = { reason: "The customer +… … paid twice on 2026-01-05" }
  expect(details).toContainEqual(["invoice.looked_at", JSON.stringify(looked)])
  expect(records.find(({ action }) => action === "invoices.exported")?.detail).toBe(JSON.stringify({ mode: "sandbox" }))
  // The merchant's own journal has all of it.
  expect((await as(service, owner, "GET", `${panel}/journal`)).text).toContain("Aigul paid in cash")
})

it("tells what referrers were paid in tenge, as everywhere", async () => {
  const detail = JSON.stringify({ accountId: owner.accountId, amount: 125_050 })
  await note(auditOf({ action: "earning.paid_out", organizationId: null, subject: "pay_tenge", detail }))
  const { records } = await journal("?kind=payouts")
  const told = records.find(({ subject }) => subject.id === "pay_tenge")
  expect(JSON.parse(told?.detail ?? "")).toEqual({ accountId: owner.accountId, amount: 1250.5 })
})
