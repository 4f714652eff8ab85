/** The verbs about people and their parts, called with fixed values. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { InvitationStore } from "@tolem/core/invitation/InvitationStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { noTerms } from "@tolem/core/merchant/Merchant"
import { ConsoleStore } from "@tolem/core/operator/console/ConsoleStore"
import { OperatorStore } from "@tolem/core/operator/OperatorStore"
import { RequestLogStore } from "@tolem/core/requestlog/RequestLogStore"
import { Tiyn } from "@tolem/core/value/Money"
import { accountOf, startAt } from "@tolem/testing/fixtures"
import { invitationBounds, invitationOf } from "@tolem/testing/invitations"
import { loggedHourOf, loggedRequestOf } from "@tolem/testing/storage/RequestLogCases"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

const member = { organizationId: "org_shop", accountId: "acc_2", role: "developer", createdAt: startAt } as const

export const directory = Effect.map(DirectoryStore, (store) => ({
  accounts: store.accounts({ search: "7700", limit: 10, offset: 0 }),
  organizations: store.organizations({ search: "shop", limit: 10, offset: 0 }),
  "account by phone": store.account({ phone: "77001234567" }),
  addAccount: store.addAccount(accountOf({ id: "acc_2", phone: "77001234568" })),
  setName: store.setName("acc_1", "Aliya", auditOf()),
  setEmail: store.setEmail("acc_1", "a@b.kz", auditOf()),
  parts: store.parts("acc_1"),
  members: store.members("org_shop"),
  addresses: store.addresses("org_shop"),
  setMember: store.setMember(member, auditOf()),
  changeMember: store.changeMember(
    { ...member, connectionIds: ["con_1"], refundLimit: Tiyn(100) },
    { ...member, ...noTerms },
    auditOf()
  ),
  removeMember: store.removeMember("org_shop", "acc_2", auditOf())
}))

export const operators = Effect.map(OperatorStore, (store) => ({
  "make an operator": store.add({ accountId: "acc_1", grantedAt: startAt, grantedBy: "root" }, auditOf()),
  "find an operator": store.find("acc_1"),
  "list operators": store.list(10),
  "end an operator": store.remove("acc_1", auditOf())
}))

const place = { createdAt: startAt, id: "acc_2" }

export const consoles = Effect.map(ConsoleStore, (store) => ({
  "newest accounts": store.accounts({ before: null, limit: 2 }),
  "accounts behind a place": store.accounts({ before: place, limit: 2 }),
  "newest organizations": store.organizations({ before: place, limit: 2 }),
  "organizations that begin so": store.findOrganizations(["7700", "shop"], 2),
  "accounts that begin so": store.findAccounts(["7700", "aliya"], 2)
}))

const invitation = invitationOf({ id: "ivt_1", phone: "77001234569" })
const second = invitationOf({ id: "ivt_2", phone: "77001234570" })
const ended = { ...second, status: "withdrawn", settledAt: startAt + 1 } as const
const accepted = { ...invitation, status: "accepted", settledAt: startAt + 1 } as const
const joined = { ...member, accountId: "acc_3", role: "manager", ...noTerms } as const

export const invitations = Effect.map(InvitationStore, (store) => ({
  "add an invitation": store.add(invitation, invitationBounds, auditOf()),
  "add another invitation": store.add(second, invitationBounds, auditOf()),
  "find an invitation": store.find({ organizationId: "org_shop" }, "ivt_1"),
  "find an invitation of a person": store.find({ accountId: "acc_1" }, "ivt_1"),
  "list invitations": store.list("org_shop", startAt, 50),
  "offered invitations": store.offered("acc_1", startAt, 50),
  "withdraw an invitation": store.settle(ended, auditOf()),
  "accept an invitation": store.accept(accepted, joined, [auditOf(), auditOf()]),
  "forget invitations": store.forget(startAt, 200)
}))

const shop = { organizationId: "org_shop", mode: "sandbox" } as const
const search = { since: startAt, before: null, errorsOnly: false, requestId: null, limit: 50 }
const behind = { ...search, before: { at: startAt, place: 4 }, errorsOnly: true, requestId: "r1" }

export const requests = Effect.map(RequestLogStore, (store) => ({
  "add requests": store.add([loggedHourOf([loggedRequestOf()])], 100),
  "list requests": store.list(shop, search),
  "search requests": store.list(shop, behind),
  "hours of requests": store.hours(shop, startAt),
  "forget requests": store.forget(startAt, 200)
}))

const journalQuery = {
  organizationId: "org_shop",
  actorId: null,
  actions: null,
  from: null,
  to: null,
  before: { createdAt: startAt, id: "aud_9" },
  limit: 51
}

export const audit = Effect.map(AuditStore, (store) => ({
  "note of an audit": store.note(auditOf()),
  journal: store.journal({ ...journalQuery, before: null }),
  "journal of some actions": store.journal({
    ...journalQuery,
    actions: ["key.created", "key.bound"],
    actorId: "acc_1"
  }),
  "journal of an actor": store.journal({ ...journalQuery, from: startAt, to: startAt, actorId: "acc_1" }),
  "names of a journal": store.names(["acc_1", "org_shop"]),
  "journal of all": store.journal({ ...journalQuery, organizationId: null, before: null }),
  "journal of all, behind a place": store.journal({ ...journalQuery, organizationId: null }),
  "journal of all, of some actions": store.journal({
    ...journalQuery,
    organizationId: null,
    actions: ["key.created", "key.bound"]
  }),
  "journal of all, of an actor": store.journal({ ...journalQuery, organizationId: null, actorId: "acc_1" }),
  "journal of all, of some actions of an actor": store.journal({
    ...journalQuery,
    organizationId: null,
    actions: ["key.created", "key.bound"],
    actorId: "acc_1"
  }),
  "list of the audit log": store.list({ organizationId: "org_shop", before: "aud_9", limit: 10 })
}))
