/** Hints between servers through LISTEN and NOTIFY. They may be lost; the agents' polls are the guarantee. */
import { HintRelay } from "@tolem/core/work/Hints"
import { Duration, Effect, Layer, Queue, Random, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as OwnPool from "./OwnPool.ts"

/** NOTIFY takes a lock that all commits share, so a busy server tells the others ten times a second at most. */
const publishEveryMs = 100
const reconnectEveryMs = 1_000

/** The relay on a channel of the client's database. */
export const layer = (channel: string): Layer.Layer<never, never, OwnPool.Services> =>
  Layer.effect(
    HintRelay,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { listen } = yield* OwnPool.Notifications
      const self = String(yield* Random.nextInt)
      const outgoing = yield* Queue.sliding<void>(1)
      const send = Effect.gen(function* () {
        yield* Queue.take(outgoing)
        // A trace of its own for each would tell nothing.
        yield* Effect.ignore(Effect.withTracerEnabled(sql`select pg_notify(${channel}, ${self})`, false))
        yield* Effect.sleep(Duration.millis(publishEveryMs))
      })
      yield* Effect.forkScoped(Effect.forever(Effect.catchCause(send, logged("sending"))))
      const received = Stream.unwrap(Effect.map(listen(channel), Stream.fromQueue)).pipe(
        Stream.filter(({ payload }) => payload !== self),
        Stream.map(() => undefined),
        Stream.tapCause(logged("listening")),
        // A cut connection ends the stream. What was missed meanwhile, the poll finds.
        Stream.retry(Schedule.spaced(Duration.millis(reconnectEveryMs))),
        Stream.orDie
      )
      return { publish: Effect.asVoid(Queue.offer(outgoing, undefined)), received }
    })
  )

const logged = (what: string) => (cause: unknown) => Effect.logWarning(`NotifyRelay: ${what} failed`, cause)
