/** Tariffs, and partners who open organizations for others, as promises; see `createEngine`. */
import { Option, Redacted } from "effect"
import type { Sale } from "../billing/TariffSales.ts"
import type { Engine } from "../engine/Engine.ts"
import { invoiceObject } from "../invoice/InvoiceJson.ts"
import type { KeyScope } from "../merchant/Merchant.ts"
import type { OrganizationDetails } from "../merchant/OrganizationRequests.ts"
import { accountJson, earningJson } from "../partner/AccountJson.ts"
import { partnerFace } from "../partner/PartnerClient.ts"
import type { Earning } from "../tariff/TariffStore.ts"
import type { TariffStanding } from "../tariff/Tariffs.ts"
import type { AccountId, ConnectionId, LoginProcessId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { faceOf, type RunPromise } from "./Faces.ts"
import type { PageFilter } from "./Filters.ts"

/** What organizations may do, and how they pay for it. */
export const tariffsOf = ({ tariffs, tariffSales, settings }: Engine["Service"], run: RunPromise) => {
  const account = (standing: TariffStanding) => accountJson(standing, standing.organization.mode, standing.connections)
  const verbs = {
    ...tariffs,
    /** What referrers have earned, newest first: one account's, or all. */
    earnings: (accountId: AccountId | null = null) => tariffs.earnings(accountId)
  }
  const standings = faceOf(run)(verbs, {
    quota: null,
    standing: account,
    grant: account,
    earnings: (all: ReadonlyArray<Earning>) => ({ earnings: all.map(earningJson) }),
    payOut: (earning: Option.Option<Earning>) => Option.getOrNull(Option.map(earning, earningJson))
  })
  const sales = faceOf(run)(tariffSales, {
    buy: ({ order, invoice }: Sale) => ({ orderId: order.id, invoice: invoiceObject(invoice, settings) }),
    fulfil: null
  })
  return { ...standings, ...sales }
}

/** What partners do for their clients. Each verb takes the partner's organization first, and a client's second. */
export const partnersOf = ({ partners, settings }: Engine["Service"], run: RunPromise) => {
  const verbs = {
    ...partners,
    /** Opens a client, or answers the one that the same idempotency key has opened. */
    open: (
      partnerId: OrganizationId,
      request: Omit<OrganizationDetails, "tariff" | "referralCode">,
      idempotencyKey?: string
    ) => partners.open(partnerId, request, idempotencyKey),
    /** A page of clients, newest first. */
    clients: (partnerId: OrganizationId, filter: PageFilter = {}) => partners.clients(partnerId, filter),
    /** Switches a client's mode; live needs a cashier who works. */
    switchMode: (partnerId: OrganizationId, id: OrganizationId, mode: Mode) => partners.switchMode(partnerId, id, mode),
    /** Makes a key of the client's mode. */
    createKey: (
      partnerId: OrganizationId,
      id: OrganizationId,
      request: { readonly name: string; readonly scopes?: ReadonlyArray<KeyScope> }
    ) => partners.createKey(partnerId, id, request),
    /** Adds a cashier, who has yet to log in. */
    createConnection: (partnerId: OrganizationId, id: OrganizationId, request: { readonly name?: string } = {}) =>
      partners.createConnection(partnerId, id, request),
    /** Has a code sent to the cashier's phone, 7XXXXXXXXXX. */
    sendPhone: (
      partnerId: OrganizationId,
      id: OrganizationId,
      connectionId: ConnectionId,
      request: { readonly processId: LoginProcessId; readonly phone: string }
    ) => partners.sendPhone(partnerId, id, connectionId, request),
    /** Ends the login with that code. */
    verifyOtp: (
      partnerId: OrganizationId,
      id: OrganizationId,
      connectionId: ConnectionId,
      { processId, otp }: { readonly processId: LoginProcessId; readonly otp: string }
    ) => partners.verifyOtp(partnerId, id, connectionId, { processId, otp: Redacted.make(otp) })
  }
  return faceOf(run)(verbs, partnerFace(settings))
}
