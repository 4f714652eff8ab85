/** Chains on PostgreSQL: many write to the same ones at once, and what is older is chained by the command. */
import { it } from "@effect/vitest"
import * as Stores from "@tolem/adapter-sql/Stores"
import { Integrity } from "@tolem/core/engine/Integrity"
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { accountOf, organizationOf, startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { createMigrated } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe } from "vitest"
import * as Connection from "../src/Connection.ts"
import { box } from "./support/stores.ts"

/** A program on stores of a database of its own, in which `before` has run as on one that is older. */
const onPostgres = <A, E, R, E2>(
  program: Effect.Effect<A, E, R>,
  before: Effect.Effect<unknown, E2, SqlClient.SqlClient> = Effect.void
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { url } = yield* Effect.acquireRelease(Effect.promise(createMigrated), ({ drop }) => Effect.promise(drop))
      const options = { url: Redacted.make(url) }
      yield* Effect.provide(before, Layer.fresh(Connection.layer(options)))
      const stores = Layer.provide(Stores.layer(), box)
      return yield* Effect.provide(program, Layer.fresh(Layer.provideMerge(stores, Connection.layer(options))))
    })
  )

/** Opens an organization with a record in each of these chains. */
const open = (chains: ReadonlyArray<string | null>) =>
  MerchantStore.use((store) => {
    const owner = accountOf()
    const audits = chains.map((organizationId) => auditOf({ organizationId }))
    return store.addOrganization(organizationOf(owner), owner, { audits })
  })

const report = Integrity.use((integrity) => integrity.report)

describe("chains", () => {
  it.live("are whole when many write to the same ones in any order, the first of each too", () =>
    onPostgres(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const orders = [
          ["org_a", "org_b", null],
          [null, "org_b", "org_a"],
          ["org_b", "org_c"],
          ["org_c", "org_a"]
        ]
        const opens = Array.from({ length: 80 }, (_, n) => open(orders[n % orders.length]!))
        yield* Effect.all(opens, { concurrency: 16 })
        const lengths = yield* sql`
          select chain, length from tolem_chain_heads
          where chain like 'audit/%' or chain like 'accounts/%' or chain = 'chains' order by chain`
        // Each organization has a chain of its own, and one of its members.
        const opened = { "accounts/": 80, chains: 5 + 80 * 2 }
        const expected = { ...opened, "audit/": 40, "audit/org_a": 60, "audit/org_b": 60, "audit/org_c": 40 }
        assert.deepStrictEqual(Object.fromEntries(lengths.map(({ chain, length }) => [chain, length])), expected)
        const { findings } = yield* report
        assert.deepStrictEqual(
          findings.filter(({ rule }) => /chain|link|head|seal/.test(rule)),
          []
        )
        const [conflicts] = yield* sql<{ readonly n: number }>`
          select deadlocks as n from pg_stat_database where datname = current_database()`
        assert.strictEqual(conflicts?.n, 0, "nobody waits for each other")
      })
    )
  )

  it.live("begin by the command where there were records before", () =>
    onPostgres(
      Effect.gen(function* () {
        yield* open(["org_a"])
        const notices = (yield* report).notices.filter((notice) => notice.includes("chained"))
        assert.deepStrictEqual(notices, ["1 records are not chained yet: run tolem seal when all servers are new"])
        const begin = SealedTexts.use((texts) => texts.beginSeals(startAt, auditOf({ action: "sealing.begun" })))
        assert.deepStrictEqual(yield* begin, { sealed: 0, chained: 1, begun: true })
        const { findings, notices: left } = yield* report
        assert.deepStrictEqual(
          findings.filter(({ rule }) => /chain|link|head|seal/.test(rule)),
          []
        )
        assert.notInclude(left.join(), "chained")
        assert.deepStrictEqual(yield* begin, { sealed: 0, chained: 0, begun: false })
      }),
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`insert into tolem_audit (id, action, organization_id, subject, actor_kind, created_at)
          values ('aud_0', 'key.created', 'org_a', 'key_1', 'operator', 1)`
      )
    )
  )
})
