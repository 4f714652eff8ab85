/**
 * Port: how far the clocks of sandboxes are ahead. A merchant may move their sandbox's clock forward, to see a year of
 * subscriptions in seconds; everything of that sandbox then happens at the moved time.
 */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { OrganizationId } from "../value/Ids.ts"

/** Port: the clocks of sandboxes. */
export class ClockStore extends Context.Service<
  ClockStore,
  {
    /** The organizations whose sandbox clock is ahead, and by how many milliseconds. Most databases have none. */
    readonly ahead: Effect.Effect<ReadonlyMap<string, number>, StorageError>
    /** Moves the clock of a sandbox to `aheadMs`; never back. Answers by how much it is ahead now. */
    readonly advance: (organizationId: OrganizationId, aheadMs: number) => Effect.Effect<number, StorageError>
    /** The earliest instant at which a sandbox invoice, subscription or run of it is due; null: none is. */
    readonly nextDueAt: (organizationId: OrganizationId) => Effect.Effect<number | null, StorageError>
  }
>()("@tolem/core/ClockStore") {}
