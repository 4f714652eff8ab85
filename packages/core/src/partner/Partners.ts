/** Use-cases of partners: organizations that open others as their clients, and look after them. */

import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import type { LoginCode, LoginPhone } from "../connection/Connection.ts"
import { Connections } from "../connection/Connections.ts"
import { Modes } from "../connection/Modes.ts"
import { refusal } from "../error/Refusal.ts"
import { AccountBlocked, ConnectionNotFound, FieldRefused, Forbidden, OrganizationInactive } from "../error/Refusals.ts"
import type { OwnedOrganization } from "../merchant/Merchant.ts"
import { MerchantSettings } from "../merchant/MerchantSettings.ts"
import { MerchantStore, OrganizationNotFound } from "../merchant/MerchantStore.ts"
import { clientScopes, type OrganizationRequest } from "../merchant/OrganizationRequests.ts"
import { Organizations } from "../merchant/Organizations.ts"
import { isActive, tariffOfOrganization } from "../tariff/Tariff.ts"
import { dayOf } from "../value/Calendar.ts"
import { isStorable } from "../value/Checks.ts"
import type { AccountId, ConnectionId, OrganizationId } from "../value/Ids.ts"
import { type PageRequest, queryPage } from "../value/QueryChecks.ts"
import { PartnerStore } from "./PartnerStore.ts"

/** The caller's organization has no partner tariff in force. */
export class PartnerRequired extends refusal("PartnerRequired", "partner_required") {}

/** Which partner may work with which client. */
const makeAdmission = Effect.gen(function* () {
  const merchants = yield* MerchantStore
  const settings = yield* MerchantSettings

  const partner = Effect.fnUntraced(function* (id: OrganizationId) {
    const found = Option.getOrUndefined(yield* merchants.organization(id))
    const now = yield* Clock.currentTimeMillis
    const isPartner =
      found !== undefined && isActive(found, now) && tariffOfOrganization(found, settings.tariffs.catalogue).partner
    return isPartner ? found : yield* new PartnerRequired()
  })

  /** The client, if the caller is its partner. Anyone else gets `forbidden`, whether or not it exists. */
  const clientOf = Effect.fnUntraced(function* (partnerId: OrganizationId, id: OrganizationId) {
    yield* partner(partnerId)
    const found = isStorable(id) ? Option.getOrUndefined(yield* merchants.owned(id)) : undefined
    return (yield* admitted(partnerId, found)).organization
  })

  const admitted = Effect.fnUntraced(function* <A extends OwnedOrganization>(
    partnerId: OrganizationId,
    found: A | undefined
  ) {
    if (found?.organization.partnerId !== partnerId) return yield* new Forbidden()
    if (found.organization.status === "archived") return yield* new OrganizationInactive()
    if (found.ownerStatus === "blocked") return yield* new AccountBlocked()
    return found
  })

  const cashierOf = Effect.fnUntraced(function* (
    partnerId: OrganizationId,
    id: OrganizationId,
    connectionId: ConnectionId
  ) {
    yield* clientOf(partnerId, id)
    if (!isStorable(connectionId)) return yield* new ConnectionNotFound()
  })

  return { partner, clientOf, admitted, cashierOf }
})

