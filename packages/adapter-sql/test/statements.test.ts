/** Shows what every verb sends to each database, so that no change of it goes unseen. */
import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, expect } from "vitest"
import { makeDialect } from "../src/base/Dialect.ts"
import * as Migrations from "../src/base/Migrations.ts"
import { createTables } from "../src/migrations/0001_init.ts"
import { createViews } from "../src/migrations/0002_views.ts"
import { createSecretChecks } from "../src/migrations/0003_secret_checks.ts"
import { createConnections } from "../src/migrations/0004_connections.ts"
import { addRefundReferences } from "../src/migrations/0005_refund_references.ts"
import { createSubscriptions } from "../src/migrations/0006_subscriptions.ts"
import { createMerchants } from "../src/migrations/0007_merchants.ts"
import { createPaymentLinks } from "../src/migrations/0008_payment_links.ts"
import { createLogins } from "../src/migrations/0009_logins.ts"
import { addDeliveryTurns } from "../src/migrations/0010_delivery_turns.ts"
import { addKeyUses } from "../src/migrations/0011_key_uses.ts"
import { addCreation } from "../src/migrations/0012_creation.ts"
import { addAnnouncements } from "../src/migrations/0016_announcements.ts"
import { addSeals } from "../src/migrations/0017_seals.ts"
import { createChains } from "../src/migrations/0018_chains.ts"
import { createFeed } from "../src/migrations/0020_feed.ts"
import { createReactions } from "../src/migrations/0021_reactions.ts"
import { addExternalKeys } from "../src/migrations/0023_external_keys.ts"
import { addAccountEmails } from "../src/migrations/0024_account_emails.ts"
import { noteEarlierEvents } from "../src/migrations/0029_earlier_events.ts"
import { fillCreation } from "../src/migrations/0030_filled_creation.ts"
import { guardFormHooks } from "../src/migrations/0034_form_hooks.ts"
import { addMemberTerms } from "../src/migrations/0035_member_terms.ts"
import { addFaces } from "../src/migrations/0036_faces.ts"
import { addLinkPages } from "../src/migrations/0037_link_pages.ts"
import { settleLinkTotals } from "../src/migrations/0038_link_totals.ts"
import { addKeyMakers } from "../src/migrations/0041_key_makers.ts"
import { indexLinkPlaces, settleLinkPlaces } from "../src/migrations/0042_link_places.ts"
import { addScans } from "../src/migrations/0044_scans.ts"
import { dropNewest, indexCabinet } from "../src/migrations/0045_cabinet.ts"
import { indexAttention } from "../src/migrations/0047_attention.ts"
import { addTotalKinds, settleTotalKinds } from "../src/migrations/0049_kinds_of_totals.ts"
import { addLinkPictures } from "../src/migrations/0051_link_pictures.ts"
import { createInvitations } from "../src/migrations/0052_invitations.ts"
import { addResentLetters } from "../src/migrations/0054_resent_letters.ts"
import { createRemovals } from "../src/migrations/0055_removals.ts"
import { tendHotTables } from "../src/migrations/0056_hot_tables.ts"
import { indexUnpaidCodes } from "../src/migrations/0058_unpaid_codes.ts"
import { divideAttempts } from "../src/migrations/0070_attempt_months.ts"
import { createReconciliations } from "../src/migrations/0074_reconciliations.ts"
import { indexMovements } from "../src/migrations/0075_movements.ts"
import { createRequests } from "../src/migrations/0085_requests.ts"
import { indexStatements } from "../src/migrations/0086_statements.ts"
import { createStatementLetters } from "../src/migrations/0087_statement_letters.ts"
import { createFormRefusals } from "../src/migrations/0089_form_refusals.ts"
import { indexLinkDays } from "../src/migrations/0090_link_days.ts"
import { createOperators } from "../src/migrations/0091_operators.ts"
import { indexRefunds } from "../src/migrations/0094_refund_lists.ts"
import { createNotices } from "../src/migrations/0096_notices.ts"
import { createPlatform } from "../src/migrations/0098_platform.ts"
import { createPayouts } from "../src/migrations/0100_payouts.ts"
import { indexDeeds } from "../src/migrations/0101_deeds_of_actors.ts"
import { createInvoiceLeases } from "../src/migrations/0102_invoice_leases.ts"
import { indexSharesOfAgents } from "../src/migrations/0103_shares_of_agents.ts"
import { divideDeliveries } from "../src/migrations/0104_delivery_months.ts"
import { createSearchKeys } from "../src/migrations/0105_search_keys.ts"
import { indexDeliveryLog } from "../src/migrations/0106_delivery_log.ts"
import * as Stores from "../src/Stores.ts"
import { batches } from "./support/batches.ts"
import { type Exchange, recording, replaying } from "./support/recorder.ts"
import { box } from "./support/sqlite.ts"
import { verbs } from "./support/verbs.ts"

