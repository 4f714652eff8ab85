/**
 * The typed client for Effect, derived from the contract: nothing here lists an endpoint. For plain promises there is
 * `PromiseClient`.
 */
import { Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "./Api.ts"

/** Where the service is and who calls. `baseUrl` has no path: the contract's paths begin with `/api/v1`. */
export interface Options {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted | string
}

/**
 * The client: `client.invoices.create({ headers: {}, payload: { amount: 1500 } })`. Its failures are the contract's
 * errors, each with its code in `error`, those of the transport, and `SchemaError` for a request that does not fit.
 */
export const make = ({ baseUrl, apiKey }: Options) =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: HttpClient.mapRequest(
      HttpClientRequest.setHeader("x-api-key", typeof apiKey === "string" ? apiKey : Redacted.value(apiKey))
    )
  })
