/** `tolem seal` */
import { recordOf } from "@tolem/core/audit/Audit"
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import { Ids } from "@tolem/core/value/Ids"
import { Clock, Effect } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"

/** Begins the seals of a database that is older than they are. */
export const seal = Command.make("seal", { database: Flags.database }, ({ database }) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const deed = { action: "sealing.begun", organizationId: null, subject: "invoices" } as const
    const audit = yield* recordOf(ids, deed)
    const { sealed, chained, begun } = yield* (yield* SealedTexts).beginSeals(yield* Clock.currentTimeMillis, audit)
    yield* (yield* Output).print({
      json: { sealed, chained, begun },
      text: begun
        ? `${sealed} invoices were sealed, ${chained} records chained. From now on every one has to be.`
        : "Everything has to be sealed already: nothing was done. See tolem verify."
    })
  }).pipe(Effect.provide(Ids.layer), Effect.provide(Assembly.layer(database)))
).pipe(
  Command.withDescription(
    "Seal invoices and chain records from before there were seals, once, after all servers were replaced: " +
      "from then on verify finds what was changed in them without the keys"
  ),
  Command.withShortDescription("Begin the seals of an upgraded database")
)
