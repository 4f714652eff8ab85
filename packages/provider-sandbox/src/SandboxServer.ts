/** The sandbox as HTTP routes, for whichever server or web handler: `/v1`, `/control`, `/receipts` and `/health`. */
import type { Layer } from "effect"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import * as ControlRoutes from "./ControlRoutes.ts"
import * as ProviderRoutes from "./ProviderRoutes.ts"
import * as ReceiptRoute from "./ReceiptRoute.ts"
import { json, route } from "./Responses.ts"
import type { SandboxBank } from "./SandboxBank.ts"

/** Every route over `bank`. Nothing here is protected: it is for machines that cannot be reached from outside. */
export const routes = (bank: SandboxBank): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.addAll([
    ...ProviderRoutes.make(bank),
    ...ControlRoutes.make(bank),
    ReceiptRoute.make(bank),
    route("GET", "/health", () => Effect.succeed(json({ status: "ready" })))
  ])