const make = Effect.gen(function* () {
  const organizations = yield* Organizations
  const modes = yield* Modes
  const connections = yield* Connections
  const store = yield* PartnerStore
  const settings = yield* MerchantSettings
  const { partner, clientOf, admitted, cashierOf } = yield* makeAdmission

  const thisMonth = Effect.map(Clock.currentTimeMillis, (now) => dayOf(now).slice(0, 7))

  return {
    /** Opens a client, or answers the one that the same idempotency key has opened. May be repeated. */
    open: Effect.fn("Partners.open")(function* (
      partnerId: OrganizationId,
      request: OrganizationRequest,
      idempotencyKey: unknown
    ) {
      const { ownerId } = yield* partner(partnerId)
      const { name, ownerPhone, ownerName, legalName, idn } = request
      const wanted = { name, ownerPhone, ownerName, legalName, idn }
      return yield* organizations.createClient(wanted, { organizationId: partnerId, ownerId }, idempotencyKey)
    }),
    /** A page of the clients, newest first. */
    clients: Effect.fnUntraced(function* (partnerId: OrganizationId, request: PageRequest) {
      yield* partner(partnerId)
      const bounds = yield* Effect.fromResult(
        Result.mapError(queryPage(request, settings), (code) => new FieldRefused({ code }))
      )
      return { ...(yield* store.clients(partnerId, yield* thisMonth, bounds)), ...bounds }
    }),
    /** One client, with what its invoices have come to. */
    client: Effect.fnUntraced(function* (partnerId: OrganizationId, id: OrganizationId) {
      yield* partner(partnerId)
      const found = isStorable(id) ? Option.getOrUndefined(yield* store.client(id, yield* thisMonth)) : undefined
      return yield* admitted(partnerId, found)
    }),
    /** Switches a client's mode; live needs a cashier who works. */
    switchMode: Effect.fn("Partners.switchMode")(function* (
      partnerId: OrganizationId,
      id: OrganizationId,
      mode: unknown
    ) {
      yield* clientOf(partnerId, id)
      return yield* gone(modes.switchTo(id, mode))
    }),
    /** Makes a key of the client's mode. */
    createKey: Effect.fn("Partners.createKey")(function* (
      partnerId: OrganizationId,
      id: OrganizationId,
      { name, scopes }: { readonly name: unknown; readonly scopes?: unknown }
    ) {
      const { mode } = yield* clientOf(partnerId, id)
      const made = organizations.createKey({ organizationId: id, mode, name, scopes: scopes ?? clientScopes })
      // It is asked to be bound to no cashier.
      return yield* gone(Effect.catchTag(made, "ConnectionNotFound", (error) => Effect.die(error)))
    }),
    createConnection: Effect.fn("Partners.createConnection")(function* (
      partnerId: OrganizationId,
      id: OrganizationId,
      { name }: { readonly name?: unknown }
    ) {
      const organization = yield* clientOf(partnerId, id)
      return yield* connections.create(id, { name: name ?? organization.name })
    }),
    /** The three steps of a cashier's login, see `Connections`. */
    initLogin: (partnerId: OrganizationId, id: OrganizationId, connectionId: ConnectionId) =>
      Effect.andThen(cashierOf(partnerId, id, connectionId), connections.initLogin(id, connectionId)),
    sendPhone: (partnerId: OrganizationId, id: OrganizationId, connectionId: ConnectionId, request: LoginPhone) =>
      Effect.andThen(cashierOf(partnerId, id, connectionId), connections.sendPhone(id, connectionId, request)),
    verifyOtp: (partnerId: OrganizationId, id: OrganizationId, connectionId: ConnectionId, request: LoginCode) =>
      Effect.andThen(cashierOf(partnerId, id, connectionId), connections.verifyOtp(id, connectionId, request)),
    /** What the owner of the partner earns by referrals, and by the organizations that the partner has opened. */
    earnings: Effect.fnUntraced(function* (partnerId: OrganizationId) {
      const { ownerId } = yield* partner(partnerId)
      return yield* store.earned(ownerId, partnerId)
    }),
    /** What a person earns by referrals, whether they are a partner or not. */
    referral: (accountId: AccountId) => store.earned(accountId, null)
  }
})

/** The use-cases of a partner's clients. Each verb takes the partner's organization first, and a client's second. */
export class Partners extends Context.Service<Partners, Effect.Success<typeof make>>()("@tolem/core/Partners") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Partners, make)
}

/** An organization that was there a moment ago is gone: so it is inactive. */
const gone = <A, E>(self: Effect.Effect<A, E | OrganizationNotFound>): Effect.Effect<A, E | OrganizationInactive> =>
  Effect.mapError(self, (error) => (error instanceof OrganizationNotFound ? new OrganizationInactive() : error))
