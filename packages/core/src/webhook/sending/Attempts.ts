/** One attempt: the body as of its event, a fresh timestamp and signature, the request, and what came back. */
import { type Cause, Clock, Duration, Effect } from "effect"
import { spanOf } from "../../invoice/changes/EventSpans.ts"
import { describe, traced } from "../../work/Spans.ts"
import type { Attempt, Job } from "../Webhook.ts"
import { WebhookSettings } from "../WebhookSettings.ts"
import * as Envelope from "./Envelope.ts"
import { headersOf } from "./Signature.ts"
import { SendFailure, WebhookSender } from "./WebhookSender.ts"

/** An attempt that has ended, and whether the receiver took the event. */
export interface AttemptReport {
  readonly attempt: Attempt
  readonly delivered: boolean
}

/** What every attempt says besides what authenticates it. */
export const fixedHeaders = { "content-type": "application/json", "user-agent": "Tolem-Webhooks/1" }

// A sender keeps the time itself; this is for one that fails to.
const overrunMs = 250

/**
 * Makes an attempt of the job. Never fails: whatever goes wrong is in the attempt, for the log. What was started before
 * as often as it may, and never came to an end, is not tried again: it may be what ends the servers.
 */
export const attemptAt = (job: Job) =>
  make(job).pipe(
    Effect.tap(({ attempt, delivered }) => describe(() => outcomeOf(attempt, delivered))),
    traced("WebhookDispatcher.attempt", () => {
      const parent = spanOf(job.delivery.eventId)
      return {
        kind: "client",
        ...(parent === undefined ? { root: true } : { parent }),
        attributes: { "tolem.event.type": job.delivery.kind, "tolem.attempt.number": numberOf(job) }
      }
    })
  )

/** What a span says of an attempt: neither its address, which may hold a token, nor what was sent and answered. */
const outcomeOf = ({ status, error }: Attempt, delivered: boolean) => ({
  "tolem.outcome": delivered ? "delivered" : "failed",
  ...(status !== null && { "http.response.status_code": status }),
  ...(error !== null && { "error.type": error })
})

const make = Effect.fnUntraced(function* (job: Job) {
  const startedAt = yield* Clock.currentTimeMillis
  const { restarts } = (yield* WebhookSettings).webhook
  if (job.starts > restarts.length + 1) return { delivered: false, attempt: unsent(job, startedAt, "unfinished") }
  return yield* Effect.catchCause(send(job, startedAt), (cause) => crashed(job, startedAt, cause))
})

const send = Effect.fnUntraced(function* (job: Job, startedAt: number) {
  const sender = yield* WebhookSender
  const settings = yield* WebhookSettings
  const { timeoutMs, maxResponseBytes } = settings.webhook
  const { delivery, endpoint } = job
  const { url, mode } = endpoint
  const body = Envelope.renderDelivery(job, startedAt, settings)
  const headers = { ...fixedHeaders, ...(yield* headersOf({ delivery, endpoint, body, now: startedAt })) }
  const request = { url, mode, headers, body, timeoutMs, maxResponseBytes }
  const sent = sender.send(request)
  const inTime =
    sender.keepsTime === true
      ? sent
      : Effect.timeoutOrElse(sent, {
          duration: Duration.millis(timeoutMs + overrunMs),
          orElse: () => Effect.fail(overrunOf(timeoutMs))
        })
  const answer = yield* inTime.pipe(
    Effect.map((response) => ({ ...response, error: null })),
    Effect.catch((failure) => Effect.succeed({ ...failure, error: failure.reason }))
  )
  const { status, error, durationMs } = answer
  const responseBody = answer.body === null ? null : storable(answer.body, maxResponseBytes)
  return {
    delivered: error === null && status !== null && status >= 200 && status <= 299,
    attempt: {
      number: numberOf(job),
      startedAt,
      // A sender may measure more finely than instants are kept.
      durationMs: Math.round(durationMs),
      url,
      requestHeaders: headers,
      requestBody: body,
      status,
      responseBody,
      error
    }
  } satisfies AttemptReport
})

const overrunOf = (timeoutMs: number) =>
  new SendFailure({ reason: "timeout", durationMs: timeoutMs + overrunMs, status: null, body: null })

/** A bug of ours counts as a failed attempt: otherwise its delivery would be tried for ever. */
const crashed = Effect.fnUntraced(function* (job: Job, startedAt: number, cause: Cause.Cause<unknown>) {
  yield* Effect.logError("WebhookDispatcher: attempt crashed", cause).pipe(Effect.annotateLogs(factsOf(job)))
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  return { delivered: false, attempt: { ...unsent(job, startedAt, "internal"), durationMs } } satisfies AttemptReport
})

const unsent = (job: Job, startedAt: number, error: string): Attempt => ({
  number: numberOf(job),
  startedAt,
  durationMs: 0,
  url: job.endpoint.url,
  requestHeaders: {},
  requestBody: "",
  status: null,
  responseBody: null,
  error
})

/** What logs say of a job: identifiers, never its address, which may hold a token, and never its secret. */
export const factsOf = ({ delivery }: Job): Readonly<Record<string, string | number>> => ({
  deliveryId: delivery.id,
  endpointId: delivery.endpointId,
  organizationId: delivery.organizationId,
  invoiceId: delivery.invoiceId,
  event: delivery.kind
})

const numberOf = ({ delivery }: Job): number => delivery.attemptCount + 1

// A receiver may answer anything; the databases take neither NUL nor half a surrogate pair.
const storable = (text: string, max: number): string => text.slice(0, max).toWellFormed().replaceAll("\u0000", "\ufffd")
