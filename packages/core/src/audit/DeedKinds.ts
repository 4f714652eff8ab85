/** What deeds of an organization are about, so that people find them. Pure. */
import type { Action } from "./Audit.ts"

/** The kinds of deeds. */
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

/** The kind of each action; null: it is of no single organization, whose people never see it. */
const kinds = {
  "account.blocked": null,
  "account.unblocked": null,
  "account.email_noted": null,
  "account.email_confirmed": null,
  "account.email_removed": null,
  "account.renamed": null,
  "messenger.linked": null,
  "messenger.ended": null,
  "login.succeeded": null,
  "login.failed": null,
  "session.ended": null,
  "session.confirmed": null,
  "earning.paid_out": null,
  "sealing.begun": null,
  "operator.granted": null,
  "operator.ended": null,
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
} as const satisfies Readonly<Record<Action, DeedKind | null>>

type Kinds = typeof kinds

/** An action of an organization. */
export type Deed = { readonly [A in Action]: Kinds[A] extends null ? never : A }[Action]

/** The actions of a kind, in the order of the table. */
export const deedsOf = (kind: DeedKind): ReadonlyArray<Action> =>
  (Object.keys(kinds) as ReadonlyArray<Action>).filter((action) => kinds[action] === kind)

/** The kind of an action; null also for one that only newer servers know. */
export const deedKindOf = (action: string): DeedKind | null =>
  (kinds as Readonly<Record<string, DeedKind | null>>)[action] ?? null
