/** The five verbs that payment links, form hooks and webhook endpoints have alike, as handlers. */
import { CurrentPrincipal } from "@tolem/api/Security"
import type { JsonObject } from "@tolem/core/value/Checks"
import type { Viewer } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { readJson } from "../http/Bodies.ts"
import { answered, object, type Refusal } from "../http/Responses.ts"

/** The use-cases of one kind of thing, and how it is shown. `Made` is what a create answers. */
export interface Kind<Thing, Made> {
  readonly verbs: {
    readonly list: (viewer: Viewer) => Effect.Effect<ReadonlyArray<Thing>, Refusal>
    readonly create: (viewer: Viewer, body: JsonObject) => Effect.Effect<Made, Refusal>
    readonly get: (viewer: Viewer, id: string) => Effect.Effect<Thing, Refusal>
    readonly patch: (viewer: Viewer, id: string, body: JsonObject) => Effect.Effect<Thing, Refusal>
    readonly remove: (viewer: Viewer, id: string) => Effect.Effect<void, Refusal>
  }
  readonly face: {
    readonly one: (thing: Thing) => object
    readonly made: (made: Made) => object
    readonly all: (things: ReadonlyArray<Thing>) => object
  }
}

interface Sent {
  readonly request: HttpServerRequest.HttpServerRequest
}

interface One {
  readonly params: { readonly id: string }
}

/** The handlers of the verbs, by the names of the endpoints. */
export const handlersOf = <Thing, Made>({ verbs, face }: Kind<Thing, Made>) => {
  const list = Effect.gen(function* () {
    return object(face.all(yield* verbs.list(yield* CurrentPrincipal)))
  })
  const create = Effect.fnUntraced(function* ({ request }: Sent) {
    const body = yield* readJson(request)
    return object(face.made(yield* verbs.create(yield* CurrentPrincipal, body.object)), 201)
  })
  const get = Effect.fnUntraced(function* ({ params }: One) {
    return object(face.one(yield* verbs.get(yield* CurrentPrincipal, params.id)))
  })
  const patch = Effect.fnUntraced(function* ({ request, params }: Sent & One) {
    const body = yield* readJson(request)
    return object(face.one(yield* verbs.patch(yield* CurrentPrincipal, params.id, body.object)))
  })
  const remove = Effect.fnUntraced(function* ({ params }: One) {
    yield* verbs.remove(yield* CurrentPrincipal, params.id)
    return HttpServerResponse.empty({ status: 204 })
  })
  return {
    list: () => answered(list),
    create: (sent: Sent) => answered(create(sent)),
    get: (one: One) => answered(get(one)),
    patch: (sent: Sent & One) => answered(patch(sent)),
    remove: (one: One) => answered(remove(one))
  }
}
