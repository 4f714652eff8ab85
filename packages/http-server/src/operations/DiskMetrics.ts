/** What operators see of the disk that a database in a file is on. */
import { stat, statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, Layer, Metric } from "effect"

/** As often as Prometheus usually reads. */
const everyMs = 15_000

const free = Metric.gauge("tolem_disk_free_bytes", {
  description: "Free on the disk of the database"
})
const size = Metric.gauge("tolem_disk_size_bytes", { description: "Size of the disk of the database" })
const log = Metric.gauge("tolem_database_log_bytes", {
  description: "Size of the log of writes beside the database; it is emptied again and again, unless a reader stays"
})

/** Looks again and again at the disk of the SQLite file, for as long as the layer is open. */
export const layer = (file: string): Layer.Layer<never> => {
  const look = Effect.gen(function* () {
    const disk = yield* Effect.tryPromise(() => statfs(dirname(file)))
    yield* Metric.update(free, disk.bavail * disk.bsize)
    yield* Metric.update(size, disk.blocks * disk.bsize)
    // There is no log before the first write.
    const written = yield* Effect.orElseSucceed(
      Effect.tryPromise(() => stat(`${file}-wal`)),
      () => ({ size: 0 })
    )
    yield* Metric.update(log, written.size)
  })
  return Layer.effectDiscard(
    look.pipe(
      Effect.catchCause((cause) => Effect.logWarning("DiskMetrics: not known", cause)),
      Effect.andThen(Effect.sleep(everyMs)),
      Effect.forever,
      Effect.forkScoped
    )
  )
}
