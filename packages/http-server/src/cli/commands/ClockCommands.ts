/** `tolem clock …` */
import { Engine } from "@tolem/core/engine/Engine"
import { knownForMs } from "@tolem/core/time/SandboxClocks"
import { toIso } from "@tolem/core/value/Calendar"
import { Duration, Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { changingCommand, group } from "../kit/Commands.ts"
import * as Flags from "../kit/Flags.ts"
import * as Progress from "../kit/Progress.ts"
import { localTime } from "../kit/Tables.ts"

const units = { d: Duration.days, h: Duration.hours, m: Duration.minutes, s: Duration.seconds } as const

/** `40d`, `36h`, `90m`, `45s`, or several of them: `1d12h`. Milliseconds; undefined if it is none. */
const parse = (text: string): number | undefined => {
  const parts = Array.from(text.matchAll(/([0-9]{1,9})([dhms])/g))
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return undefined
  return parts.reduce(
    (sum, [, count, unit]) => sum + Duration.toMillis(units[unit as keyof typeof units](Number(count))),
    0
  )
}

const advance = changingCommand(
  "advance",
  "Move the clock of an organization's sandbox ahead; live invoices keep the real one",
  {
    organization: Flags.organization,
    byMs: Flags.text("by", "40d", "How far: days, hours, minutes, seconds, as 40d or 1d12h").pipe(
      Flag.mapEffect((text) => {
        const byMs = parse(text)
        return byMs === undefined || byMs === 0
          ? Effect.fail(new CliError.ValidationError({ message: "--by: write a time as 40d, 36h, 90m or 1d12h" }))
          : Effect.succeed(byMs)
      })
    )
  },
  function* ({ organization, byMs }) {
    const { sandboxTime } = yield* Engine
    const { now, aheadMs, happened } = yield* Progress.shown("Moving the clock")(
      sandboxTime.advance(organization, byMs)
    )
    // Then every server that runs knows it too: what is made next is made at the new time.
    yield* Effect.sleep(Duration.millis(knownForMs))
    return {
      json: { organization, now: toIso(now), aheadMs, happened },
      text: `It is ${localTime(now)} in the sandbox of ${organization}; ${happened} things fell due on the way.`
    }
  }
)

/** Clocks of sandboxes. */
export const clockCommand = group("clock", "Clocks of sandboxes", [advance])
