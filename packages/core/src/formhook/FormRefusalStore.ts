/** Port: forms that hooks have refused. It holds a bounded number of each hook and reason. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { FormHookId, OrganizationId } from "../value/Ids.ts"
import type { FormRefusal, FormRefusalCount, KeptFormRefusal } from "./FormRefusal.ts"

/** How many forms a hook has refused for a reason, with some of them, oldest first. */
export interface RefusedForms extends FormRefusalCount {
  readonly kept: ReadonlyArray<FormRefusal>
}

/** Which refusals to answer. */
export interface FormRefusalQuery {
  readonly organizationId: OrganizationId
  readonly hookId: FormHookId
  /** Those before are left out. */
  readonly since: number
  /** Those for this reason only; null: all. */
  readonly reason: string | null
  readonly limit: number
}

/** Port: refusals of the last days. */
export class FormRefusalStore extends Context.Service<
  FormRefusalStore,
  {
    /**
     * Adds to the counts of hooks and reasons, each of which is named once, and keeps the refusals. Of a hook and
     * reason the newest `perReason` are kept: others take the place of the oldest, over all servers. What is of no
     * hook, or of one that was removed, is left out. What is lost with the power is lost.
     */
    readonly add: (forms: ReadonlyArray<RefusedForms>, perReason: number) => Effect.Effect<void, StorageError>
    /** Refusals that are kept, the newest first. */
    readonly list: (query: FormRefusalQuery) => Effect.Effect<ReadonlyArray<KeptFormRefusal>, StorageError>
    /** The counts of a hook that have grown since then, the largest first. */
    readonly counts: (
      query: Pick<FormRefusalQuery, "organizationId" | "hookId" | "since">
    ) => Effect.Effect<ReadonlyArray<FormRefusalCount>, StorageError>
    /** Forgets what is of days before this instant, `limit` refusals and as many counts at most. Answers how many. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@tolem/core/FormRefusalStore") {}
