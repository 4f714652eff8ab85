/**
 * `npm run bench`: ratios of alternating rounds in one run on this machine. Without an argument on SQLite:
 * `npm run bench [-- --only create]`. With `postgres` on PostgreSQL:
 * `npm run bench -- postgres [--rows 1000000] [--only NAME]`. With `live`, how soon payments are seen; with
 * `subscriptions`, how steadily many are worked off; with `pages`, what people wait for who look at them; with
 * `panel [--rows 1000000] [--only sqlite]`, what members wait for in the cabinet of very many invoices; with
 * `fairness [--only sqlite]`, what one merchant waits for while others flood; with `bytes`, what an invoice takes of
 * the disk; with `reconciliation`, how soon a large day is compared with the provider's list; with `journal`, how soon
 * operators see pages of two million records. `--json FILE` keeps what was measured; `npm run bench -- compare A B`
 * shows two such files side by side, and `-- document A B ...` prints them as a document, such as `bench/RESULTS.md`.
 */
import { parseArgs } from "node:util"
import { killAll } from "@tolem/testing-harness/Program"
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

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: "string", default: "1000000" }, only: { type: "string" }, json: { type: "string" } }
})

const stopped = new Promise<never>((_resolve, reject) => {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    // The embedded server's own listener would end this process before the server's files are removed.
    process.removeAllListeners(signal)
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)))
  }
})

const names = [
  "sqlite",
  "postgres",
  "live",
  "subscriptions",
  "pages",
  "panel",
  "fairness",
  "bytes",
  "reconciliation",
  "journal",
  "compare",
  "document"
]

const chosen = async (): Promise<void> => {
  const [database = "sqlite", ...others] = positionals
  if (database === "compare") return compare(others)
  if (database === "document") return console.log(Report.documented(others.map(Report.read)).trimEnd())
  if (others.length > 0) throw new Error(`unknown: ${others.join(" ")}`)
  if (database === "sqlite") return await Sqlite.run({ only: values.only })
  if (database === "live") return await Live.run()
  if (database === "bytes") return await Bytes.run()
  if (database === "reconciliation") return await Reconciliation.run()
  if (database === "journal") return await ConsoleJournal.run()
  if (database === "subscriptions") return await Subscriptions.run()
  if (database === "pages") return await Pages.run()
  if (database === "panel") return await Panel.run({ rows: Number(values.rows), only: values.only })
  if (database === "fairness") return await Fairness.run({ only: values.only })
  if (database !== "postgres") throw new Error(`unknown: ${database}; there are ${names.join(", ")}`)
  return await Postgres.run({ rows: Number(values.rows), only: values.only }, stopped)
}

const compare = (files: ReadonlyArray<string>): void => {
  const [a, b, ...others] = files
  if (a === undefined || b === undefined || others.length > 0) throw new Error("compare takes two files")
  const { head, rows } = Report.compared(Report.read(a), Report.read(b))
  console.log(table(head, rows))
}

let code = 0
const work = chosen()
try {
  await Promise.race([work, stopped])
  if (values.json !== undefined) Report.write(values.json, process.argv.slice(2).join(" "))
} catch (error) {
  console.error(error)
  code = 1
} finally {
  killAll()
  await work.catch(() => {}) // it ends by itself once the processes have, and cleans up
}
// Whatever the embedded server's library makes of the end, this is how it was.
process.exit(code)
