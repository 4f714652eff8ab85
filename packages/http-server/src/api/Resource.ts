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
  readonly show: (thing: Thing) => object
  readonly showMade: (made: Made) => object
  /** The member of a list's body that has the things. */
  readonly plural: string
}

interface Sent {
  readonly request: HttpServerRequest.HttpServerRequest
}

interface One {
  readonly params: { readonly id: string }
}

/** The handlers of the verbs, by the names of the endpoints. */
export const handlersOf = <Thing, Made>({ verbs, show, showMade, plural }: Kind<Thing, Made>) => {
  const list = Effect.gen(function* () {
    return object({ [plural]: (yield* verbs.list(yield* CurrentPrincipal)).map(show) })
  })
  const create = Effect.fnUntraced(function* ({ request }: Sent) {
    const body = yield* readJson(request)
    return object(showMade(yield* verbs.create(yield* CurrentPrincipal, body.object)), 201)
  })
  const get = Effect.fnUntraced(function* ({ params }: One) {
    return object(show(yield* verbs.get(yield* CurrentPrincipal, params.id)))
  })
  const patch = Effect.fnUntraced(function* ({ request, params }: Sent & One) {
    const body = yield* readJson(request)
    return object(show(yield* verbs.patch(yield* CurrentPrincipal, params.id, body.object)))
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
