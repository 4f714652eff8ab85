/** A dispatcher under the test clock, with receivers that tests describe. */
import { Clock, Duration, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { defaults, Settings } from "../../../src/engine/Settings.ts"
import { Ids } from "../../../src/value/Ids.ts"
import * as WebhookDispatcher from "../../../src/webhook/sending/WebhookDispatcher.ts"
import { SendFailure, type WebhookRequest, WebhookSender } from "../../../src/webhook/sending/WebhookSender.ts"
import { WebhookStore } from "../../../src/webhook/WebhookStore.ts"
import { Hints } from "../../../src/work/Hints.ts"
import { now } from "../../invoice/given.ts"
import { cryptoLayer } from "./crypto.ts"
import { answering, makeStore, type Receiver } from "./fakes.ts"
import { delivery, endpoint, event } from "./given.ts"

interface Sent extends WebhookRequest {
  readonly at: number
  /** Seconds since the test began. */
  readonly second: number
}

/** A world with one organization, its endpoints, and a receiver per host name. */
export const world = () => {
  const fake = makeStore()
  const sent: Array<Sent> = []
  const running = new Map<string, number>()
  const mostRunning = new Map<string, number>()
  const receivers = new Map<string, Receiver>()
  const logs: Array<string> = []
  const hostOf = (url: string) => new URL(url).hostname

  const send: Receiver = (request) =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      sent.push({ ...request, at, second: (at - now) / 1000 })
      const host = hostOf(request.url)
      for (const name of [host, "all"]) {
        const count = (running.get(name) ?? 0) + 1
        running.set(name, count)
        mostRunning.set(name, Math.max(mostRunning.get(name) ?? 0, count))
      }
      const leave = Effect.sync(() => {
        for (const name of [host, "all"]) running.set(name, running.get(name)! - 1)
      })
      return yield* Effect.ensuring((receivers.get(host) ?? answering(200))(request), leave)
    })

  let number = 0
  /** An endpoint whose deliveries go to a host of its name. */
  const given = (id: string, receiver: Receiver) => {
    fake.endpoints.set(id, endpoint({ id, url: `http://${id}.kz/hook` }))
    receivers.set(`${id}.kz`, receiver)
  }
  /** A delivery that is due at once, of an invoice of its own unless one is named. */
  const due = (endpointId: string, members: Parameters<typeof delivery>[0] = {}) => {
    const index = String(++number).padStart(4, "0")
    const row = delivery({
      id: `dlv_${index}`,
      endpointId,
      invoiceId: `inv_${index}`,
      eventId: `evt_${index}`,
      ...members
    })
    fake.add(row, event({ id: row.eventId, invoiceId: row.invoiceId, sequence: row.sequence }))
    return row.id
  }

  const layer = WebhookDispatcher.layer.pipe(
    Layer.provide(Layer.succeed(WebhookStore, fake.store)),
    Layer.provide(Layer.succeed(WebhookSender, { send })),
    Layer.provideMerge(Layer.merge(Hints.layer, Ids.layer)),
    Layer.provide(cryptoLayer),
    Layer.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))]))
  )
  const to = (host: string) => sent.filter((each) => hostOf(each.url) === `${host}.kz`)
  return { ...fake, sent, to, mostRunning, logs, given, due, layer }
}

/** Sets the clock, and runs what is ready. */
export const begin = TestClock.setTime(now)

/** Lets time pass, and whatever is ready at its end run. */
export const pass = (seconds: number) =>
  Effect.andThen(TestClock.adjust(Duration.seconds(seconds)), Effect.repeat(Effect.yieldNow, { times: 500 }))

/** Tells a dispatcher that something has fallen due in the organization's sandbox. */
export const told = (organizationId: string) =>
  Hints.use((hints) => hints.deliveriesDue({ organizationId, mode: "sandbox" }))

/** Starts a dispatcher in the current scope. */
export const started = (layer: Layer.Layer<Hints | Ids>, settings: Partial<Settings["webhook"]> = {}) =>
  Layer.build(
    Layer.provide(layer, Layer.succeed(Settings, { ...defaults, webhook: { ...defaults.webhook, ...settings } }))
  )

/** A receiver that never gives a whole answer. */
export const failing =
  (reason: SendFailure["reason"], durationMs = 0): Receiver =>
  () =>
    Effect.fail(new SendFailure({ reason, durationMs, status: null, body: null }))

/** Runs the body and then stops its dispatchers, which may wait for attempts: so time goes on. */
export const scoped = Effect.fnUntraced(function* <E>(body: Effect.Effect<void, E, Scope.Scope>) {
  const scope = yield* Scope.make()
  const exit = yield* Effect.exit(Effect.provideService(body, Scope.Scope, scope))
  const closed = yield* Effect.forkChild(Scope.close(scope, exit))
  yield* pass(10)
  yield* Fiber.join(closed)
  return yield* exit
})

/** A dispatcher that can be stopped. `stop` answers a fiber that ends when it has. */
export const stoppable = Effect.fnUntraced(function* (
  layer: Layer.Layer<Hints | Ids>,
  settings: Partial<Settings["webhook"]> = {}
) {
  const scope = yield* Scope.make()
  yield* Effect.provideService(started(layer, settings), Scope.Scope, scope)
  yield* pass(1)
  return { stop: Effect.forkChild(Scope.close(scope, Exit.void)) }
})
