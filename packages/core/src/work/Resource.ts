/**
 * Things that a merchant keeps a few of, as payment links and form hooks: read by id, listed, changed and removed by
 * one set of verbs. What a thing is, and how it is made, is its feature's own.
 */
import { Clock, Effect, Option, Result } from "effect"
import type { Code } from "../error/ErrorCatalog.ts"
import type { FieldRefused } from "../error/Refusals.ts"
import type { StorageError } from "../error/StorageError.ts"
import { visibleTo } from "../error/Visibility.ts"
import { isStorable } from "../value/Checks.ts"
import type { OrganizationId } from "../value/Ids.ts"
import { scopeOf, type Viewer } from "../value/Tenant.ts"
import * as Rivals from "./Rivals.ts"

/** What every such thing has. Its version grows with each change. */
export interface Kept extends Viewer {
  readonly id: string
  readonly updatedAt: number
  readonly version: number
}

/** Where they are kept, as their port says it. */
export interface Shelf<Thing extends Kept, Lost> {
  readonly find: (id: Thing["id"]) => Effect.Effect<Option.Option<Thing>, StorageError>
  readonly list: (scope: Viewer) => Effect.Effect<ReadonlyArray<Thing>, StorageError>
  readonly replace: (thing: Thing) => Effect.Effect<boolean, Lost | StorageError>
  readonly remove: (
    organizationId: OrganizationId,
    id: Thing["id"],
    now: number
  ) => Effect.Effect<boolean, StorageError>
}

/** How one feature's things differ from another's. */
export interface Kind<Thing extends Kept, Lost, Missing, C extends Code> {
  readonly store: Shelf<Thing, Lost>
  readonly missing: () => Missing
  /** The changes that a body asks for. */
  readonly check: (body: unknown) => Result.Result<Partial<Thing>, FieldRefused<C>>
  /** What must hold of several members together; none where absent. */
  readonly sound?: (thing: Thing) => Result.Result<unknown, FieldRefused<C>>
}

/** The verbs over the store of one kind: a list is oldest first, and all may be repeated. */
export const make = Effect.fnUntraced(function* <Thing extends Kept, Lost, Missing, C extends Code>({
  store,
  missing,
  check,
  sound = () => Result.void
}: Kind<Thing, Lost, Missing, C>) {
  const changing = yield* Rivals.make

  const get = Effect.fnUntraced(function* (viewer: Viewer, id: Thing["id"]) {
    const found = isStorable(id) ? Option.getOrUndefined(yield* store.find(id)) : undefined
    return yield* Effect.fromResult(visibleTo(viewer, found, missing))
  })

  const change = Effect.fn("Resource.patch")(function* <Refused>(
    viewer: Viewer,
    id: Thing["id"],
    wanted: Effect.Effect<Partial<Thing>, Refused>,
    replace: Shelf<Thing, Lost>["replace"] = store.replace
  ) {
    const attempt = Effect.gen(function* () {
      const thing = yield* get(viewer, id)
      const changes = yield* wanted
      if (Object.keys(changes).length === 0) return Option.some(thing)
      const next = { ...thing, ...changes, updatedAt: yield* Clock.currentTimeMillis, version: thing.version + 1 }
      yield* Effect.fromResult(sound(next))
      return (yield* replace(next)) ? Option.some(next) : Option.none()
    })
    return yield* changing("Resource.patch", `${viewer.organizationId} ${id}`)(attempt)
  })

  const patch = (viewer: Viewer, id: Thing["id"], body: unknown) =>
    change(
      viewer,
      id,
      Effect.suspend(() => Effect.fromResult(check(body)))
    )

  const remove = Effect.fn("Resource.remove")(function* (viewer: Viewer, id: Thing["id"]) {
    const { organizationId } = yield* get(viewer, id)
    const removed = yield* store.remove(organizationId, id, yield* Clock.currentTimeMillis)
    if (!removed) return yield* Effect.fail(missing())
  })

  return { list: (viewer: Viewer) => store.list(scopeOf(viewer)), get, change, patch, remove }
})
