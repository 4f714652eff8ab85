/** `tolem verify` */
import { Engine } from "@tolem/core/Engine"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "./Assembly.ts"
import { CommandFailed } from "./Failures.ts"
import * as Flags from "./Flags.ts"
import { Output } from "./Output.ts"

/** Checks the stored data against itself. Prints what is wrong, and then fails. */
export const verify = Command.make("verify", { database: Flags.database }, ({ database }) =>
  Effect.gen(function* () {
    const { integrity } = yield* Engine
    const findings = yield* integrity.findings
    const ok = findings.length === 0
    const lines = findings.map(({ rule, subject, detail }) => `${rule}  ${subject}  ${detail}`)
    yield* (yield* Output).print({
      json: { ok, findings },
      text: ok ? `${database.url}: all checks passed.` : lines.join("\n")
    })
    const message = `${database.url}: ${findings.length} findings.`
    if (!ok) return yield* new CommandFailed({ error: "verification_failed", message })
  }).pipe(Effect.provide(Assembly.layer(database)))
).pipe(
  Command.withDescription(
    "Check the stored data: refunds within payments, totals equal to rows, sequences without gaps, deliveries of events"
  ),
  Command.withShortDescription("Check the stored data against itself")
)
