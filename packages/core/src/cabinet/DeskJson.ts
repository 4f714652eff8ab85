/** Organizations as their members are shown them. Pure. */
import { Redacted } from "effect"
import type { Member, MembershipView } from "../merchant/DirectoryStore.ts"
import { keyJson } from "../merchant/KeyJson.ts"
import type { ApiKey, MemberTerms, Role } from "../merchant/Merchant.ts"
import type { NewKey } from "../merchant/Organizations.ts"
import { reachesOf } from "../merchant/Permission.ts"
import type { Tariff } from "../merchant/TariffPlan.ts"
import { organizationJson } from "../partner/PartnerClient.ts"
import type { TariffStanding } from "../tariff/Tariffs.ts"
import { toIso } from "../value/Calendar.ts"
import { toTenge } from "../value/Money.ts"
import type { Desk } from "./Desks.ts"

/** What a person is a member of, archived organizations among them. */
export const partsJson = (parts: ReadonlyArray<MembershipView>) => ({
  organizations: parts.map(({ organization: { id, name, mode, status, createdAt }, role }) => ({
    id,
    name,
    mode,
    status,
    role,
    createdAt: toIso(createdAt)
  }))
})

const termsJson = ({ role, connectionIds, refundLimit }: MemberTerms & { readonly role: Role }) => ({
  role,
  connectionIds,
  refundLimit: refundLimit === null ? null : toTenge(refundLimit)
})

/** A member, for those who may see the members. */
export const teamMemberJson = ({ account: { id, phone, name }, ...part }: Member) => ({
  accountId: id,
  phone,
  name,
  ...termsJson(part)
})

/** The members, oldest first. */
export const teamJson = (members: ReadonlyArray<Member>) => ({ members: members.map(teamMemberJson) })

/** A key, with the person who has made it: their role now, null if they are no member any more. */
export const deskKeyJson = (key: ApiKey, members: ReadonlyArray<Member>) => {
  const maker = members.find(({ account }) => account.id === key.madeBy)
  const madeBy =
    key.madeBy === null ? null : { accountId: key.madeBy, name: maker?.account.name ?? null, role: maker?.role ?? null }
  return { ...keyJson(key), madeBy }
}

/** A key as its maker gets it, once with its text. */
export const madeKeyJson = ({ key, text }: NewKey, members: ReadonlyArray<Member>) => ({
  ...deskKeyJson(key, members),
  apiKey: Redacted.value(text)
})

/** An organization, what it has used of its tariff, and what the member may do there. */
export const deskJson = (desk: Desk, standing: TariffStanding, at: number, catalogue: ReadonlyArray<Tariff>) => {
  const { organization, tariff, active, usage } = standing
  const shown = organizationJson(organization, at, catalogue)
  return {
    ...shown,
    tariff: {
      ...shown.tariff,
      active,
      partner: tariff.partner,
      monthlyLimit: tariff.monthlyLimit,
      monthlyUsed: usage.month,
      dailyLimit: tariff.dailyLimit,
      dailyUsed: usage.day
    },
    ...termsJson(desk),
    permissions: reachesOf(desk.role)
  }
}
