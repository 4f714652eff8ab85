/** Tariffs, and partners who open organizations for others, as promises; see `createEngine`. */
import { Option, Redacted } from "effect"
import type { Sale } from "../billing/TariffSales.ts"
import type { Engine } from "../engine/Engine.ts"
import { type InvoiceObject, invoiceObject } from "../invoice/InvoiceJson.ts"
import type { KeyScope } from "../merchant/Merchant.ts"
import type { OrganizationDetails } from "../merchant/OrganizationRequests.ts"
import { accountJson, earningJson } from "../partner/AccountJson.ts"
import { partnerFace } from "../partner/PartnerClient.ts"
import type { Earning } from "../tariff/TariffStore.ts"
import type { Grant, TariffStanding } from "../tariff/Tariffs.ts"
import type { AccountId, ConnectionId, EarningId, LoginProcessId, OrganizationId, TariffOrderId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { faceOf, type RunPromise } from "./Faces.ts"
import type { PageFilter } from "./Filters.ts"

/** What organizations may do, and how they pay for it. */
export interface EmbeddedTariffs {
  /** Tariff, limits and use of an organization, as they were at one moment. */
  readonly standing: (organizationId: OrganizationId) => Promise<ReturnType<typeof accountJson>>
  /** By the operator, for nothing. */
  readonly grant: (grant: Grant) => Promise<ReturnType<typeof accountJson>>
  /**
   * Orders a month of a tariff. It starts, or is prolonged, when the invoice is paid. May be repeated: while an order
   * of the same tariff and price can be paid, it is answered with its invoice.
   */
  readonly buy: (
    organizationId: OrganizationId,
    tariff: string
  ) => Promise<{ readonly orderId: TariffOrderId; readonly invoice: InvoiceObject }>
  /** What referrers have earned, newest first: one account's, or all. */
  readonly earnings: (accountId?: AccountId | null) => Promise<{ readonly earnings: ReadonlyArray<EarningObject> }>
  /** By the operator: the earning was paid out. Null if it is unknown, or was paid out before. */
  readonly payOut: (id: EarningId) => Promise<EarningObject | null>
}

type EarningObject = ReturnType<typeof earningJson>
type Shown = ReturnType<typeof partnerFace>
type LoginObject = ReturnType<Shown["initLogin"]>

/** What partners do for their clients. Each verb takes the partner's organization first, and a client's second. */
export interface EmbeddedPartners {
  /** Opens a client, or answers the one that the same idempotency key has opened. */
  readonly open: (
    partnerId: OrganizationId,
    request: Omit<OrganizationDetails, "tariff" | "referralCode">,
    idempotencyKey?: string
  ) => Promise<ReturnType<Shown["open"]>>
  /** A page of clients, newest first. */
  readonly clients: (partnerId: OrganizationId, filter?: PageFilter) => Promise<ReturnType<Shown["clients"]>>
  /** One client, with what its invoices have come to. */
  readonly client: (partnerId: OrganizationId, id: OrganizationId) => Promise<ReturnType<Shown["client"]>>
  /** Switches a client's mode; live needs a cashier who works. */
  readonly switchMode: (
    partnerId: OrganizationId,
    id: OrganizationId,
    mode: Mode
  ) => Promise<ReturnType<Shown["switchMode"]>>
  /** Makes a key of the client's mode. */
  readonly createKey: (
    partnerId: OrganizationId,
    id: OrganizationId,
    request: { readonly name: string; readonly scopes?: ReadonlyArray<KeyScope> }
  ) => Promise<ReturnType<Shown["createKey"]>>
  /** Adds a cashier, who has yet to log in. */
  readonly createConnection: (
    partnerId: OrganizationId,
    id: OrganizationId,
    request?: { readonly name?: string }
  ) => Promise<ReturnType<Shown["createConnection"]>>
  /** Step 1 of a cashier's login. Answers the id of the process, which lives for ten minutes. */
  readonly initLogin: (
    partnerId: OrganizationId,
    id: OrganizationId,
    connectionId: ConnectionId
  ) => Promise<LoginObject>
  /** Has a code sent to the cashier's phone, 7XXXXXXXXXX. */
  readonly sendPhone: (
    partnerId: OrganizationId,
    id: OrganizationId,
    connectionId: ConnectionId,
    request: { readonly processId: LoginProcessId; readonly phone: string }
  ) => Promise<LoginObject>
  /** Ends the login with that code. */
  readonly verifyOtp: (
    partnerId: OrganizationId,
    id: OrganizationId,
    connectionId: ConnectionId,
    request: { readonly processId: LoginProcessId; readonly otp: string }
  ) => Promise<ReturnType<Shown["verifyOtp"]>>
  /** What the owner of the partner earns by referrals, and by the organizations that the partner has opened. */
  readonly earnings: (partnerId: OrganizationId) => Promise<ReturnType<Shown["earnings"]>>
  /** What a person earns by referrals, whether they are a partner or not. */
  readonly referral: (accountId: AccountId) => Promise<ReturnType<Shown["referral"]>>
}

/** What organizations may do, and how they pay for it, as promises. */
export const tariffsOf = ({ tariffs, tariffSales, settings }: Engine["Service"], run: RunPromise): EmbeddedTariffs => {
  const account = (standing: TariffStanding) => accountJson(standing, standing.organization.mode, standing.connections)
  const verbs = {
    ...tariffs,
    earnings: (accountId: AccountId | null = null) => tariffs.earnings(accountId)
  }
  const standings = faceOf<EmbeddedTariffs>()(run)(verbs, {
    quota: null,
    standing: account,
    grant: account,
    earnings: (all: ReadonlyArray<Earning>) => ({ earnings: all.map(earningJson) }),
    payOut: (earning: Option.Option<Earning>) => Option.getOrNull(Option.map(earning, earningJson))
  })
  const sales = faceOf<EmbeddedTariffs>()(run)(tariffSales, {
    buy: ({ order, invoice }: Sale) => ({ orderId: order.id, invoice: invoiceObject(invoice, settings) }),
    fulfil: null
  })
  return { ...standings, ...sales }
}

/** What partners do for their clients, as promises. */
export const partnersOf = ({ partners, settings }: Engine["Service"], run: RunPromise): EmbeddedPartners => {
  const verbs = {
    ...partners,
    open: (
      partnerId: OrganizationId,
      request: Omit<OrganizationDetails, "tariff" | "referralCode">,
      idempotencyKey?: string
    ) => partners.open(partnerId, request, idempotencyKey),
    clients: (partnerId: OrganizationId, filter: PageFilter = {}) => partners.clients(partnerId, filter),
    switchMode: (partnerId: OrganizationId, id: OrganizationId, mode: Mode) => partners.switchMode(partnerId, id, mode),
    createKey: (
      partnerId: OrganizationId,
      id: OrganizationId,
      request: { readonly name: string; readonly scopes?: ReadonlyArray<KeyScope> }
    ) => partners.createKey(partnerId, id, request),
    createConnection: (partnerId: OrganizationId, id: OrganizationId, request: { readonly name?: string } = {}) =>
      partners.createConnection(partnerId, id, request),
    sendPhone: (
      partnerId: OrganizationId,
      id: OrganizationId,
      connectionId: ConnectionId,
      request: { readonly processId: LoginProcessId; readonly phone: string }
    ) => partners.sendPhone(partnerId, id, connectionId, request),
    verifyOtp: (
      partnerId: OrganizationId,
      id: OrganizationId,
      connectionId: ConnectionId,
      { processId, otp }: { readonly processId: LoginProcessId; readonly otp: string }
    ) => partners.verifyOtp(partnerId, id, connectionId, { processId, otp: Redacted.make(otp) })
  }
  return faceOf<EmbeddedPartners>()(run)(verbs, partnerFace(settings))
}
