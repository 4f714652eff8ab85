/** A partner's client, and a referrer's earnings, as they are read and as they are answered. Pure. */
import { connectionJson } from "../connection/Connection.ts"
import type { InvoiceStatus } from "../invoice/Invoice.ts"
import { keyJson } from "../merchant/KeyJson.ts"
import type { Account, ApiKey, Organization } from "../merchant/Merchant.ts"
import type { MerchantSettings } from "../merchant/MerchantSettings.ts"
import type { Tariff } from "../merchant/TariffPlan.ts"
import { isActive, tariffOfOrganization } from "../tariff/Tariff.ts"
import { toIso } from "../value/Calendar.ts"
import { sumToTenge, type TiynSum } from "../value/Money.ts"
import type { Earned, PartnerClient, StatusTotal } from "./PartnerStore.ts"

/** A page of clients. */
export interface Clients {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly clients: ReadonlyArray<PartnerClient>
}

/** The organization as partners get it. */
export const organizationJson = (organization: Organization, at: number, catalogue: ReadonlyArray<Tariff>) => {
  const { id, name, legalName, idn, mode, status, tariffUntil, createdAt } = organization
  const tariff = tariffOfOrganization(organization, catalogue)
  return {
    id,
    name,
    legalName,
    idn,
    mode,
    status,
    tariff: {
      code: tariff.code,
      name: tariff.name,
      active: isActive(organization, at),
      validUntil: tariffUntil === null ? null : toIso(tariffUntil)
    },
    createdAt: toIso(createdAt)
  }
}

/** The owner as partners get them. */
export const ownerJson = ({ id, phone, name }: Account) => ({ id, phone, name })

/** A key as its maker gets it, once with its text. */
export const newKeyJson = (key: ApiKey, text: string) => {
  const { connectionId: _, ...shown } = keyJson(key)
  return { ...shown, apiKey: text }
}

/** A client with statistics and cashiers. */
export const clientJson = (
  { organization, totals, connections }: PartnerClient,
  at: number,
  catalogue: ReadonlyArray<Tariff>
) => ({
  ...organizationJson(organization, at, catalogue),
  statistics: statisticsJson(totals.filter(({ mode }) => mode === organization.mode)),
  connections: connections.map(connectionJson)
})

/** What a referrer has earned. */
export const earnedJson = ({ referralCode, referred }: Earned) => ({
  referralCode,
  clients: referred.map(({ organizationId, name, createdAt, accrued, paidOut }) => ({
    organizationId,
    name,
    createdAt: toIso(createdAt),
    accrued: sumToTenge(accrued),
    paidOut: sumToTenge(paidOut)
  })),
  accrued: sumToTenge(sum(referred.map(({ accrued }) => accrued))),
  paidOut: sumToTenge(sum(referred.map(({ paidOut }) => paidOut)))
})

/** The same for the person themselves, with the address that they give to others. */
export const referralJson = (earned: Earned, { baseUrl }: MerchantSettings) => ({
  ...earnedJson(earned),
  link: `${baseUrl}/cabinet/join?ref=${earned.referralCode}`
})

/** Count and sum of invoices by status, in the current mode: this month, and in all. */
const statisticsJson = (totals: ReadonlyArray<StatusTotal>) => ({
  month: periodJson(totals.map(({ status, month }) => ({ status, ...month }))),
  all: periodJson(totals.map(({ status, all }) => ({ status, ...all })))
})

interface Counted {
  readonly status: InvoiceStatus
  readonly count: number
  readonly amount: TiynSum
}

const periodJson = (totals: ReadonlyArray<Counted>) => ({
  count: totals.reduce((all, { count }) => all + count, 0),
  amount: sumToTenge(sum(totals.map(({ amount }) => amount))),
  byStatus: Object.fromEntries(
    totals
      .filter(({ count }) => count !== 0)
      .map(({ status, count, amount }) => [status, { count, amount: sumToTenge(amount) }])
  )
})

const sum = (amounts: ReadonlyArray<TiynSum>): TiynSum => amounts.reduce((all, amount) => all + amount, 0n)
