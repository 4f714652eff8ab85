/** The verbs about people and their parts, called with fixed values. */
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { noTerms } from "@tolem/core/merchant/Merchant"
import { Tiyn } from "@tolem/core/value/Money"
import { accountOf, startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

const member = { organizationId: "org_shop", accountId: "acc_2", role: "developer", createdAt: startAt } as const

export const directory = Effect.map(DirectoryStore, (store) => ({
  accounts: store.accounts({ search: "7700", limit: 10, offset: 0 }),
  organizations: store.organizations({ search: "shop", limit: 10, offset: 0 }),
  "account by phone": store.account({ phone: "77001234567" }),
  addAccount: store.addAccount(accountOf({ id: "acc_2", phone: "77001234568" })),
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
