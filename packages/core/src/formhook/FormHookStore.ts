/** Port: where form hooks are kept. Each verb is one atomic step. */

import { Context, type Effect, type Option } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { FormHookId, OrganizationId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import type { FormHook } from "./FormHook.ts"

/** The organization has as many hooks in this mode as it may. */
export class TooManyHooks extends refusal("TooManyHooks", "too_many_hooks") {}

/** Port: form hooks. Removed hooks are kept, but no verb finds them. */
export class FormHookStore extends Context.Service<
  FormHookStore,
  {
    /** Adds a hook if its organization has fewer than `limit` in its mode; exact under concurrency. */
    readonly add: (hook: FormHook, limit: number) => Effect.Effect<void, TooManyHooks | StorageError>
    /** The hook with this id, whichever organization owns it: the caller decides what may be seen. */
    readonly find: (id: FormHookId) => Effect.Effect<Option.Option<FormHook>, StorageError>
    /** Hooks of the organization in its mode, and of one cashier if the scope has one, oldest first. */
    readonly list: (scope: Viewer) => Effect.Effect<ReadonlyArray<FormHook>, StorageError>
    /** Counts a form that was caught at this hook; none is no failure. */
    readonly countCaught: (id: FormHookId) => Effect.Effect<void, StorageError>
    /**
     * Writes the hook, but for what was caught, if the stored one has the version before. False if it was changed or
     * removed since.
     */
    readonly replace: (hook: FormHook) => Effect.Effect<boolean, StorageError>
    /** Removes a hook of this organization. False if there is none. */
    readonly remove: (
      organizationId: OrganizationId,
      id: FormHookId,
      now: number
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/FormHookStore") {}
