/** Port: what those who listen for changes are asked about together, however many they are. It only reads. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { MemberTerms, Role } from "../merchant/Merchant.ts"
import type { OrganizationId, SessionId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"

/** As what a member works: different after each change of their role or terms. Pure. */
export const standingOf = ({ role, connectionIds, refundLimit }: MemberTerms & { readonly role: Role }): string =>
  `${role} ${connectionIds.join(" ")} ${refundLimit ?? "none"}`

/** A session at an organization. */
export interface Presence {
  readonly sessionId: SessionId
  readonly organizationId: OrganizationId
}

/** A cashier (mode null) or an endpoint, and what is different after each of its changes. */
export interface WatchedThing {
  readonly type: "connection" | "endpoint"
  readonly id: string
  readonly organizationId: OrganizationId
  readonly mode: Mode | null
  readonly state: string
}

/** Port: the state of what has no events. */
export class ChangeStore extends Context.Service<
  ChangeStore,
  {
    /**
     * As what each session is at its organization, as `standingOf` says; null: it has ended, or is no member of one in
     * force any more.
     */
    readonly standing: (
      presences: ReadonlyArray<Presence>,
      now: number
    ) => Effect.Effect<ReadonlyArray<string | null>, StorageError>
    /** All cashiers and endpoints of these organizations. */
    readonly things: (
      organizationIds: ReadonlyArray<OrganizationId>
    ) => Effect.Effect<ReadonlyArray<WatchedThing>, StorageError>
  }
>()("@tolem/core/ChangeStore") {}
