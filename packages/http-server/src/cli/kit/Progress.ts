/** A line on standard error that says how far a command has come, for as long as it works; only on a terminal. */
import { stderr } from "node:process"
import { type Progress, ProgressListener } from "@tolem/core/work/Progress"
import { Clock, Effect, Stdio } from "effect"

/** Often enough for eyes, and seldom enough for terminals far away. */
const everyMs = 100

const usualColumns = 80

/** The line, no longer than the terminal is wide. */
export const progressLine = (title: string, { what, done, of }: Progress, columns: number): string => {
  const percent = of === 0 ? 100 : Math.floor((done / of) * 100)
  return Array.from(`${title}: ${percent} %, ${done} of ${of}, ${what}`)
    .slice(0, columns - 1)
    .join("")
}

/** Shows what the work tells of its progress. Nothing of it is left when it ends, whatever its end. */
export const shown =
  (title: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Stdio.Stdio> =>
    Effect.gen(function* () {
      if (!(yield* (yield* Stdio.Stdio).stderrIsTerminal)) return yield* self
      let toldAt = Number.NEGATIVE_INFINITY
      const listener = (progress: Progress) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (Math.abs(now - toldAt) < everyMs) return
          toldAt = now
          stderr.write(`${clear}${progressLine(title, progress, stderr.columns || usualColumns)}`)
        })
      const end = Effect.sync(() => {
        if (toldAt !== Number.NEGATIVE_INFINITY) stderr.write(clear)
      })
      return yield* self.pipe(Effect.provideService(ProgressListener, listener), Effect.ensuring(end))
    })

/** To the beginning of the line, and what stands there is gone. */
const clear = "\r\u001b[2K"
