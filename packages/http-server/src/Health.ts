/** Whether the process lives, whether it should get requests, and what it measures. */
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Context, Effect, Exit, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { json, refuse } from "./Answers.ts"

/** Whether the server is on its way out: then it serves what comes, and asks not to be sent more. */
export class Draining extends Context.Service<Draining, { stopping: boolean }>()("@tolem/http-server/Draining") {
  /** Not on its way out. */
  static readonly layer: Layer.Layer<Draining> = Layer.sync(Draining, () => ({ stopping: false }))
}

/** A storage that takes longer to say that it is there counts as away. */
const probeTimeout = "2 seconds"

/**
 * `/health/live`: 200 while the process runs. `/health/ready`: 200 where the storage answers and the server is not
 * stopping, else 503. `/metrics`: Prometheus text.
 */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | MerchantStore | Draining> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const store = yield* MerchantStore
    const draining = yield* Draining
    const ready = Effect.gen(function* () {
      if (draining.stopping) return refuse("service_unavailable")
      const probe = yield* Effect.exit(Effect.timeoutOption(store.organizationCount, probeTimeout))
      return Exit.isSuccess(probe) && Option.isSome(probe.value)
        ? json(`{"status":"ready"}`)
        : refuse("service_unavailable")
    })
    yield* router.add("GET", "/health/live", json(`{"status":"live"}`))
    yield* router.add("GET", "/health/ready", ready)
  })
).pipe(Layer.merge(PrometheusMetrics.layerHttp()))
