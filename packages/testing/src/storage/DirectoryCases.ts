/** Promises of `DirectoryStore` and `PartnerStore`, and of what `MerchantStore` keeps of people. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { type Account, noTerms, type Organization } from "@tolem/core/merchant/Merchant"
import { MerchantStore, type OrganizationExtras } from "@tolem/core/merchant/MerchantStore"
import { PartnerStore } from "@tolem/core/partner/PartnerStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option, Redacted } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf, apiKeyOf, changeOf, creationOf, freshId, organizationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

/** An organization that is stored, and its owner. */
export const opened = Effect.fnUntraced(function* (
  owner: Account = accountOf(),
  members: Partial<Organization> = {},
  opening: OrganizationExtras = {}
) {
  return yield* MerchantStore.use((store) => store.addOrganization(organizationOf(owner, members), owner, opening))
})

/** What every storage must do, of “people”. */
export const casesOfPeople = storageSubject("people", {
  *"are members: the owner, and developers from the beginning"() {
    const { owner: developer } = yield* opened()
    const owner = accountOf()
    const key = apiKeyOf("org_new")
    const developers = [developer.id, owner.id, developer.id]
    const { organization } = yield* opened(owner, { id: "org_new" }, { developers, key, audits: [auditOf()] })
    const store = yield* DirectoryStore
    const members = yield* store.members(organization.id)
    expectEqual(
      new Set(members.map(({ account, role }) => `${account.id} ${role}`)),
      new Set([`${owner.id} owner`, `${developer.id} developer`]),
      "each once"
    )
    const parts = yield* store.parts(developer.id)
    expectEqual(
      parts.map(({ role }) => role),
      ["owner", "developer"],
      "each sees what they are a member of"
    )
    expectEqual((yield* MerchantStore.use((merchants) => merchants.keys("org_new"))).length, 1, "the key is there")
  },

  *"become members, get other roles, and leave; the owner stays"() {
    const store = yield* DirectoryStore
    const { organization, owner } = yield* opened()
    const { owner: other } = yield* opened()
    const membership = {
      organizationId: organization.id,
      accountId: other.id,
      role: "developer",
      createdAt: startAt
    } as const
    expectEqual(yield* store.setMember(membership, auditOf()), true, "they become one")
    expectEqual(yield* store.setMember({ ...membership, role: "manager" }, auditOf()), true, "with another role")
    expectEqual(
      yield* store.setMember({ ...membership, accountId: owner.id }, auditOf()),
      false,
      "the owner keeps theirs"
    )
    expectEqual(
      (yield* store.members(organization.id)).map(({ role }) => role),
      ["owner", "manager"],
      "as they are"
    )
    const terms = { role: "cashier", connectionIds: ["con_1", "con_2"], refundLimit: Tiyn(2_000_050) } as const
    const change = (accountId: string, role: "manager" | "owner" = "manager") =>
      store.changeMember({ organizationId: organization.id, accountId, ...terms }, { role, ...noTerms }, auditOf())
    expectEqual(yield* change(other.id), true, "with what they are given")
    expectEqual(yield* change(owner.id, "owner"), false, "the owner is given nothing")
    expectEqual(yield* change(other.id), false, "nothing is done to who has changed since they were read")
    expectEqual((yield* store.members(organization.id))[1], { account: other, ...terms }, "as it was given")
    const part = (yield* store.parts(other.id)).find((one) => one.organization.id === organization.id)
    expectEqual(part, { organization, ...terms }, "and told to them")
    expectEqual(yield* store.removeMember(organization.id, owner.id, auditOf()), false, "the owner cannot leave")
    expectEqual(yield* store.removeMember(organization.id, other.id, auditOf()), true, "the other can")
    expectEqual(yield* store.removeMember(organization.id, other.id, auditOf()), false, "once")
    const audited = yield* AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 9 }))
    expectEqual(audited.length, 4, "what was done is in the log, what was not is not")
  },

  *"have an address if one is noted, until it is taken away"() {
    const store = yield* DirectoryStore
    const { organization, owner } = yield* opened()
    const addresses = Effect.map(store.members(organization.id), (members) =>
      members.map(({ account }) => account.email)
    )
    expectEqual(yield* addresses, [null], "none at first")
    yield* store.setEmail(owner.id, "a@b.kz", auditOf())
    expectEqual(yield* addresses, ["a@b.kz"], "the one that was noted")
    expectEqual(yield* store.account({ id: owner.id }), Option.some({ ...owner, email: "a@b.kz" }), "and nothing else")
    expectEqual((yield* store.addAccount(owner)).email, "a@b.kz", "also for who comes again")
    yield* store.setEmail("acc_none", "a@b.kz", auditOf())
    yield* store.setEmail(owner.id, null, auditOf())
    expectEqual(yield* addresses, [null], "none again")
    const audited = yield* AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 9 }))
    expectEqual(audited.length, 2, "what was done is in the log, what was not is not")
  },

  *"are found by what they are called"() {
    const store = yield* DirectoryStore
    const owner = accountOf({ name: "Zarina", phone: "77770001122" })
    const { organization } = yield* opened(owner, { name: "Zarina Bakery" })
    yield* opened()
    const page = { limit: 10, offset: 0 }
    const all = yield* store.accounts({ ...page, search: null })
    expectEqual([all.total, all.accounts.length], [2, 2], "all of them")
    const { organization: bakery } = yield* opened(accountOf(), { name: "Нан Дүкені" })
    const written = yield* store.organizations({ ...page, search: "Дүкен" })
    expectEqual(written.organizations, [{ organization: bakery, ownerStatus: "active" }], "as it is written")
    const found = yield* store.accounts({ ...page, search: "777000" })
    expectEqual(found, { total: 1, accounts: [owner] }, "by phone")
    expectEqual(yield* store.addAccount(accountOf({ phone: owner.phone })), owner, "a known phone is its account's")
    const fresh = accountOf()
    expectEqual(yield* store.addAccount(fresh), fresh, "a new one gets its own")
    expectEqual(yield* store.account({ id: fresh.id }), Option.some(fresh), "which is kept")
    const organizations = yield* store.organizations({ ...page, search: "zarina" })
    expectEqual(organizations, { total: 1, organizations: [{ organization, ownerStatus: "active" }] }, "by name")
    expectEqual((yield* store.organizations({ limit: 1, offset: 1, search: null })).organizations.length, 1, "in pages")
    expectEqual(yield* store.account({ id: owner.id }), Option.some(owner), "by id")
    expectEqual(yield* store.account({ phone: owner.phone }), Option.some(owner), "by phone")
    expectEqual(yield* store.account({ phone: "70000000000" }), Option.none(), "nobody")
  }
})