/** Runs the migration and every verb on a client. Answers the statements, each text once for each verb. */
const shown = (client: Layer.Layer<SqlClient.SqlClient, unknown>, log: Array<Exchange>) => {
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const sections: Array<string> = []
    const show = (name: string, sent: ReadonlyArray<Exchange>) => {
      const texts = new Set(sent.map(({ sql }) => tidied(sql)))
      for (const text of texts) sections.push(`-- ${name}\n${text};\n`)
    }
    let from = log.length
    const dialect = yield* makeDialect(sql, {})
    const migrations = {
      1: createTables(sql, dialect, {}),
      2: createViews(sql, {}),
      3: createSecretChecks(sql, dialect, {}),
      4: createConnections(sql, dialect, {}),
      5: addRefundReferences(sql, dialect, {}),
      6: createSubscriptions(sql, dialect, {}),
      7: createMerchants(sql, dialect, {}),
      8: createPaymentLinks(sql, dialect, {}),
      9: createLogins(sql, dialect, {}),
      10: addDeliveryTurns(sql, {}),
      11: addKeyUses(sql, dialect, {}),
      12: addCreation(sql, dialect, {}),
      16: addAnnouncements(sql, {}),
      17: addSeals(sql, dialect, {}),
      18: createChains(sql, dialect, {}),
      20: createFeed(sql, dialect, {}),
      21: createReactions(sql, dialect, {}),
      23: addExternalKeys(sql, dialect, {}),
      24: addAccountEmails(sql, dialect, {}),
      29: noteEarlierEvents(sql, {}),
      30: fillCreation(sql, {}),
      34: guardFormHooks(sql, dialect, {}),
      35: addMemberTerms(sql, dialect, {}),
      36: addFaces(sql, dialect, {}),
      37: addLinkPages(sql, dialect, {}),
      38: settleLinkTotals(sql, {}),
      41: addKeyMakers(sql, dialect, {}),
      42: indexLinkPlaces(sql, dialect, {}),
      43: settleLinkPlaces(sql, {}),
      44: addScans(sql, dialect, {}),
      45: indexCabinet(sql, dialect, {}),
      46: dropNewest(sql, dialect, {}),
      47: indexAttention(sql, dialect, {}),
      49: addTotalKinds(sql, dialect, {}),
      50: settleTotalKinds(sql, dialect, {}),
      51: addLinkPictures(sql, dialect, {}),
      52: createInvitations(sql, dialect, {}),
      54: addResentLetters(sql, dialect, {}),
      55: createRemovals(sql, dialect, {}),
      56: tendHotTables(sql, {}),
      58: indexUnpaidCodes(sql, dialect, {}),
      70: divideAttempts(sql, dialect, {}),
      74: createReconciliations(sql, dialect, {}),
      75: indexMovements(sql, dialect, {}),
      85: createRequests(sql, dialect, {}),
      86: indexStatements(sql, dialect, {}),
      87: createStatementLetters(sql, dialect, {}),
      89: createFormRefusals(sql, dialect, {}),
      90: indexLinkDays(sql, dialect, {}),
      91: createOperators(sql, dialect, {}),
      94: indexRefunds(sql, dialect, {}),
      96: createNotices(sql, dialect, {}),
      98: createPlatform(sql, dialect, {}),
      100: createPayouts(sql, dialect, {}),
      104: divideDeliveries(sql, dialect, {}),
      105: createSearchKeys(sql, dialect, {}),
      106: indexDeliveryLog(sql, dialect, {}),
      101: indexDeeds(sql, dialect, {}),
      102: createInvoiceLeases(sql, dialect, {}),
      103: indexSharesOfAgents(sql, dialect, {})
    }
    for (const [number, migration] of Object.entries(migrations)) {
      from = log.length
      yield* migration
      show(`migration ${number}`, log.slice(from))
    }
    const run = Effect.gen(function* () {
      for (const [name, verb] of yield* verbs) {
        from = log.length
        yield* verb
        show(name, log.slice(from))
      }
    })
    yield* Effect.provide(run, Stores.layer().pipe(Layer.provide(box())))
    return sections.join("\n")
  })
  return Effect.provide(program, client)
}

