/**
 * `npm run bench`: ratios of alternating rounds in one run on this machine. Without a command on SQLite; `--help` tells
 * of the others. `--json FILE` keeps what was measured; `compare A B` shows two such files side by side, and
 * `document A B ...` prints them as a document, such as `RESULTS.md`.
 */
import { killAll } from "@tolem/testing-harness/Program"
import { exitCodeOf, onlyFlag, tool, wholeFlag } from "@tolem/testing-harness/Tools"
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Bytes from "./Bytes.ts"
import * as ConsoleJournal from "./ConsoleJournal.ts"
import * as Fairness from "./fairness/Fairness.ts"
import * as Live from "./live/Live.ts"
import * as Pages from "./pages/Pages.ts"
import * as Panel from "./panel/Panel.ts"
import * as Postgres from "./postgres/Postgres.ts"
import * as Reconciliation from "./Reconciliation.ts"
import * as Report from "./Report.ts"
import * as Sqlite from "./Sqlite.ts"
import * as Subscriptions from "./Subscriptions.ts"
import { table } from "./Table.ts"

const stopped = new Promise<never>((_resolve, reject) => {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    // The embedded server's own listener would end this process before the server's files are removed.
    process.removeAllListeners(signal)
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)))
  }
})

const json = Flag.File("json").pipe(
  Flag.withDescription("Keeps what was measured in this file, with machine, time and commit"),
  Flag.optional
)
const rows = (least: number) => wholeFlag("rows", 1_000_000, "Invoices of the large organization", least)
const onlyDatabase = onlyFlag(["sqlite", "postgres"], "Only on this database")
const onlyPart = (parts: ReadonlyArray<string>) => onlyFlag(parts, "Only this part")
const runOf = (file: string) =>
  Argument.File(file, { mustExist: true }).pipe(
    Argument.mapTryCatch(Report.read, (error) => (error instanceof Error ? error.message : String(error)))
  )

/** Gives up once the process is stopped, and leaves nothing behind either way. */
const measured = async (work: Promise<void>, json: Option.Option<string>): Promise<boolean> => {
  try {
    await Promise.race([work, stopped])
    if (Option.isSome(json)) Report.write(json.value, process.argv.slice(2).join(" "))
    return true
  } finally {
    killAll()
    await work.catch(() => {}) // it ends by itself once the processes have, and cleans up
  }
}

const postgres = tool(
  "postgres",
  "The service on PostgreSQL against its peers, and of many rows against few",
  { rows: rows(1), only: onlyPart(Postgres.postgresParts), json },
  ({ json, ...options }) => measured(Postgres.run(options, stopped), json)
)
const live = tool("live", "How soon payments are seen while 10,000 live invoices are open", { json }, ({ json }) =>
  measured(Live.run(), json)
)
const subscriptions = tool(
  "subscriptions",
  "How steadily 100,000 are worked off, all due at once",
  { json },
  ({ json }) => measured(Subscriptions.run(), json)
)
const pages = tool("pages", "What people who look at pages wait for, on a slow phone too", { json }, ({ json }) =>
  measured(Pages.run(), json)
)
const panel = tool(
  "panel",
  "What members wait for in the cabinet of very many invoices, and exports",
  { rows: rows(Panel.leastRows), only: onlyDatabase, json },
  ({ json, ...options }) => measured(Panel.run(options), json)
)
const fairness = tool(
  "fairness",
  "What one merchant waits for while another floods",
  { only: onlyDatabase, json },
  ({ json, ...options }) => measured(Fairness.run(options), json)
)
const bytes = tool("bytes", "What an invoice takes of the disk", { json }, ({ json }) => measured(Bytes.run(), json))
const reconciliation = tool("reconciliation", "How soon a large day is compared with a bank's", { json }, ({ json }) =>
  measured(Reconciliation.run(), json)
)
const journal = tool("journal", "How soon operators see pages of two million records", { json }, ({ json }) =>
  measured(ConsoleJournal.run(), json)
)
const compare = tool(
  "compare",
  "Two files of --json side by side",
  { a: runOf("a"), b: runOf("b") },
  async ({ a, b }) => {
    const { head, rows } = Report.compared(a, b)
    console.log(table(head, rows))
    return true
  }
)
const runs = Argument.variadic(runOf("file"), { min: 1 })
const document = tool("document", "Files of --json as a document", { runs }, async ({ runs }) => {
  console.log(Report.documented(runs).trimEnd())
  return true
})

const bench = tool(
  "npm run bench --",
  "Ratios of alternating rounds in one run on this machine: without a subcommand, of the service on SQLite.",
  { only: onlyPart(Sqlite.sqliteParts), json },
  ({ json, ...options }) => measured(Sqlite.run(options), json)
).pipe(
  Command.withSubcommands([
    postgres,
    live,
    subscriptions,
    pages,
    panel,
    fairness,
    bytes,
    reconciliation,
    journal,
    compare,
    document
  ])
)

// Whatever the embedded server's library makes of the end, this is how it was.
process.exit(await exitCodeOf(bench))
