/**
 * Who may do what in an organization: one table. Every call of a session asks it in one place, the documents print it,
 * and the cabinet is told its own column. Pure.
 */
import { Schema } from "effect"
import type { Mode } from "../value/Mode.ts"
import type { Role } from "./Merchant.ts"

/**
 * How far a permission reaches. `own`: what belongs to the cashiers given to the member; the sandbox has no cashiers,
 * and is open to them. `limited`: the same, if refunds are allowed to the member, and up to a sum. `sandbox`: in the
 * sandbox only.
 */
export const Reach = Schema.Literals(["all", "own", "limited", "sandbox"])
/** See the schema of the same name. */
export type Reach = typeof Reach.Type

interface Row {
  /** What it is to do, for the documents. */
  readonly about: string
  /** Who may, and how far. Roles that are not named may not. */
  readonly who: Readonly<Partial<Record<Role, Reach>>>
  /** When it takes a code that the member was sent some minutes ago at most. */
  readonly fresh?: "always" | "live keys" | "to switch to live" | "live, if large"
}

const everyone = { owner: "all", manager: "all", accountant: "all", cashier: "all", developer: "all" } as const
const sellers = { owner: "all", manager: "all", accountant: "all", developer: "all" } as const
const plumbers = { owner: "all", manager: "all", developer: "all" } as const
const testers = { owner: "sandbox", manager: "sandbox", developer: "sandbox" } as const
const owners = { owner: "all" } as const
const planners = { owner: "all", manager: "all", developer: "sandbox" } as const
const accountants = { owner: "all", manager: "all", accountant: "all" } as const
const managers = { owner: "all", manager: "all" } as const
const developers = { owner: "all", developer: "all" } as const
const makers = { owner: "all", manager: "all", cashier: "own", developer: "sandbox" } as const
const statementReaders = { owner: "all", accountant: "all" } as const
const bookkeepers = { owner: "all", manager: "all", accountant: "all", cashier: "own" } as const
const writers = { ...bookkeepers, developer: "sandbox" } as const
const refunders = { owner: "all", manager: "all", cashier: "limited", developer: "sandbox" } as const
const readers = { owner: "all", manager: "all", accountant: "all", cashier: "own", developer: "all" } as const

const rows = {
  "organization:read": { about: "See the organization, its tariff, and what one may do there", who: everyone },
  "organization:change": { about: "Change what customers see: name, contact, colour, logo", who: managers },
  "organization:archive": { about: "Archive the organization", who: owners },
  "mode:switch": { about: "Switch between the sandbox and live", who: managers, fresh: "to switch to live" },
  "members:read": { about: "See the members", who: managers },
  "members:change": {
    about: "Invite members, give them other roles and cashiers, remove them",
    who: owners,
    fresh: "always"
  },
  "journal:read": { about: "See who did what, when, and from where, and take it along as a file", who: owners },
  "keys:read": { about: "See API keys, without their texts", who: developers },
  "keys:bind": { about: "Bind an API key to a cashier", who: developers, fresh: "live keys" },
  "keys:change": { about: "Make and delete API keys", who: developers, fresh: "always" },
  "connections:read": { about: "See the cashiers", who: readers },
  "connections:change": { about: "Add cashiers, disable and remove them, choose the default one", who: managers },
  "connections:login": { about: "Log cashiers in at the provider", who: owners, fresh: "always" },
  "requests:read": { about: "See the requests of API keys in the last day", who: plumbers },
  "sandbox:change": { about: "Move the clock of the sandbox, and have events happen in it", who: testers },
  "webhooks:read": { about: "See webhook endpoints and what was sent to them", who: plumbers },
  "webhooks:change": { about: "Change webhook endpoints, send events again", who: plumbers },
  "links:read": { about: "See payment links and form hooks", who: sellers },
  "links:change": { about: "Make and change payment links and form hooks", who: plumbers },
  "subscriptions:read": { about: "See subscriptions", who: sellers },
  "subscriptions:change": { about: "Make, change, pause and cancel subscriptions, run them now", who: planners },
  "reports:read": { about: "See sums and totals", who: readers },
  "reconciliation:read": { about: "See what differs from the provider's own list", who: accountants },
  "reconciliation:change": { about: "Have days compared, and end what differs with a note", who: accountants },
  "reports:letters": { about: "Have the statement of each month by letter", who: statementReaders },
  "notices:choose": { about: "Choose what one is told of oneself, by letter and in Telegram", who: everyone },
  "notices:chat": { about: "Begin one's own chat in Telegram", who: everyone, fresh: "always" },
  "tariff:read": { about: "See what is used of the tariff, and which there are", who: everyone },
  "bills:read": { about: "See what was ordered of tariffs, and its bills", who: accountants },
  "tariff:buy": { about: "Order a tariff", who: owners },
  "clients:read": { about: "See the clients of a partner", who: plumbers },
  "clients:change": { about: "Open clients as a partner, and look after them", who: managers, fresh: "always" },
  "invoices:read": { about: "See invoices and their letters", who: readers },
  "letters:resend": { about: "Have a letter about an invoice sent again", who: writers },
  "invoices:export": { about: "Take invoices along as a file for spreadsheets", who: bookkeepers },
  "invoices:create": { about: "Make invoices", who: makers },
  "invoices:cancel": { about: "Cancel invoices", who: makers },
  "invoices:simulate": { about: "Pretend payments in the sandbox", who: makers },
  "refunds:resolve": {
    about: "Say what became of refunds of which the provider does not tell",
    who: managers,
    fresh: "always"
  },
  "invoices:refund": { about: "Give money back", who: refunders, fresh: "live, if large" }
} as const satisfies Readonly<Record<string, Row>>

/** Something that a session may be asked to do in an organization. */
export type Permission = keyof typeof rows

/** The table. */
export const permissions: Readonly<Record<Permission, Row>> = rows

/** All of them, in the order of the table. */
export const allPermissions = Object.keys(rows) as ReadonlyArray<Permission>

/** How far a role may go in a mode; null: it may not. */
export const reachOf = (role: Role, permission: Permission, mode: Mode): Reach | null => {
  const reach = permissions[permission].who[role] ?? null
  return reach === "sandbox" && mode !== "sandbox" ? null : reach
}

/** The column of a role, whatever the mode. */
export const reachesOf = (role: Role) =>
  Object.fromEntries(
    allPermissions.map((permission) => [permission, permissions[permission].who[role] ?? null])
  ) as Readonly<Record<Permission, Reach | null>>
