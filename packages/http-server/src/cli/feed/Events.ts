/** `tolem events` */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import { Stopping } from "../kit/Shutdown.ts"
import { localTime } from "../kit/Tables.ts"
import * as ServerFeed from "./ServerFeed.ts"

/** A line of an event, for people. */
export const eventLine = ({ createdAt, type, invoice }: ServerFeed.Entry): string =>
  `${localTime(createdAt)}  ${type.padEnd(26)}  ${invoice.id}  ${invoice.amount} KZT`

/** Prints the events of a running server. */
export const events = Command.make(
  "events",
  {
    ...ServerFeed.flags,
    after: Flags.text(
      "after",
      "CURSOR|TIME",
      "Begin behind this cursor, or at this time: an instant in ISO 8601, or a day of Almaty; default the beginning"
    ).pipe(Flag.optional),
    follow: Flag.Boolean("follow").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Wait for what happens, and print it, until Ctrl+C; without --after only what is new")
    )
  },
  ({ types, after, follow, ...of }) =>
    Effect.gen(function* () {
      const access = yield* ServerFeed.accessOf(of)
      const output = yield* Output
      if (follow) (yield* Stopping).orderly = true
      const reading = {
        after: Option.getOrElse(after, () => (follow ? ServerFeed.newOnly : undefined)),
        types: Flags.list(Option.getOrElse(types, () => "")),
        follows: follow
      }
      yield* ServerFeed.read(access, reading, (entry) =>
        output.print({ json: JSON.parse(entry.text), text: eventLine(entry) })
      )
    })
).pipe(
  Command.withDescription(
    "Print the events of a running server in the order of its feed, a line each; with --follow also those to come. " +
      "The API key says whose"
  ),
  Command.withShortDescription("Print events of a running server, and follow them")
)
