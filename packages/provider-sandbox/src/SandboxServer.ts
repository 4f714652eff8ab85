/** The sandbox as HTTP routes, for whichever server or web handler: `/v1`, `/control`, `/receipts` and `/health`. */
import { Effect, type Layer, type Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import * as ControlRoutes from "./ControlRoutes.ts"
import * as Protocol from "./Protocol.ts"
import * as ProviderRoutes from "./ProviderRoutes.ts"
import * as ReceiptRoute from "./ReceiptRoute.ts"
import { json, refusal, route } from "./Responses.ts"
import type { SandboxBank } from "./SandboxBank.ts"

/**
 * Every route over `bank`. With a secret, calls and the back door are for those who know it; without one nothing is
 * protected, and the machine must be one that cannot be reached from outside.
 */
export const routes = (
  bank: SandboxBank,
  secret?: Redacted.Redacted
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.addAll([
    ...[...ProviderRoutes.make(bank), ...ControlRoutes.make(bank)].map(locked(secret)),
    ReceiptRoute.make(bank),
    route("GET", "/health", () => Effect.succeed(json({ status: "ready" })))
  ])

const locked =
  (secret: Redacted.Redacted | undefined) =>
  <E, R>(open: HttpRouter.Route<E, R>): HttpRouter.Route<E, R> =>
    secret === undefined
      ? open
      : HttpRouter.route(
          open.method,
          open.path,
          Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
            Protocol.isSecret(secret, headers[Protocol.secretHeader])
              ? open.handler
              : Effect.succeed(refusal(401, "secret_rejected"))
          )
        )
