/** No statement of a verb reads a whole table. */
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { type Exchange, recording } from "./support/recorder.ts"
import { box } from "./support/sqlite.ts"
import { verbs } from "./support/verbs.ts"

/**
 * What may be read whole: `findings` checks everything there is, and a command seals all of it anew. The count is asked
 * once, at the first start, and the operator looks through people and their organizations by any part of their names.
 */
const whole = new Set(["findings", "seal anew", "begin seals", "organizationCount", "accounts", "organizations"])

/** Those that read an index of all from its end, so many rows at most: lists of the platform's newest. */
const newest = / USING INDEX tolem_((accounts|organizations|tariff_orders|referral_earnings)_newest|audit_all_times)$/

// Batches, results of subqueries (the walk from endpoint to endpoint has a bound), and indexes that hold nothing but
// what is wanted: endpoints that are switched off, clocks that are ahead. Leases are those of invoices that are looked
// at. Of consumers an application has a few, as a platform has of operators.
const small = new RegExp(
  `^SCAN (${[
    "jsonb?_each ",
    "s$",
    "[aw]$",
    "arriving$",
    "tolem_(consumers|servers)$",
    "old$",
    "(free|held)$",
    "old USING INDEX tolem_invoice_leases_until$",
    "due$",
    "candidates$",
    "page( LEFT-JOIN)?$",
    "balance$",
    "chosen$",
    "counted$",
    "matched$",
    "newest$",
    "places$",
    "modes$",
    "CONSTANT ROW$",
    "(looked|moved)$",
    "[ps] VIRTUAL TABLE INDEX 0:$",
    "(paid|given|first_one|last_one|edge)$",
    "(edge|summed) LEFT-JOIN$",
    "part$",
    "e USING COVERING INDEX tolem_endpoints_disabled$",
    "tolem_organizations USING INDEX tolem_organizations_ahead$",
    "o USING INDEX sqlite_autoindex_tolem_operators_1$"
  ].join("|")})`
)

/** Each row of one table looks at all of its organization in another. */
const ofOrganization = /^SEARCH .*\((organization_id=\?|organization_id=\? AND mode=\?)\)/
/** One counter, its endpoints, days that two versions have counted, and the ends of its feeds. */
const few = /tolem_receipt_counters|tolem_endpoints_owner|^SEARCH [mh] USING PRIMARY KEY/

/** How rows that are looked at are found: in the order of an index, of which they need not be sorted. */
const lookedAt = "SEARCH i USING"

it.effect("every verb finds its rows through an index", () => {
  const log: Array<Exchange> = []
  const stores = Stores.layer().pipe(
    Layer.provide(Migrations.layer()),
    Layer.provideMerge(recording(log)),
    Layer.provide(box())
  )
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let searches = 0
    for (const [name, verb] of yield* verbs) {
      log.length = 0
      yield* verb
      for (const sent of log.splice(0)) {
        const plan = yield* sql.unsafe<{ detail: string }>(`explain query plan ${sent.sql}`, sent.params)
        const details = plan.map(({ detail }) => detail)
        searches += details.filter((detail) => detail.startsWith("SEARCH ")).length
        const ofAll = details.filter((detail) => ofOrganization.test(detail) && !few.test(detail))
        if (name === "findings") assert.deepStrictEqual(ofAll, [], `it reads all of an organization\n${sent.sql}`)
        if (whole.has(name)) continue
        // A look has a bound of rows, which come from the index in their order.
        const isLook = details.includes("CO-ROUTINE i")
        const scans = details.filter(
          (detail) =>
            detail.startsWith("SCAN ") &&
            !small.test(detail) &&
            !newest.test(detail) &&
            !(isLook && detail === "SCAN i")
        )
        if (isLook) assert.include(details.slice(details.indexOf("CO-ROUTINE i")).join(), lookedAt, `${name} sorts`)
        assert.deepStrictEqual(scans, [], `${name} reads all of a table\n${sent.sql}\n${details.join("\n")}`)
      }
    }
    assert.isAbove(searches, 50, "plans were seen")
  })
  return Effect.provide(program, stores)
})
