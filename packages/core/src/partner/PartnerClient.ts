/** A partner's client, and a referrer's earnings, as they are read and as they are answered. Pure. */
import { Redacted } from "effect"
import { connectionJson, loginJson } from "../connection/Connection.ts"
import type { InvoiceStatus } from "../invoice/Invoice.ts"
import { newKeyJson } from "../merchant/KeyJson.ts"
import type { Account, Organization } from "../merchant/Merchant.ts"
import type { MerchantSettings } from "../merchant/MerchantSettings.ts"
import type { NewClient } from "../merchant/Organizations.ts"
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

/** A client with statistics and cashiers. */
const clientJson = (
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

/** How the answers of each verb of `Partners` are shown, at the instant `at`. */
export const partnerFace = (settings: MerchantSettings) => {
  const { catalogue } = settings.tariffs
  const organization = (shown: Organization, at: number) => organizationJson(shown, at, catalogue)
  return {
    open: (made: NewClient, at: number) => ({
      organization: organization(made.organization, at),
      owner: ownerJson(made.owner),
      ...(made.text === null ? { idempotentReplay: true as const } : { apiKey: Redacted.value(made.text) })
    }),
    clients: ({ clients, ...page }: Clients, at: number) => ({
      ...page,
      organizations: clients.map((client) => clientJson(client, at, catalogue))
    }),
    client: (client: PartnerClient, at: number) => clientJson(client, at, catalogue),
    switchMode: organization,
    createKey: newKeyJson,
    createConnection: connectionJson,
    initLogin: loginJson,
    sendPhone: loginJson,
    verifyOtp: connectionJson,
    earnings: earnedJson,
    referral: (earned: Earned) => referralJson(earned, settings)
  }
}

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
