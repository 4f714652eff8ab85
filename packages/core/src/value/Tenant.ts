/** What shares are counted by: an organization in one mode. What one makes happen never delays another for long. */
import type { Effect } from "effect"
import type { ConnectionId, OrganizationId } from "./Ids.ts"
import type { Mode } from "./Mode.ts"

/** What something belongs to. */
export interface Tenant {
  readonly organizationId: OrganizationId
  readonly mode: Mode
}

/** The tenant as a key. */
export const tenantKey = ({ organizationId, mode }: Tenant): string => `${mode} ${organizationId}`

/** Whose rows a caller sees: those of one organization and mode, and of one cashier if their key is bound to one. */
export interface Viewer extends Tenant {
  readonly connectionId: ConnectionId | null
}

type Seen = Pick<Viewer, "mode" | "connectionId">

/** Whether a viewer of the organization sees what is of this mode and cashier. The sandbox has no cashiers. */
export const isWithin = (viewer: Seen, thing: Seen): boolean => {
  const cashier = cashierOf(viewer)
  return thing.mode === viewer.mode && (cashier === null || thing.connectionId === cashier)
}

/** The cashier whose rows the viewer sees, and makes; null: the organization's. */
export const cashierOf = ({ mode, connectionId }: Seen): string | null => (mode === "live" ? connectionId : null)

/** Whose rows the viewer's lists have. */
export const scopeOf = ({ organizationId, mode, connectionId }: Viewer): Viewer => ({
  organizationId,
  mode,
  connectionId: cashierOf({ mode, connectionId })
})

/** Whose rows to claim, and how many of each at most. */
export interface Among {
  readonly tenants: ReadonlyArray<Tenant>
  readonly each: number
  /** Keys of those that have as much under way as they may, no matter who asks for theirs. */
  readonly busy?: ReadonlySet<string>
}

/** Who has something due: of the organizations behind a place in their order, as many as one look takes in. */
export interface WaitingTenants {
  readonly tenants: ReadonlyArray<Tenant>
  /** Where the next look goes on; null: this one has come to the end. */
  readonly next: string | null
}

/** Looks at who has something due at `now`, from the organization behind `after` on; the empty text is before all. */
export type LookAtWaiting<E> = (now: number, after: string) => Effect.Effect<WaitingTenants, E>
