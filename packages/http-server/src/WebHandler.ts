/** The whole service as one web-standard function, for mounting in any framework or runtime. */
import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Draining } from "./Health.ts"
import * as Routes from "./Routes.ts"

/** A function that answers requests, and the way to close what it holds. */
export interface WebHandler {
  readonly handler: (request: Request) => Promise<Response>
  /** Closes what the layer opened. May be called twice. */
  readonly dispose: () => Promise<void>
}

/**
 * The service over `services`: `Engine.layer` with its ports, or `Layer.succeedContext(context)` of an engine that runs
 * already. The layer is built at once.
 */
export const make = <E>(services: Layer.Layer<Routes.Needs, E>): WebHandler =>
  HttpRouter.toWebHandler(Routes.layer().pipe(Layer.provide(services), Layer.provide(Draining.layer)), {
    disableLogger: true
  })
