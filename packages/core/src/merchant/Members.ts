/** Use-cases of the members of organizations. */
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { recordOf } from "../audit/Audit.ts"
import { AccountBlocked, FieldRefused, Forbidden, OrganizationInactive } from "../error/Refusals.ts"
import { optionalEmail, optionalPhone } from "../value/Checks.ts"
import { type AccountId, Ids, type OrganizationId } from "../value/Ids.ts"
import { DirectoryStore, type Member } from "./DirectoryStore.ts"
import { isInForce, noTerms, type Role, referralCodeOf } from "./Merchant.ts"
import { MerchantStore, OrganizationNotFound } from "./MerchantStore.ts"

/** Who becomes a member, and as what. */
export interface MemberRequest {
  /** 7XXXXXXXXXX. */
  readonly phone: unknown
  readonly role: Exclude<Role, "owner">
  readonly email?: unknown
}

const make = Effect.gen(function* () {
  const merchants = yield* MerchantStore
  const directory = yield* DirectoryStore
  const ids = yield* Ids

  const enter = Effect.fnUntraced(function* (accountId: AccountId, organizationId: OrganizationId) {
    const parts = yield* directory.parts(accountId)
    const part = parts.find(({ organization }) => organization.id === organizationId)
    if (part === undefined) return yield* new Forbidden()
    if (part.organization.status === "archived") return yield* new OrganizationInactive()
    const owned = yield* merchants.owned(organizationId)
    if (!Option.exists(owned, isInForce)) return yield* new AccountBlocked()
    return part
  })

  const add = Effect.fn("Members.add")(function* (organizationId: OrganizationId, wanted: MemberRequest) {
    const { role } = wanted
    const phone = Result.getOrElse(optionalPhone(wanted.phone), () => null)
    if (phone === null) return yield* new FieldRefused({ code: "invalid_phone" })
    const email = yield* Effect.mapError(
      Effect.fromResult(optionalEmail(wanted.email)),
      (code) => new FieldRefused({ code })
    )
    if (Option.isNone(yield* merchants.organization(organizationId))) return yield* new OrganizationNotFound()
    const now = yield* Clock.currentTimeMillis
    const id = yield* ids.next("acc")
    const known = { id, phone, name: null, email: null, status: "active" } as const
    const added = yield* directory.addAccount({ ...known, referralCode: referralCodeOf(id), createdAt: now })
    const noted = { action: "account.email_noted", organizationId, subject: added.id } as const
    if (wanted.email !== undefined) yield* directory.setEmail(added.id, email, yield* recordOf(ids, noted))
    const account = wanted.email === undefined ? added : { ...added, email }
    const membership = { organizationId, accountId: account.id, role, createdAt: now }
    const deed = { action: "member.added", organizationId, subject: account.id, detail: role } as const
    const isSet = yield* directory.setMember(membership, yield* recordOf(ids, deed))
    const part: Member = { account, role: isSet ? role : "owner", ...noTerms }
    return part
  })

  const remove = Effect.fn("Members.remove")(function* (organizationId: OrganizationId, phone: string) {
    const account = yield* directory.account({ phone })
    if (Option.isNone(account)) return false
    const { id } = account.value
    const audit = yield* recordOf(ids, { action: "member.removed", organizationId, subject: id })
    return yield* directory.removeMember(organizationId, id, audit)
  })

  return {
    /** Oldest first. */
    list: directory.members,
    /**
     * Lets a member act for an organization that is in force; answers it with their role. Others are refused alike,
     * whether or not it exists.
     */
    enter,
    /**
     * Makes the person with this phone a member, or gives them another role; the owner keeps theirs. With `email` it
     * notes their address, for the operator to vouch for; null takes it away.
     */
    add,
    /** Ends a membership. False if there is none, or for the owner. */
    remove
  }
})

/** Lets members act for their organizations. */
export class Members extends Context.Service<Members, Effect.Success<typeof make>>()("@tolem/core/Members") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Members, make)
}
