/** Checks of the requests about endpoints and their deliveries. Pure. */

import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { isGiven, isObject } from "../value/Checks.ts"
import type { EndpointId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { type PageCode, type PageRequest, queryPage } from "../value/QueryChecks.ts"
import type { AddressCode } from "./Address.ts"
import { checkAddress } from "./Address.ts"
import type { AddressRules } from "./sending/AddressPolicy.ts"
import { type DeliveryStatus, EventKind } from "./Webhook.ts"
import type { WebhookSettings } from "./WebhookSettings.ts"
import type { DeliveryQuery, EndpointPatch } from "./WebhookStore.ts"

/** Members of a patch, for those who write one in TypeScript; `checkEndpointPatch` says what their values may be. */
export type EndpointChanges = {
  readonly url?: string | null | undefined
  readonly events?: ReadonlyArray<EventKind> | null | undefined
  readonly disabled?: boolean | null | undefined
}

/** The same of a create request; see `checkEndpoint`. */
export type EndpointRequest = Omit<EndpointChanges, "disabled" | "url"> & { readonly url: string }

/** What a merchant asked for, checked. */
export interface EndpointDraft {
  readonly url: string
  readonly events: ReadonlyArray<EventKind>
}

/** A member of a request for an endpoint breaks its rule. */
export type EndpointRefused = FieldRefused<AddressCode | "invalid_json" | "invalid_events">

/** The same of a change. */
export type EndpointPatchRefused = FieldRefused<EndpointRefused["code"] | "invalid_disabled">

/** The endpoint that `body` asks for. Without `events` it gets all. */
export const checkEndpoint = (
  body: unknown,
  mode: Mode,
  rules: AddressRules
): Result.Result<EndpointDraft, EndpointRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    const url = yield* checkAddress(body["url"], mode, rules)
    const events = isGiven(body["events"]) ? yield* eventsOf(body["events"]) : []
    return { url, events }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** The changes that `body` asks for; null counts as absent, and absent members stay. */
export const checkEndpointPatch = (
  body: unknown,
  mode: Mode,
  rules: AddressRules
): Result.Result<EndpointPatch, EndpointPatchRefused> =>
  Result.gen(function* () {
    if (!isObject(body)) return yield* Result.fail("invalid_json" as const)
    const { url, events, disabled } = body
    if (isGiven(disabled) && typeof disabled !== "boolean") return yield* Result.fail("invalid_disabled" as const)
    return {
      ...(isGiven(url) && { url: yield* checkAddress(url, mode, rules) }),
      ...(isGiven(events) && { events: yield* eventsOf(events) }),
      ...(typeof disabled === "boolean" && { disabled })
    }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** Members of a request for deliveries, as text from a query string or as values. */
export interface DeliveriesRequest extends PageRequest {
  readonly status?: unknown
}

/** The query that a request for deliveries is. `limit` and `offset` out of range are moved to the nearest bound. */
export const checkDeliveries = (
  endpointId: EndpointId,
  request: DeliveriesRequest,
  settings: WebhookSettings
): Result.Result<DeliveryQuery, FieldRefused<PageCode | "invalid_status">> =>
  Result.gen(function* () {
    const page = yield* queryPage(request, settings)
    return { endpointId, status: yield* statusOf(request.status), ...page }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

// Kept in the order of the specification, each kind once.
const eventsOf = (value: unknown): Result.Result<ReadonlyArray<EventKind>, "invalid_events"> => {
  if (!Array.isArray(value)) return Result.fail("invalid_events")
  const known = EventKind.literals.filter((kind) => value.includes(kind))
  return value.every((kind) => known.includes(kind)) ? Result.succeed(known) : Result.fail("invalid_events")
}

const deliveryStatuses: ReadonlyArray<DeliveryStatus> = ["pending", "delivered", "failed"]

const statusOf = (value: unknown): Result.Result<DeliveryStatus | null, "invalid_status"> => {
  if (!isGiven(value) || value === "") return Result.succeed(null)
  const status = deliveryStatuses.find((each) => each === value)
  return status === undefined ? Result.fail("invalid_status") : Result.succeed(status)
}
