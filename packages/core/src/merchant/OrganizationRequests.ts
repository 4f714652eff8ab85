/** Checks of the requests about organizations and keys. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { isGiven, maxIdempotencyKey, optionalLine, optionalNonEmptyText, optionalPhone } from "../value/Checks.ts"
import type { ConnectionId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { KeyScope } from "./Merchant.ts"

/** What is asked for a new organization. `ownerPhone` has the form 7XXXXXXXXXX. */
export interface OrganizationRequest {
  readonly name: unknown
  readonly ownerPhone: unknown
  readonly ownerName?: unknown
  readonly legalName?: unknown
  readonly idn?: unknown
  /** Code of the catalogue. The trial, which is the default, ends by itself; any other one is without end. */
  readonly tariff?: string | undefined
  /** Code of the account that has brought the merchant. An unknown one is `invalid_referral_code`. */
  readonly referralCode?: unknown
}

/** The same, for those who write it in TypeScript; `checkOrganization` says what the values may be. */
export type OrganizationDetails = {
  readonly name: string
  /** 7XXXXXXXXXX. */
  readonly ownerPhone: string
  readonly ownerName?: string | null | undefined
  readonly legalName?: string | null | undefined
  readonly idn?: string | null | undefined
  readonly tariff?: string | undefined
  readonly referralCode?: string | null | undefined
}

/** What is asked for a new key. */
export interface KeyRequest {
  readonly organizationId: OrganizationId
  readonly mode: Mode
  readonly name: unknown
  readonly scopes: unknown
  readonly connectionId?: ConnectionId | undefined
}

/** The same, for those who write it in TypeScript; `checkKey` says what the values may be. */
export type KeyDetails = Omit<KeyRequest, "name" | "scopes"> & {
  readonly name: string
  readonly scopes: ReadonlyArray<KeyScope>
}

/** The most characters of a name, and of the number of a company or a person. */
export const organizationBounds = { name: 200, idn: 12 } as const

/** The Idempotency-Key of a request; null: none. */
export const checkIdempotencyKey = (
  value: unknown
): Result.Result<string | null, FieldRefused<"invalid_idempotency_key">> =>
  Result.mapError(
    optionalNonEmptyText(value, maxIdempotencyKey, "invalid_idempotency_key"),
    (code) => new FieldRefused({ code })
  )

/** The cashier that a key is to be bound to; null: none. */
export const checkConnectionId = (
  value: unknown
): Result.Result<string | null, FieldRefused<"invalid_connection_id">> =>
  Result.mapError(
    value === undefined
      ? Result.fail("invalid_connection_id" as const)
      : optionalNonEmptyText(value, organizationBounds.name, "invalid_connection_id"),
    (code) => new FieldRefused({ code })
  )

/** What a key of a partner's client may do unless something else is said. */
export const clientScopes: ReadonlyArray<KeyScope> = KeyScope.literals.filter((scope) => scope !== "partner:manage")

const requiredName = (value: unknown): Result.Result<string, "invalid_name"> =>
  Result.flatMap(optionalLine(value, organizationBounds.name, "invalid_name"), (name) =>
    name === null || name.trim() === "" ? Result.fail("invalid_name" as const) : Result.succeed(name)
  )

/** What a request asks for, checked. */
export const checkOrganization = (request: OrganizationRequest) =>
  Result.gen(function* () {
    const name = yield* requiredName(request.name)
    const ownerPhone = yield* Result.flatMap(optionalPhone(request.ownerPhone), (phone) =>
      phone === null ? Result.fail("invalid_phone" as const) : Result.succeed(phone)
    )
    const ownerName = yield* optionalLine(request.ownerName, organizationBounds.name, "invalid_name")
    const legalName = yield* optionalLine(request.legalName, organizationBounds.name, "invalid_name")
    const idn = yield* optionalLine(request.idn, organizationBounds.idn, "invalid_idn")
    return { name, ownerPhone, ownerName, legalName, idn }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** The referral code that a request names; null: none. */
export const checkReferralCode = (
  code: unknown
): Result.Result<string | null, FieldRefused<"invalid_referral_code">> => {
  if (!isGiven(code)) return Result.succeed(null)
  return typeof code === "string" && /^[0-9a-z]{1,32}$/.test(code)
    ? Result.succeed(code)
    : Result.fail(new FieldRefused({ code: "invalid_referral_code" }))
}

/** The name and the scopes that a request asks for, checked. */
export const checkKey = (request: KeyRequest) =>
  Result.gen(function* () {
    const name = yield* requiredName(request.name)
    const { scopes } = request
    if (!isGiven(scopes) || !Array.isArray(scopes) || scopes.length === 0) {
      return yield* Result.fail("invalid_scopes" as const)
    }
    const known = KeyScope.literals.filter((scope) => scopes.includes(scope))
    const strange = scopes.some((scope) => !known.includes(scope))
    return strange ? yield* Result.fail("invalid_scopes" as const) : { name, scopes: known }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))