const storesOn = (log: Array<Exchange>) =>
  Stores.layer().pipe(Layer.provide(Migrations.layer()), Layer.provide(recording(log)), Layer.provide(box()))

/** The context, noting in `called` each member of a service that is asked for. */
const noting = <R>(context: Context.Context<R>, called: Set<string>): Context.Context<R> => {
  const noted = (service: object, name: string) =>
    new Proxy(service, {
      get: (target, member, receiver) => {
        called.add(`${name}.${String(member)}`)
        return Reflect.get(target, member, receiver)
      }
    })
  return Context.makeUnsafe(
    new Map(
      Array.from(context.mapUnsafe, ([key, service]) => [key, isStore(key) ? noted(service, nameOf(key)) : service])
    )
  )
}

const isStore = (key: string): boolean => key.startsWith("@tolem/core/")
const nameOf = (key: string): string => key.replace(/^.*\//, "")

/** They send what the application's own transaction is made of, or what another member answers. */
const others = new Set(["OpenTransaction.within", "OpenTransaction.note", "OpenTransaction.beside", "Integrity.report"])

const tidied = (sql: string): string =>
  sql
    .split("\n")
    .map((line) => line.trim().replace(/ +/g, " "))
    .filter((line) => line !== "")
    .join("\n")

describe("the statements of every verb", () => {
  it.effect("are as they were, on both databases", () =>
    Effect.gen(function* () {
      const onSqlite: Array<Exchange> = []
      const sqlite = yield* shown(recording(onSqlite), onSqlite)
      const onPostgres: Array<Exchange> = []
      const postgres = yield* shown(replaying(onSqlite, onPostgres), onPostgres)
      yield* Effect.promise(() => expect(sqlite).toMatchFileSnapshot("statements/sqlite.sql"))
      yield* Effect.promise(() => expect(postgres).toMatchFileSnapshot("statements/postgres.sql"))
    })
  )

  it.effect("are shown of each verb that a store has", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(storesOn([]))
      const called = new Set<string>()
      const noted = noting(context, called)
      const run = Effect.flatMap(verbs, (all) => Effect.forEach(all, ([, verb]) => verb, { discard: true }))
      yield* Effect.provideContext(run, noted)
      const members = Array.from(context.mapUnsafe).flatMap(([key, service]) =>
        isStore(key) ? Object.keys(service).map((member) => `${nameOf(key)}.${member}`) : []
      )
      assert.isAbove(members.length, 200)
      assert.deepStrictEqual(
        members.filter((member) => !called.has(member) && !others.has(member)),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.effect("have one text and one number, whatever the size of a batch", () =>
    Effect.gen(function* () {
      const textsOf = Effect.fnUntraced(function* (size: number) {
        const log: Array<Exchange> = []
        yield* Effect.provide(batches(size), Layer.fresh(storesOn(log)))
        return log.map(({ sql }) => sql)
      })
      assert.deepStrictEqual(yield* textsOf(50), yield* textsOf(2))
    })
  )
})
