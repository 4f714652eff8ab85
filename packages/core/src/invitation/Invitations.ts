/** Use-cases of invitations: an owner asks a phone to become a member, and the person with that phone answers. */
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { CurrentActor, recordOf } from "../audit/Audit.ts"
import { ConnectionStore } from "../connection/ConnectionStore.ts"
import { refusal } from "../error/Refusal.ts"
import { AccountBlocked, FieldRefused, OrganizationInactive } from "../error/Refusals.ts"
import { DirectoryStore, type MembershipView } from "../merchant/DirectoryStore.ts"
import { noTerms } from "../merchant/Merchant.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { checkTerms } from "../merchant/TermRequests.ts"
import { isStorable, type JsonObject, optionalPhone } from "../value/Checks.ts"
import { type AccountId, Ids, type InvitationId, type OrganizationId } from "../value/Ids.ts"
import * as Rivals from "../work/Rivals.ts"
import { type Invitation, InvitationClosed, type InvitationEnd, settle } from "./Invitation.ts"
import { InvitationSettings } from "./InvitationSettings.ts"
import { type InvitationOwner, InvitationStore } from "./InvitationStore.ts"

/** No such invitation of this organization, or to this person. */
export class InvitationNotFound extends refusal("InvitationNotFound", "invitation_not_found") {}

/** The most that a list shows. */
const maxShown = 50

const deedOf = ({ id, organizationId, role }: Invitation, action: "made" | InvitationEnd) =>
  ({ action: `invitation.${action}`, organizationId, subject: id, detail: role }) as const

const make = Effect.gen(function* () {
  const store = yield* InvitationStore
  const merchants = yield* MerchantStore
  const directory = yield* DirectoryStore
  const connections = yield* ConnectionStore
  const ids = yield* Ids
  const changing = yield* Rivals.make
  const { invitations: settings } = yield* InvitationSettings

  const inForce = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const found = Option.getOrUndefined(yield* merchants.owned(organizationId))
    if (found?.organization.status !== "active") return yield* new OrganizationInactive()
    return found.ownerStatus === "active" ? found.organization : yield* new AccountBlocked()
  })

  const cashiersOf = (organizationId: OrganizationId) =>
    Effect.map(connections.list(organizationId), (all) => all.map(({ id }) => id))

  const create = Effect.fn("Invitations.create")(function* (organizationId: OrganizationId, body: JsonObject) {
    const phone = Result.getOrElse(optionalPhone(body["phone"]), () => null)
    if (phone === null) return yield* new FieldRefused({ code: "invalid_phone" })
    const terms = yield* Effect.fromResult(checkTerms(body, noTerms))
    yield* inForce(organizationId)
    const known = terms.connectionIds.length === 0 ? [] : yield* cashiersOf(organizationId)
    if (!terms.connectionIds.every((id) => known.includes(id))) {
      return yield* new FieldRefused({ code: "invalid_connection_ids" })
    }
    const now = yield* Clock.currentTimeMillis
    const maker = yield* CurrentActor
    const invitation: Invitation = {
      ...terms,
      id: yield* ids.next("ivt"),
      organizationId,
      phone,
      status: "pending",
      madeBy: maker.kind === "account" ? maker.id : null,
      createdAt: now,
      expiresAt: now + settings.openMs,
      settledAt: null
    }
    yield* store.add(invitation, settings, yield* recordOf(ids, deedOf(invitation, "made")))
    return invitation
  })

  const find = Effect.fnUntraced(function* (whose: InvitationOwner, id: InvitationId) {
    const found = isStorable(id) ? yield* store.find(whose, id) : Option.none()
    return Option.isSome(found) ? found.value : yield* new InvitationNotFound()
  })

  /** Ends one, once. Rivals at the same moment hear what the winner has made of it. */
  const ended = (whose: InvitationOwner, id: InvitationId, status: "declined" | "withdrawn") =>
    changing(
      `Invitations.${status}`,
      id
    )(
      Effect.gen(function* () {
        const found = yield* find(whose, id)
        const next = yield* Effect.fromResult(settle(found, status, yield* Clock.currentTimeMillis))
        if (next === found) return Option.some(found)
        const isWritten = yield* store.settle(next, yield* recordOf(ids, deedOf(next, status)))
        return isWritten ? Option.some(next) : Option.none()
      })
    )

  /** What came of one that was accepted before, unless it has ended since. */
  const partIn = Effect.fnUntraced(function* (accountId: AccountId, organizationId: OrganizationId) {
    const parts = yield* directory.parts(accountId)
    return parts.find(({ organization }) => organization.id === organizationId) ?? (yield* new InvitationClosed())
  })

  const tryAccept = Effect.fnUntraced(function* (accountId: AccountId, id: InvitationId) {
    const found = yield* find({ accountId }, id)
    const account = yield* directory.account({ id: accountId })
    if (!Option.exists(account, ({ status }) => status === "active")) return yield* new AccountBlocked()
    const now = yield* Clock.currentTimeMillis
    const next = yield* Effect.fromResult(settle(found, "accepted", now))
    const { organizationId, role, refundLimit } = next
    if (next === found) return Option.some(yield* partIn(accountId, organizationId))
    const organization = yield* inForce(organizationId)
    // Cashiers who have gone since are left out: members lose them in the same way, and nothing widens by it.
    const known = next.connectionIds.length === 0 ? [] : yield* cashiersOf(organizationId)
    const terms = { role, refundLimit, connectionIds: next.connectionIds.filter((each) => known.includes(each)) }
    const part: MembershipView = { organization, ...terms }
    const audits = [
      yield* recordOf(ids, deedOf(next, "accepted")),
      yield* recordOf(ids, { action: "member.added", organizationId, subject: accountId, detail: role })
    ]
    const isWritten = yield* store.accept(next, { organizationId, accountId, createdAt: now, ...terms }, audits)
    return isWritten ? Option.some(part) : Option.none()
  })

  const accept = Effect.fn("Invitations.accept")((accountId: AccountId, id: InvitationId) =>
    changing("Invitations.accept", id)(tryAccept(accountId, id))
  )

  return {
    /**
     * Asks a phone to become a member, in place of what was asked of it before. A member is refused, whatever they
     * are; whether others have an account shows in nothing.
     */
    create,
    /** Those of an organization: first what waits for an answer, then what has ended; newest first, 50 at most. */
    list: Effect.fnUntraced(function* (organizationId: OrganizationId) {
      return yield* store.list(organizationId, yield* Clock.currentTimeMillis, maxShown)
    }),
    /** Takes one back. Again is as once. */
    withdraw: (organizationId: OrganizationId, id: InvitationId) => ended({ organizationId }, id, "withdrawn"),
    /** What waits for an answer of this person, newest first, 50 at most. */
    offered: Effect.fnUntraced(function* (accountId: AccountId) {
      return yield* store.offered(accountId, yield* Clock.currentTimeMillis, maxShown)
    }),
    /** Makes the person a member, as the invitation says, without the cashiers who are gone. Again is as once. */
    accept,
    /** Says no for the person. Again is as once. */
    decline: (accountId: AccountId, id: InvitationId) => ended({ accountId }, id, "declined")
  }
})

/** The use-cases of invitations. */
export class Invitations extends Context.Service<Invitations, Effect.Success<typeof make>>()(
  "@tolem/core/Invitations"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Invitations, make)
}
