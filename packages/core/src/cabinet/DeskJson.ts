/** Organizations as their members are shown them. Pure. */
import type { MembershipView } from "../merchant/DirectoryStore.ts"
import { reachesOf } from "../merchant/Permission.ts"
import type { Tariff } from "../merchant/TariffPlan.ts"
import { organizationJson } from "../partner/PartnerClient.ts"
import type { TariffStanding } from "../tariff/Tariffs.ts"
import { toIso } from "../value/Calendar.ts"
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

/** An organization, what it has used of its tariff, and what the member may do there. */
export const deskJson = ({ role }: Desk, standing: TariffStanding, at: number, catalogue: ReadonlyArray<Tariff>) => {
  const { organization, tariff, active, usage } = standing
  const shown = organizationJson(organization, at, catalogue)
  return {
    ...shown,
    tariff: {
      ...shown.tariff,
      active,
      monthlyLimit: tariff.monthlyLimit,
      monthlyUsed: usage.month,
      dailyLimit: tariff.dailyLimit,
      dailyUsed: usage.day
    },
    role,
    permissions: reachesOf(role)
  }
}
