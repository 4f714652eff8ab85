/** `tolem reconcile` */

import { Engine } from "@tolem/core/engine/Engine"
import { reconciliationJson } from "@tolem/core/reconciliation/ReconciliationJson"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import { CommandFailed } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as Progress from "../kit/Progress.ts"
import { type Columns, table } from "../kit/Tables.ts"

/** Organizations that are read at once. */
const pageSize = 200

const flags = {
  day: Flags.text("day", "YYYY-MM-DD", "Which day, of Almaty; it must have ended"),
  organization: Flags.text("org", "ID", "Of this organization only").pipe(Flag.optional),
  provider: Flags.provider
}

/** Compares a day with the provider's own list. Prints what was compared, and fails if anything differs. */
export const reconcile = Command.make("reconcile", { database: Flags.database, flags }, ({ database, flags: given }) =>
  Effect.gen(function* () {
    const organizations = Option.isSome(given.organization) ? [given.organization.value] : yield* allOrganizations
    const { reconciliations } = yield* Engine
    const rows: Array<Row> = []
    for (const organizationId of organizations) {
      const days = yield* Progress.shown("Comparing")(reconciliations.compareNow(organizationId, given.day))
      for (const { row, open, cashier } of days) {
        rows.push({ organizationId, cashier, ...reconciliationJson(row, open) })
      }
    }
    yield* (yield* Output).print({ json: { day: given.day, days: rows }, text: table(rows, columns) })
    const failed = rows.filter(({ status }) => status !== "compared").length
    const open = rows.reduce((sum, each) => sum + each.open, 0)
    if (failed + open > 0) {
      const message = `${given.day}: ${open} open differences, ${failed} of ${rows.length} cashiers not compared.`
      return yield* new CommandFailed({ error: "reconciliation_differs", message })
    }
  }).pipe(Effect.provide(Assembly.layer(database, { provider: given.provider })))
).pipe(
  Command.withDescription(
    "Compare a day with the provider's own list of operations: each cashier's payments and refunds. Prints what was " +
      "compared; exit code 1 if anything differs or could not be compared. The differences are in the cabinet"
  ),
  Command.withShortDescription("Compare a day with the provider's own list")
)

const allOrganizations = Effect.gen(function* () {
  const { directory } = yield* Engine
  const ids: Array<string> = []
  for (let offset = 0; ; offset += pageSize) {
    const { organizations } = yield* directory.organizations({ search: null, limit: pageSize, offset })
    ids.push(
      ...organizations
        .filter(({ organization }) => organization.status === "active")
        .map(({ organization }) => organization.id)
    )
    if (organizations.length < pageSize) return ids
  }
})

type Row = ReturnType<typeof reconciliationJson> & { readonly organizationId: string; readonly cashier: string }

const columns: Columns<Row> = {
  ORGANIZATION: ({ organizationId }) => organizationId,
  CASHIER: ({ cashier }) => cashier,
  STATUS: ({ status }) => status,
  FAULT: ({ fault }) => fault,
  PAID: ({ here }) => here?.paid,
  THERE: ({ there }) => there?.paid,
  REFUNDED: ({ here }) => here?.refunded,
  "THERE REFUNDED": ({ there }) => there?.refunded,
  OPEN: ({ open }) => open
}
