/**
 * Where members work: a person at an organization, in a mode. Every call of a session is let in here and nowhere else:
 * membership, organization, mode, role.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { FieldRefused, FreshCodeRequired, InsufficientRole, InvoiceNotFound } from "../error/Refusals.ts"
import type { Caller } from "../invoice/InvoiceCreation.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import type { SessionHolder } from "../login/LoginStore.ts"
import { isFresh } from "../login/Session.ts"
import { Members } from "../merchant/Members.ts"
import type { MemberTerms, Organization, Role } from "../merchant/Merchant.ts"
import { type Permission, permissions, type Reach, reachOf } from "../merchant/Permission.ts"
import { isStorable } from "../value/Checks.ts"
import type { AccountId, ConnectionId, InvoiceId, OrganizationId } from "../value/Ids.ts"
import { Mode } from "../value/Mode.ts"
import type { Viewer } from "../value/Tenant.ts"

/** What is seen from where. Members have it by what they were let in for, applications by `outlookOf`. */
export interface Outlook extends Pick<MemberTerms, "connectionIds"> {
  readonly organization: Pick<Organization, "id">
  readonly role: Role
  /** Whose rows they see and make: those of this mode. */
  readonly mode: Mode
  /** How far they may go with what they were let in for. */
  readonly reach: Reach
}

/** A member at work, let in for one thing. */
export interface Desk extends Outlook, MemberTerms {
  readonly accountId: AccountId
  readonly organization: Organization
  /** Whether they have a fresh code. */
  readonly isFresh: boolean
}

/** What a call asks to be let in for. */
export interface Purpose {
  readonly organizationId: OrganizationId
  readonly permission: Permission
  /** As the request names it; absent: the one that the organization works in. */
  readonly mode?: unknown
}

const make = Effect.gen(function* () {
  const members = yield* Members
  const invoices = yield* InvoiceStore

  const open = Effect.fn("Desks.open")(function* (
    { account, session }: SessionHolder,
    { organizationId, permission, mode: asked }: Purpose
  ) {
    const part = yield* members.enter(account.id, isStorable(organizationId) ? organizationId : "")
    const { organization, role, connectionIds, refundLimit } = part
    const mode = asked === undefined ? organization.mode : Mode.literals.find((each) => each === asked)
    if (mode === undefined) return yield* new FieldRefused({ code: "invalid_mode" })
    const reach = reachOf(role, permission, mode)
    if (reach === null) return yield* new InsufficientRole()
    const fresh = isFresh(session, yield* Clock.currentTimeMillis)
    const member = { accountId: account.id, organization, role, connectionIds, refundLimit }
    const desk: Desk = { ...member, mode, reach, isFresh: fresh }
    if (permissions[permission].fresh === "always") yield* confirmed(desk)
    return desk
  })

  const confirmed = (desk: Desk) => (desk.isFresh ? Effect.void : Effect.fail(new FreshCodeRequired()))

  const callerFor = Effect.fnUntraced(function* (desk: Outlook, id: InvoiceId) {
    const found = isStorable(id) ? Option.getOrUndefined(yield* invoices.find(id)) : undefined
    if (found?.organizationId !== desk.organization.id || found.mode !== desk.mode) return yield* new InvoiceNotFound()
    if (!isOpenTo(desk, found.connectionId)) return yield* new InvoiceNotFound()
    return callerOf(desk, found.connectionId)
  })

  return {
    /**
     * Lets a member of an organization in force in for one thing. Strangers are refused alike, whether or not it
     * exists.
     */
    open,
    /** Asks for a fresh code where not the permission alone says whether one is needed. */
    confirmed,
    /**
     * The member as the caller of what is done with one invoice. What is not theirs to see is refused as if it were
     * not there.
     */
    callerFor
  }
})

/** The one place where calls of a session are let in. */
export class Desks extends Context.Service<Desks, Effect.Success<typeof make>>()("@tolem/core/Desks") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Desks, make)
}

/** What an application sees: all, or as a cashier does what belongs to the one that it is bound to. Pure. */
export const outlookOf = ({ organizationId, mode, connectionId }: Viewer): Outlook => ({
  organization: { id: organizationId },
  mode,
  ...(connectionId === null
    ? { role: "owner", reach: "all", connectionIds: [] }
    : { role: "cashier", reach: "own", connectionIds: [connectionId] })
})

/** Whether what belongs to this cashier (null: to none) is open to the member. Pure. */
export const isOpenTo = ({ mode, reach, connectionIds }: Outlook, connectionId: ConnectionId | null): boolean =>
  mode === "sandbox" ||
  reach === "all" ||
  reach === "sandbox" ||
  (connectionId !== null && connectionIds.includes(connectionId))

/** Whether they see what belongs to the cashiers given to them and nothing else. Pure. */
export const isNarrow = ({ mode, reach }: Outlook): boolean =>
  mode === "live" && (reach === "own" || reach === "limited")

/** Whose things they see, beside invoices: those of the organization, in the mode. Pure. */
export const viewerOf = ({ organization, mode }: Outlook): Viewer => ({
  organizationId: organization.id,
  mode,
  connectionId: null
})

/** The member as who asks for something of a cashier's; null: of the organization. Pure. */
export const callerOf = ({ organization, mode }: Outlook, connectionId: ConnectionId | null): Caller => ({
  organizationId: organization.id,
  mode,
  connectionId,
  source: "cabinet"
})
