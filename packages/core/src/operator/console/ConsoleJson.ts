/** What the console shows. Pure. */
import type { MembershipView } from "../../merchant/DirectoryStore.ts"
import { membershipJson } from "../../merchant/KeyJson.ts"
import type { Account, OwnedOrganization } from "../../merchant/Merchant.ts"
import type { MerchantSettings } from "../../merchant/MerchantSettings.ts"
import type { Earner, EarnerDetails } from "../../tariff/PayoutStore.ts"
import type { TariffStanding } from "../../tariff/Tariffs.ts"
import { toIso } from "../../value/Calendar.ts"
import { sumToTenge, toTenge } from "../../value/Money.ts"
import type { RefundAnswer } from "./RefundQuestions.ts"

/** A person in a list. */
const consoleAccountJson = ({ id, phone, name, status, createdAt }: Account) => ({
  id,
  phone,
  name,
  status,
  createdAt: toIso(createdAt)
})

/** A page of people. `isCut`: more were found than are shown. */
export const consoleAccountsJson = (page: {
  readonly items: ReadonlyArray<Account>
  readonly next: string | null
  readonly isCut: boolean
}) => ({ accounts: page.items.map(consoleAccountJson), next: page.next, isCut: page.isCut })

/** A person, with what they are members of. */
export const consolePersonJson = (person: {
  readonly account: Account
  readonly parts: ReadonlyArray<MembershipView>
  readonly sessions: number
  readonly isOperator: boolean
}) => ({
  ...consoleAccountJson(person.account),
  isOperator: person.isOperator,
  sessions: person.sessions,
  memberships: person.parts.map(membershipJson)
})

const organizationEntryJson = ({ organization, ownerStatus }: OwnedOrganization) => ({
  id: organization.id,
  name: organization.name,
  idn: organization.idn,
  mode: organization.mode,
  status: organization.status,
  ownerStatus,
  tariff: organization.tariff,
  tariffUntil: organization.tariffUntil === null ? null : toIso(organization.tariffUntil),
  createdAt: toIso(organization.createdAt)
})

/** A page of organizations. */
export const consoleOrganizationsJson = (page: {
  readonly items: ReadonlyArray<OwnedOrganization>
  readonly next: string | null
  readonly isCut: boolean
}) => ({ organizations: page.items.map(organizationEntryJson), next: page.next, isCut: page.isCut })

/** An organization, with counts of what it has. No customer's data are among it. */
export const consoleOrganizationJson = (found: {
  readonly standing: TariffStanding
  readonly owner: Account | null
  readonly ownerStatus: Account["status"]
  readonly members: number
  readonly keys: number
}) => {
  const { organization, usage, connections, active } = found.standing
  return {
    ...organizationEntryJson({ organization, ownerStatus: found.ownerStatus }),
    owner: { id: organization.ownerId, name: found.owner?.name ?? null, phone: found.owner?.phone ?? null },
    isTariffActive: active,
    usedThisMonth: usage.month,
    usedToday: usage.day,
    counts: { members: found.members, keys: found.keys, cashiers: connections.length }
  }
}

/** What the provider has said of a refund, without anything of its customer. */
export const refundAnswerJson = ({ refund: { id, invoiceId, status }, isAnswered }: RefundAnswer) => ({
  id,
  invoiceId,
  status,
  answered: isAnswered
})

/** The tariffs of the settings. */
export const consoleTariffsJson = ({ enforced, referralPercent, catalogue }: MerchantSettings["tariffs"]) => ({
  enforced,
  referralPercent,
  tariffs: catalogue.map(({ price, ...tariff }) => ({ ...tariff, price: price === null ? null : toTenge(price) }))
})

const earnerJson = ({ account, accrued, accruedCount, paidOut }: Earner) => ({
  account: consoleAccountJson(account),
  accrued: sumToTenge(accrued),
  accruedCount,
  paidOut: sumToTenge(paidOut)
})

/** A page of those who have still to be paid something. */
export const consoleEarnersJson = (page: { readonly items: ReadonlyArray<Earner>; readonly next: string | null }) => ({
  earners: page.items.map(earnerJson),
  next: page.next
})

/** What a person has earned and was paid. `payable`: what can be paid at once, as the payout has to name it. */
export const consoleEarnerJson = ({ earner, accrued, payouts }: EarnerDetails) => {
  const sum = accrued.reduce((all, { amount }) => all + BigInt(amount), 0n)
  const last = accrued.at(-1)
  return {
    ...earnerJson(earner),
    payable: last === undefined ? null : { amount: sumToTenge(sum), count: accrued.length, upTo: last.id },
    earnings: accrued.map(({ id, organizationId, organizationName, amount, createdAt }) => ({
      id,
      organization: { id: organizationId, name: organizationName },
      amount: toTenge(amount),
      createdAt: toIso(createdAt)
    })),
    payouts: payouts.map(({ id, amount, earningCount, note, paidAt }) => ({
      id,
      amount: toTenge(amount),
      count: earningCount,
      note,
      paidAt: toIso(paidAt)
    }))
  }
}
