/** The five verbs that payment links, form hooks and webhook endpoints have alike, as handlers. */
import type { JsonObject } from "@tolem/core/value/Checks"
import type { Viewer } from "@tolem/core/value/Tenant"
import { type ByteSize, Effect } from "effect"
import { maxBytes, readJson } from "../http/Bodies.ts"
import { nothing, object } from "../http/Responses.ts"
import type { One, Sent } from "./RequestParts.ts"

/** The use-cases of one kind of thing. `Made` is what a create answers. */
export interface Verbs<Thing, Made, ListError, CreateError, FindError, PatchError> {
  readonly list: (viewer: Viewer) => Effect.Effect<ReadonlyArray<Thing>, ListError>
  readonly create: (viewer: Viewer, body: JsonObject) => Effect.Effect<Made, CreateError>
  readonly get: (viewer: Viewer, id: string) => Effect.Effect<Thing, FindError>
  readonly patch: (viewer: Viewer, id: string, body: JsonObject) => Effect.Effect<Thing, PatchError>
  readonly remove: (viewer: Viewer, id: string) => Effect.Effect<void, FindError>
}

/** How answers show it: one, one that was just made, and all. */
export interface Face<Thing, Made, Shown extends object, ShownMade extends object, ShownAll extends object> {
  readonly one: (thing: Thing) => Shown
  readonly made: (made: Made) => ShownMade
  readonly all: (things: ReadonlyArray<Thing>) => ShownAll
}

/** The handlers of the verbs, by the names of the endpoints. `viewer`: who asks; `most`: of a request body. */
export const handlersOf = <
  Thing,
  Made,
  E1,
  E2,
  E3,
  E4,
  Shown extends object,
  ShownMade extends object,
  ShownAll extends object,
  R
>(
  verbs: Verbs<Thing, Made, E1, E2, E3, E4>,
  face: Face<Thing, Made, Shown, ShownMade, ShownAll>,
  viewer: Effect.Effect<Viewer, never, R>,
  most: ByteSize.ByteSize = maxBytes
) => ({
  list: Effect.fnUntraced(function* () {
    return object(face.all(yield* verbs.list(yield* viewer)))
  }),
  create: Effect.fnUntraced(function* ({ request }: Sent) {
    const body = yield* readJson(request, most)
    return object(face.made(yield* verbs.create(yield* viewer, body.object)), 201)
  }),
  get: Effect.fnUntraced(function* ({ params }: One) {
    return object(face.one(yield* verbs.get(yield* viewer, params.id)))
  }),
  patch: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
    const body = yield* readJson(request, most)
    return object(face.one(yield* verbs.patch(yield* viewer, params.id, body.object)))
  }),
  remove: Effect.fnUntraced(function* ({ params }: One) {
    yield* verbs.remove(yield* viewer, params.id)
    return nothing
  })
})
