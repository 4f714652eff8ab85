/** Use-cases of the members of an organization, as its owner asks for them in the cabinet. */
import { Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../audit/Audit.ts"
import { ConnectionStore } from "../connection/ConnectionStore.ts"
import { refusal } from "../error/Refusal.ts"
import { FieldRefused } from "../error/Refusals.ts"
import { DirectoryStore, type Member } from "../merchant/DirectoryStore.ts"
import type { GivenRole } from "../merchant/Merchant.ts"
import { checkTerms, type GivenTerms } from "../merchant/TermRequests.ts"
import { isStorable, type JsonObject } from "../value/Checks.ts"
import { type AccountId, Ids } from "../value/Ids.ts"
import * as Rivals from "../work/Rivals.ts"
import type { Desk, Outlook } from "./Desks.ts"

/** The organization has no such member, or it is the owner, who stays as they are. */
export class MemberNotFound extends refusal("MemberNotFound", "member_not_found") {}

/** Of which organization. */
type At = Pick<Outlook, "organization">

const make = Effect.gen(function* () {
  const directory = yield* DirectoryStore
  const connections = yield* ConnectionStore
  const ids = yield* Ids
  const changing = yield* Rivals.make

  const find = Effect.fnUntraced(function* ({ organization }: At, accountId: AccountId) {
    const members = yield* directory.members(organization.id)
    const found = members.find(({ account, role }) => account.id === accountId && role !== "owner")
    return found ?? (yield* new MemberNotFound())
  })

  /** What `body` gives a member who has `before`. Cashiers of others cannot be given. */
  const termsOf = Effect.fnUntraced(function* ({ organization }: At, body: JsonObject, before: GivenTerms) {
    const wanted = yield* Effect.fromResult(checkTerms(body, before))
    const isAsked = body["connectionIds"] !== undefined && wanted.connectionIds.length > 0
    const known = isAsked ? (yield* connections.list(organization.id)).map(({ id }) => id) : wanted.connectionIds
    return wanted.connectionIds.every((id) => known.includes(id))
      ? wanted
      : yield* new FieldRefused({ code: "invalid_connection_ids" })
  })

  const tryChange = Effect.fnUntraced(function* (desk: At, accountId: AccountId, body: JsonObject) {
    const member = yield* find(desk, accountId)
    const { role, connectionIds, refundLimit } = member
    const before = { role: role as GivenRole, connectionIds, refundLimit }
    const terms = yield* termsOf(desk, body, before)
    const organizationId = desk.organization.id
    const deed = { action: "member.added", organizationId, subject: accountId, detail: terms.role } as const
    const wanted = { organizationId, accountId, ...terms }
    const isChanged = yield* directory.changeMember(wanted, before, yield* recordOf(ids, deed))
    const changed: Member = { ...member, ...terms }
    return isChanged ? Option.some(changed) : Option.none()
  })

  // Again from what another has written meanwhile: their change stays where this one says nothing of it.
  const change = Effect.fn("Team.change")((desk: At, accountId: AccountId, body: JsonObject) =>
    changing("Team.change", `${desk.organization.id} ${accountId}`)(tryChange(desk, accountId, body))
  )

  const remove = Effect.fn("Team.remove")(function* ({ organization }: Desk, accountId: AccountId) {
    const organizationId = organization.id
    const audit = yield* recordOf(ids, { action: "member.removed", organizationId, subject: accountId })
    const isGone = isStorable(accountId) && (yield* directory.removeMember(organizationId, accountId, audit))
    if (!isGone) return yield* new MemberNotFound()
  })

  return {
    /** The members, oldest first. */
    list: ({ organization }: Desk) => directory.members(organization.id),
    /** Gives a member another role, other cashiers, or another limit of refunds; what is not named stays. */
    change,
    /** Ends a membership at once; the owner stays. */
    remove
  }
})

/** The use-cases of members. */
export class Team extends Context.Service<Team, Effect.Success<typeof make>>()("@tolem/core/Team") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Team, make)
}
