/** What operators see of the process: its version, its memory, and how long its event loop keeps others waiting. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect, Metric } from "effect"
import { version } from "./Version.ts"

/** Between two looks at the event loop, milliseconds: often enough to see what delays requests, and nearly free. */
const resolutionMs = 20

const kinds = { resident: "rss", heap_used: "heapUsed", heap_total: "heapTotal", external: "external" } as const

/** The lag that is shown is that of the last whole window of so long, however often it is read. */
const windowMs = 15_000

/** Shows the metrics for as long as the scope is open. */
export const show = Effect.gen(function* () {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  yield* Effect.addFinalizer(() => Effect.sync(() => delays.disable()))
  let lag = 0
  const turn = Effect.sync(() => {
    lag = Math.max(0, delays.percentile(99) / 1e6 - resolutionMs) / 1000
    delays.reset()
  })
  yield* Effect.sleep(windowMs).pipe(Effect.andThen(turn), Effect.forever, Effect.forkScoped)

  const build = Metric.gauge("tolem_build_info", {
    description: "1; its labels are the version of the server and of Node",
    attributes: { version: yield* version, node: process.versions.node }
  })
  yield* Metric.update(build, 1)
  for (const [kind, member] of Object.entries(kinds)) {
    yield* showing("tolem_process_memory_bytes", "Memory of the process", { kind }, () => process.memoryUsage()[member])
  }
  yield* showing(
    "tolem_event_loop_lag_seconds",
    "How long the event loop kept a timer waiting: the 99th percentile of the last 15 seconds",
    {},
    () => lag
  )
})

const showing = (name: string, description: string, attributes: Readonly<Record<string, string>>, read: () => number) =>
  Effect.acquireRelease(
    Effect.withFiber((fiber) =>
      Effect.sync(() =>
        Metric.registerUnsafe(Metric.gauge(name, { description, attributes }), fiber.context, {
          get: () => ({ value: read() }),
          update: () => {},
          modify: () => {}
        })
      )
    ),
    (registration) => Effect.sync(() => registration.remove())
  )
