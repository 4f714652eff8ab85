/** `tolem verify` */
import { Engine } from "@tolem/core/engine/Engine"
import type { Report } from "@tolem/core/engine/Integrity"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as Progress from "../kit/Progress.ts"

/** Lines of one rule. Who has more has to begin with these. */
const maxLines = 20

/** Checks the stored data against itself. Prints what was checked and what is wrong, and fails if anything is. */
export const verify = Command.make("verify", { database: Flags.database }, ({ database }) =>
  Effect.gen(function* () {
    const { integrity } = yield* Engine
    const report = yield* Progress.shown("Checking")(integrity.report)
    const ok = report.findings.length === 0
    const end = ok ? "All checks passed." : ""
    yield* (yield* Output).print({
      json: { ok, database: database.url, ...report },
      text: [...checked(report, database.url), ...lines(report), end].filter((line) => line !== "").join("\n")
    })
    const message = `${database.url}: ${report.findings.length} findings.`
    if (!ok) return yield* new CommandFailed({ error: "verification_failed", message })
  }).pipe(Effect.provide(Assembly.reading(database)))
).pipe(
  Command.withDescription(
    "Check the stored data against itself: money, events, deliveries, subscriptions, tariffs, people, the audit log, " +
      "secrets and pages. Prints what was checked and what is wrong; exit code 1 if anything is"
  ),
  Command.withShortDescription("Check the stored data against itself")
)

const checked = ({ rows, rules, notices }: Report, url: string): ReadonlyArray<string> => [
  `Checked: ${url}.`,
  `Rows: ${Object.entries(rows)
    .map(([table, n]) => `${table} ${n}`)
    .join(", ")}.`,
  `Rules: ${rules.length}.`,
  ...notices.map((notice) => `Note: ${notice}.`)
]

const lines = ({ findings }: Report): ReadonlyArray<string> =>
  Array.from(Map.groupBy(findings, ({ rule }) => rule).values()).flatMap((all) => [
    ...all.slice(0, maxLines).map(({ rule, subject, detail }) => `${rule}  ${subject}  ${detail}`),
    ...(all.length > maxLines ? [`${all[0]?.rule}  and ${all.length - maxLines} more`] : [])
  ])