/** What every storage must do, of “partners”. */
export const casesOfPartners = storageSubject("partners", {
  *"open one organization for one key, also when it is sent many times at once"() {
    const open = (partnerId: OrganizationId, idempotencyKey: string | null) =>
      opened(accountOf(), { partnerId }, { idempotencyKey })
    const answers = yield* Effect.forEach(
      Array.from({ length: 6 }, () => "key"),
      (key) => open("org_p", key),
      { concurrency: "unbounded" }
    )
    expectEqual(answers.filter(({ replayed }) => !replayed).length, 1, "one is new")
    expectEqual(
      new Set(answers.map(({ organization, owner }) => organization.id + owner.id)).size,
      1,
      "all are told of it"
    )
    expectEqual((yield* open("org_q", "key")).replayed, false, "another partner has keys of its own")
    yield* open("org_p", null)
    yield* open("org_p", null)
    const store = yield* PartnerStore
    const { total } = yield* store.clients("org_p", "2026-01", { limit: 9, offset: 0 })
    expectEqual(total, 3, "without a key each is new")
  },

  *"see the organizations that they have opened, newest first, and no others"() {
    const store = yield* PartnerStore
    const older = yield* opened(accountOf(), { partnerId: "org_p", createdAt: startAt })
    const newer = yield* opened(accountOf(), { partnerId: "org_p", createdAt: startAt + 1 })
    yield* opened(accountOf(), { partnerId: "org_other" })
    yield* opened()
    const clientOf = ({ organization }: { readonly organization: Organization }) => ({
      organization,
      totals: [],
      connections: []
    })
    const page = yield* store.clients("org_p", "2026-02", { limit: 10, offset: 0 })
    expectEqual(page, { total: 2, clients: [clientOf(newer), clientOf(older)] }, "both")
    const second = yield* store.clients("org_p", "2026-02", { limit: 1, offset: 1 })
    expectEqual(second, { total: 2, clients: [clientOf(older)] }, "in pages")
    const none = yield* store.clients("org_none", "2026-02", { limit: 1, offset: 0 })
    expectEqual(none, { total: 0, clients: [] }, "none")
  },

  *"have statistics by mode and status, of the month and of all"() {
    const invoices = yield* InvoiceStore
    const { organization, owner } = yield* opened(accountOf(), { partnerId: "org_p" })
    const own = { organizationId: organization.id }
    const nextMonth = startAt + 40 * 24 * 3_600_000
    const [first, second] = [creationOf(own), creationOf(own)]
    const [third, fourth] = [creationOf({ ...own, createdAt: nextMonth }), creationOf({ ...own, mode: "live" })]
    yield* invoices.insertMany([first, second, third, fourth, creationOf({ organizationId: "org_other" })])
    yield* invoices.commitMany([changeOf(first.invoice, InvoiceCommand.Pay({ paidAt: startAt }))])
    const store = yield* PartnerStore
    const client = Option.getOrThrow(yield* store.client(organization.id, "2026-02"))
    expectEqual([client.organization, client.ownerStatus], [organization, owner.status], "with its owner's status")
    const { totals } = client
    const { clients } = yield* store.clients("org_p", "2026-02", { limit: 1, offset: 0 })
    expectEqual(clients[0]?.totals ?? [], totals, "the same in the list")
    const told = totals.map(({ mode, status, month, all }) => [
      mode,
      status,
      month.count,
      month.amount,
      all.count,
      all.amount
    ])
    expectEqual(
      new Set(told.map((row) => row.join(" "))),
      new Set(["live pending 0 0 1 150000", "sandbox paid 0 0 1 150000", "sandbox pending 1 150000 2 300000"]),
      "exactly"
    )
    expectEqual(yield* store.client("org_none", "2026-02"), Option.none(), "nothing of nobody")
  },

  *"have sums that are exact beyond what a number holds, of invoices that a number holds"() {
    const invoices = yield* InvoiceStore
    const { organization } = yield* opened(accountOf(), { partnerId: "org_p" })
    const own = { organizationId: organization.id }
    const amounts = [Tiyn(Number.MAX_SAFE_INTEGER), Tiyn(2)]
    for (const amount of amounts) yield* invoices.insertMany([creationOf({ ...own, amount })])
    const store = yield* PartnerStore
    const { clients } = yield* store.clients("org_p", "2026-01", { limit: 1, offset: 0 })
    const client = Option.getOrThrow(yield* store.client(organization.id, "2026-01"))
    const sum = { count: 2, amount: 2n ** 53n + 1n, refunded: 0n }
    for (const { totals } of [client, clients[0]!]) {
      expectEqual(
        totals.map(({ month, all }) => [month, all]),
        [[sum, sum]],
        "to the tiyn"
      )
    }
  },

  *"see cashiers who work, without their sessions"() {
    const connections = yield* ConnectionStore
    const { organization } = yield* opened(accountOf(), { partnerId: "org_p" })
    const connectionOf = (status: "active" | "pending") => ({
      id: freshId("con"),
      organizationId: organization.id,
      name: "Till",
      status,
      phone: null,
      isDefault: false,
      session: null,
      createdAt: startAt,
      updatedAt: startAt,
      version: 1
    })
    const [active, pending] = [connectionOf("active"), connectionOf("pending")]
    yield* connections.add({ ...active, session: Redacted.make("a session") }, auditOf())
    yield* connections.add(pending)
    const store = yield* PartnerStore
    const { clients } = yield* store.clients("org_p", "2026-02", { limit: 1, offset: 0 })
    expectEqual(clients[0]?.connections ?? [], [active], "one of two in a list")
    const client = Option.getOrThrow(yield* store.client(organization.id, "2026-02"))
    expectEqual(client.connections, [active, pending], "both of one client")
  }
})
