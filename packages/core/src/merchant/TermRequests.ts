/** Checks of what a member is to be given: a role, cashiers, a limit of refunds. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { isStorable, type JsonObject } from "../value/Checks.ts"
import { fromTenge } from "../value/Money.ts"
import { type GivenRole, type MemberTerms, Role } from "./Merchant.ts"

/** A role, and what is given with it. */
export interface GivenTerms extends MemberTerms {
  readonly role: GivenRole
}

/** The most cashiers that one member is given. */
const maxGivenCashiers = 50

const givenRoles = Role.literals.filter((role): role is GivenRole => role !== "owner")

/** What a request gives. What it does not name is as in `before`; without that a role must be named. */
export const checkTerms = (
  body: JsonObject,
  before: MemberTerms & { readonly role?: GivenRole }
): Result.Result<GivenTerms, FieldRefused<"invalid_role" | "invalid_connection_ids" | "invalid_refund_limit">> =>
  Result.gen(function* () {
    const role = body["role"] === undefined ? before.role : givenRoles.find((each) => each === body["role"])
    if (role === undefined) return yield* Result.fail("invalid_role" as const)
    const connectionIds = yield* cashiersOf(body["connectionIds"], before)
    const refundLimit = yield* limitOf(body["refundLimit"], before)
    return { role, connectionIds, refundLimit } satisfies GivenTerms
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const cashiersOf = (value: unknown, { connectionIds }: MemberTerms) => {
  if (value === undefined) return Result.succeed(connectionIds)
  const isList = Array.isArray(value) && value.length <= maxGivenCashiers
  return isList && value.every((id): id is string => typeof id === "string" && isStorable(id))
    ? Result.succeed([...new Set(value)])
    : Result.fail("invalid_connection_ids" as const)
}

const limitOf = (value: unknown, { refundLimit }: MemberTerms) => {
  if (value === undefined) return Result.succeed(refundLimit)
  if (value === null) return Result.succeed(null)
  return Result.filterOrFail(
    Result.mapError(fromTenge(value), () => "invalid_refund_limit" as const),
    (limit) => limit > 0,
    () => "invalid_refund_limit" as const
  )
}
