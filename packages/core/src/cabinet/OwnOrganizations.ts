/** Use-cases of a person's own organizations: opened, switched, archived, and given keys. */
import { Context, Effect, Layer } from "effect"
import { Modes } from "../connection/Modes.ts"
import { InsufficientRole, OrganizationInactive } from "../error/Refusals.ts"
import type { Account } from "../merchant/Merchant.ts"
import { MerchantSettings } from "../merchant/MerchantSettings.ts"
import { MerchantStore, OrganizationNotFound } from "../merchant/MerchantStore.ts"
import { checkConnectionId, checkIdempotencyKey } from "../merchant/OrganizationRequests.ts"
import { KeyNotFound, Organizations } from "../merchant/Organizations.ts"
import { reachOf } from "../merchant/Permission.ts"
import { fingerprintOf } from "../secret/Fingerprint.ts"
import { TextDigest } from "../secret/Sha256.ts"
import { isGiven, isStorable, type JsonObject } from "../value/Checks.ts"
import type { ApiKeyId } from "../value/Ids.ts"
import { type Desk, Desks } from "./Desks.ts"

const make = Effect.gen(function* () {
  const organizations = yield* Organizations
  const modes = yield* Modes
  const desks = yield* Desks
  const store = yield* MerchantStore
  const digest = yield* TextDigest
  const { maxOwned } = yield* MerchantSettings

  const open = Effect.fn("OwnOrganizations.open")(function* (account: Account, body: JsonObject, headerKey: unknown) {
    const key = yield* Effect.fromResult(checkIdempotencyKey(headerKey))
    const { name, legalName, idn, referralCode } = body
    const request = {
      name,
      legalName,
      idn,
      ownerPhone: account.phone,
      ownerName: account.name,
      referralCode: codeOf(referralCode)
    }
    // Names of the application's own never begin like this: it would have to know the account.
    return yield* key === null
      ? organizations.create(request, maxOwned)
      : organizations.ensure(request, `cabinet/${account.id}/${fingerprintOf([key], digest)}`, maxOwned)
  })

  const switchMode = Effect.fn("OwnOrganizations.switchMode")(function* (desk: Desk, mode: unknown) {
    if (mode === "live" && desk.organization.mode !== "live") yield* desks.confirmed(desk)
    return yield* gone(modes.switchTo(desk.organization.id, mode))
  })

  const archive = Effect.fn("OwnOrganizations.archive")(function* ({ organization }: Desk) {
    if (!(yield* organizations.setStatus(organization.id, "archived"))) return yield* new OrganizationInactive()
    return { ...organization, status: "archived" as const }
  })

  const createKey = Effect.fn("OwnOrganizations.createKey")(function* (desk: Desk, body: JsonObject) {
    const { organization, mode, role } = desk
    const { name, scopes, connectionId } = body
    // A key does nothing that its maker may not do.
    const refunds = Array.isArray(scopes) && scopes.includes("refunds:write")
    if (refunds && reachOf(role, "invoices:refund", mode) === null) return yield* new InsufficientRole()
    const bound = isGiven(connectionId) ? yield* Effect.fromResult(checkConnectionId(connectionId)) : null
    const request = { organizationId: organization.id, mode, name, scopes, connectionId: bound ?? undefined }
    return yield* gone(organizations.createKey(request))
  })

  const bindKey = Effect.fn("OwnOrganizations.bindKey")(function* (desk: Desk, id: ApiKeyId, wanted: unknown) {
    const { id: organizationId } = desk.organization
    const key = (yield* store.keys(organizationId)).find((each) => each.id === id)
    if (key === undefined) return yield* new KeyNotFound()
    // Bound to another cashier, or to none, it sees and does what it could not.
    if (key.mode === "live") yield* desks.confirmed(desk)
    return yield* organizations.rebindKey(organizationId, id, wanted)
  })

  const deleteKey = Effect.fn("OwnOrganizations.deleteKey")(function* ({ organization }: Desk, id: ApiKeyId) {
    const keys = yield* store.keys(organization.id)
    const isOwn = isStorable(id) && keys.some((key) => key.id === id)
    if (!isOwn || !(yield* organizations.deleteKey(id))) return yield* new KeyNotFound()
  })

  return {
    /**
     * Opens an organization of a person who has logged in, as many as `settings.maxOwned`. The same idempotency key
     * opens one, ever. `referralCode` is a code or its link.
     */
    open,
    /** Live needs a fresh code, and a cashier who works. */
    switchMode,
    /** Its keys and members are refused at once. Those who run the platform can bring it back. */
    archive,
    /** Makes a key of the desk's mode, for nothing that the member may not do. Its text is shown this once. */
    createKey,
    /** Binds a key of the organization to a cashier of it, or to none; a live one takes a fresh code. */
    bindKey,
    /** Deletes a key of the organization, of either mode, at once and for good. */
    deleteKey
  }
})

/** The use-cases of a person's own organizations. */
export class OwnOrganizations extends Context.Service<OwnOrganizations, Effect.Success<typeof make>>()(
  "@tolem/core/OwnOrganizations"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(OwnOrganizations, make)
}

/** The code of a referral link; anything else as it is. */
const codeOf = (given: unknown): unknown =>
  typeof given === "string" ? (URL.parse(given)?.searchParams.get("ref") ?? given.trim()) : given

const gone = <A, E>(self: Effect.Effect<A, E | OrganizationNotFound>): Effect.Effect<A, E | OrganizationInactive> =>
  Effect.mapError(self, (error) => (error instanceof OrganizationNotFound ? new OrganizationInactive() : error))
