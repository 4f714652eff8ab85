/** Whether the process lives, whether it should get requests, and what it measures. */
import { RateStore } from "@tolem/core/access/RateStore"
import { startOf } from "@tolem/core/access/RateWindow"
import type { BacklogStore } from "@tolem/core/measure/BacklogStore"
import { Clock, Context, Effect, Exit, Fiber, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { object, refuse } from "../http/Responses.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"
import * as StorageMetrics from "./StorageMetrics.ts"

/** Whether the server is on its way out: then it serves what comes, and asks not to be sent more. */
export class Draining extends Context.Service<Draining, { stopping: boolean }>()("@tolem/http-server/Draining") {
  /** Not on its way out. */
  static readonly layer: Layer.Layer<Draining> = Layer.sync(Draining, () => ({ stopping: false }))
}

/** A storage that takes longer to write counts as away. */
const probeTimeout = "2 seconds"

/** How long an answer of the storage holds, however often it is asked for. */
const knownForMs = 1000

/**
 * `/health/live`: 200 while the process runs. `/health/ready`: 200 if the storage can write and the server is not
 * stopping, else 503. `/metrics`: Prometheus text.
 */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | RateStore | BacklogStore | Draining> =
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const canWrite = yield* makeCanWrite
      const draining = yield* Draining
      const ready = Effect.gen(function* () {
        if (draining.stopping) return refuse("service_unavailable")
        return (yield* canWrite) ? object({ status: "ready" }) : refuse("service_unavailable")
      })
      yield* ProcessMetrics.show
      yield* StorageMetrics.show
      yield* router.add("GET", "/health/live", object({ status: "live" }))
      yield* router.add("GET", "/health/ready", ready)
    })
  ).pipe(Layer.merge(PrometheusMetrics.layerHttp()))

/**
 * Whether the storage can write: it counts a request, as it does before it serves anything of a key. A full disk and a
 * server that only reads refuse that. The count is forgotten with those of keys.
 */
const makeCanWrite = Effect.gen(function* () {
  const store = yield* RateStore
  const scope = yield* Effect.scope
  let known = { at: Number.NEGATIVE_INFINITY, can: false }
  let asking: Fiber.Fiber<boolean> | undefined

  const ask = Effect.gen(function* () {
    const windowAt = startOf(yield* Clock.currentTimeMillis)
    const hit = store.hitMany([{ subject: "server", kind: "ready", windowAt }])
    const written = yield* Effect.exit(Effect.timeoutOption(hit, probeTimeout))
    known = { at: yield* Clock.currentTimeMillis, can: Exit.isSuccess(written) && Option.isSome(written.value) }
    asking = undefined
    return known.can
  })

  return Effect.gen(function* () {
    const age = (yield* Clock.currentTimeMillis) - known.at
    if (age >= 0 && age < knownForMs) return known.can
    // Of the layer, not of the request: one who hangs up must not end what others wait for.
    asking ??= yield* Effect.forkIn(ask, scope)
    return yield* Fiber.join(asking)
  })
})
