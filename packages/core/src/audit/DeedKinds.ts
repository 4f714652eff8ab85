/** What deeds are about, so that people find them. Pure. */
import type { Action } from "./Audit.ts"

/** The kinds of deeds of an organization. */
export const deedKinds = [
  "organization",
  "members",
  "keys",
  "webhooks",
  "cashiers",
  "refunds",
  "letters",
  "exports",
  "reconciliation",
  "tariff",
  "looks"
] as const
/** See the list. */
export type DeedKind = (typeof deedKinds)[number]

/** The kinds of what is of no single organization, whose people never see it: operators alone do. */
export const platformKinds = ["accounts", "sessions", "operators", "payouts", "sealing"] as const
/** See the list. */
export type PlatformKind = (typeof platformKinds)[number]

/** The kind of each action. */
const kinds = {
  "account.blocked": "accounts",
  "account.unblocked": "accounts",
  "account.email_noted": "accounts",
  "account.email_confirmed": "accounts",
  "account.email_removed": "accounts",
  "account.renamed": "accounts",
  "messenger.linked": "accounts",
  "messenger.ended": "accounts",
  "login.succeeded": "sessions",
  "login.failed": "sessions",
  "session.ended": "sessions",
  "session.confirmed": "sessions",
  "earning.paid_out": "payouts",
  "sealing.begun": "sealing",
  "operator.granted": "operators",
  "operator.ended": "operators",
  "organization.opened": "organization",
  "organization.archived": "organization",
  "organization.restored": "organization",
  "organization.mode_switched": "organization",
  "organization.changed": "organization",
  "organization.logo_set": "organization",
  "organization.logo_removed": "organization",
  "member.added": "members",
  "member.removed": "members",
  "invitation.made": "members",
  "invitation.accepted": "members",
  "invitation.declined": "members",
  "invitation.withdrawn": "members",
  "key.created": "keys",
  "key.bound": "keys",
  "key.deleted": "keys",
  "endpoint.created": "webhooks",
  "endpoint.changed": "webhooks",
  "endpoint.secret_rotated": "webhooks",
  "endpoint.deleted": "webhooks",
  "connection.created": "cashiers",
  "connection.logged_in": "cashiers",
  "connection.disabled": "cashiers",
  "connection.enabled": "cashiers",
  "connection.made_default": "cashiers",
  "connection.deleted": "cashiers",
  "refund.requested": "refunds",
  "refund.resolved": "refunds",
  "refund.asked": "refunds",
  "letter.resent": "letters",
  "statement_letters.chosen": "letters",
  "statement_letters.ended": "letters",
  "notices.chosen": "letters",
  "notices.ended": "letters",
  "invoices.exported": "exports",
  "invoices.export_ended": "exports",
  "reconciliation.asked": "reconciliation",
  "work_item.found": "reconciliation",
  "work_item.gone": "reconciliation",
  "work_item.settled": "reconciliation",
  "work_item.accepted": "reconciliation",
  "tariff.granted": "tariff",
  "tariff.ordered": "tariff",
  "tariff.paid": "tariff",
  "invoice.looked_at": "looks",
  "invoices.looked_at": "looks"
} as const satisfies Readonly<Record<Action, DeedKind | PlatformKind>>

type Kinds = typeof kinds

type OfKind<K> = { readonly [A in Action]: Kinds[A] extends K ? A : never }[Action]

/** An action of an organization. */
export type Deed = OfKind<DeedKind>

/** An action of no single organization. */
export type PlatformDeed = OfKind<PlatformKind>

/** The actions of a kind, in the order of the table. */
export const deedsOf = (kind: DeedKind | PlatformKind): ReadonlyArray<Action> =>
  (Object.keys(kinds) as ReadonlyArray<Action>).filter((action) => kinds[action] === kind)

/** The kind of an action; null: only newer servers know it. */
export const anyKindOf = (action: string): DeedKind | PlatformKind | null =>
  Object.hasOwn(kinds, action) ? kinds[action as Action] : null

/** The kind of an action of an organization; null also for one that only newer servers know. */
export const deedKindOf = (action: string): DeedKind | null =>
  deedKinds.find((kind) => kind === anyKindOf(action)) ?? null
