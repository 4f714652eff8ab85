/** `tolem secrets …` */
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import { group } from "../kit/Commands.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"

const reseal = Command.make("reseal", { database: Flags.database }, ({ database }) =>
  Effect.gen(function* () {
    const { count, unreadable } = yield* (yield* SealedTexts).sealAnew
    yield* (yield* Output).print({
      json: { resealed: count, unreadable },
      text: `${count} secrets were sealed anew with the first key.`
    })
    if (unreadable.length === 0) return
    const message = `None of the keys opens the secrets of ${unreadable.join(", ")}.`
    return yield* new CommandFailed({ error: "secrets_unreadable", message })
  }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(
  Command.withDescription(
    "Seal with the first key whatever another one has sealed. Servers may run; afterwards the other keys are not needed"
  ),
  Command.withShortDescription("Seal everything with the first key")
)

/** Secrets at rest. */
export const secrets = group("secrets", "Secrets at rest, and the keys that they are sealed with", [reseal])
