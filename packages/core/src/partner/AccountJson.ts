/** What a key's organization is and may still do, as answers show it. Pure. */
import { type Connection, connectionJson } from "../connection/Connection.ts"
import type { Earning } from "../tariff/TariffStore.ts"
import type { TariffStanding } from "../tariff/Tariffs.ts"
import { toIso } from "../value/Calendar.ts"
import type { Mode } from "../value/Mode.ts"
import { toTenge } from "../value/Money.ts"

/** The body of `GET /account`. */
export const accountJson = (
  { organization, tariff, active, usage }: TariffStanding,
  mode: Mode,
  connections: ReadonlyArray<Connection>
) => {
  const { id, name, legalName, idn, status, createdAt, tariffUntil } = organization
  return {
    organization: { id, name, legalName, idn, status, createdAt: toIso(createdAt) },
    mode,
    tariff: {
      code: tariff.code,
      name: tariff.name,
      active,
      validUntil: tariffUntil === null ? null : toIso(tariffUntil),
      monthlyLimit: tariff.monthlyLimit,
      monthlyUsed: usage.month,
      dailyLimit: tariff.dailyLimit,
      dailyUsed: usage.day
    },
    connections: connections.map(connectionJson)
  }
}

/** What a referrer earns by one payment, for those who run the platform. */
export const earningJson = ({ amount, createdAt, paidOutAt, ...earning }: Earning) => ({
  ...earning,
  amount: toTenge(amount),
  createdAt: toIso(createdAt),
  paidOutAt: paidOutAt === null ? null : toIso(paidOutAt)
})
