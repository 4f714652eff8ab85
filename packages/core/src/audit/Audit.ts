/**
 * The audit log: who has done what to the things that money hangs on, when, and from where. A record is written with
 * what it tells of, and never changed.
 */
import { Context, Effect } from "effect"
import { inRealTime, realNow } from "../time/SandboxClocks.ts"
import { toIso } from "../value/Calendar.ts"
import type { AuditId, Ids, OrganizationId } from "../value/Ids.ts"

/** What was done. */
export type Action =
  | "account.blocked"
  | "account.unblocked"
  | "account.email_noted"
  | "account.email_confirmed"
  | "account.email_removed"
  | "account.renamed"
  | "login.succeeded"
  | "login.failed"
  | "session.ended"
  | "session.confirmed"
  | "organization.opened"
  | "organization.archived"
  | "organization.restored"
  | "organization.mode_switched"
  | "organization.changed"
  | "organization.logo_set"
  | "organization.logo_removed"
  | "member.added"
  | "member.removed"
  | "invitation.made"
  | "invitation.accepted"
  | "invitation.declined"
  | "invitation.withdrawn"
  | "tariff.granted"
  | "tariff.ordered"
  | "tariff.paid"
  | "earning.paid_out"
  | "key.created"
  | "key.bound"
  | "key.deleted"
  | "endpoint.created"
  | "endpoint.changed"
  | "endpoint.secret_rotated"
  | "endpoint.deleted"
  | "connection.created"
  | "connection.logged_in"
  | "connection.disabled"
  | "connection.enabled"
  | "connection.made_default"
  | "connection.deleted"
  | "refund.requested"
  | "refund.resolved"
  | "refund.asked"
  | "letter.resent"
  | "invoices.exported"
  | "invoices.export_ended"
  | "statement_letters.chosen"
  | "statement_letters.ended"
  | "notices.chosen"
  | "notices.ended"
  | "messenger.linked"
  | "messenger.ended"
  | "reconciliation.asked"
  | "work_item.found"
  | "work_item.gone"
  | "work_item.settled"
  | "work_item.accepted"
  | "operator.granted"
  | "operator.ended"
  | "invoice.looked_at"
  | "invoices.looked_at"
  | "sealing.begun"

/** Who acts: the holder of a key, a person, an operator at the command line, or the application itself. */
export interface Actor {
  readonly kind: "key" | "account" | "operator" | "application"
  /** Id of the key or account, name of the operator's user; null if neither is known. */
  readonly id: string | null
  /** Network address or machine that the request came from; null if there is none. */
  readonly origin: string | null
}

/** Who acts in the current fiber. Set by what lets a request in. */
export const CurrentActor = Context.Reference<Actor>("@tolem/core/CurrentActor", {
  defaultValue: () => ({ kind: "application", id: null, origin: null })
})

/** What was done to what. */
export interface AuditFact {
  readonly action: Action
  /** Null where it concerns no single organization. */
  readonly organizationId: OrganizationId | null
  /** Id of what it was done to. */
  readonly subject: string
  /** What else is to be known, without secrets. */
  readonly detail?: string | null
}

/** A line of the log. */
export interface AuditRecord extends AuditFact {
  readonly id: AuditId
  readonly detail: string | null
  readonly actor: Actor
  readonly createdAt: number
}

/** The record of a deed of the current actor. */
export const recordOf = Effect.fnUntraced(function* (ids: Ids["Service"], deed: AuditFact) {
  const record: AuditRecord = {
    ...deed,
    detail: deed.detail ?? null,
    // Records are read in the order of their ids.
    id: yield* inRealTime(ids.next("aud")),
    actor: yield* CurrentActor,
    createdAt: yield* realNow
  }
  return record
})

/** A line of the log as it is shown. */
export const auditJson = ({ createdAt, ...record }: AuditRecord) => ({ ...record, createdAt: toIso(createdAt) })
