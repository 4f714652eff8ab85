/** What removes rows by their age reads about as much as it removes, and waits for none who write. */
import { it } from "@effect/vitest"
import * as Stores from "@tolem/adapter-sql/Stores"
import { RateStore } from "@tolem/core/access/RateStore"
import { LoginStore } from "@tolem/core/login/LoginStore"
import { MailStore } from "@tolem/core/mail/MailStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { AttemptOutcome, type ForgettingPlace, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { accountOf, attemptOf, endpointOf, organizationOf, startAt, testDeliveryOf } from "@tolem/testing/fixtures"
import { connect } from "@tolem/testing-postgres/Client"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { box, freshOptions, type OwnOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const rows = 20_000
const portion = 10
const late = startAt + 1e9

/**
 * Rows that were looked at so far, in whatever way. What transactions before have looked at is in it until the server
 * takes note of that, about once a second: only a difference within one transaction says what a verb has read.
 */
const looked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly rows: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint as rows from pg_stat_xact_user_tables`
  return row!.rows
})

const on = <A, E>(
  options: OwnOptions,
  program: Effect.Effect<A, E, SqlClient.SqlClient | WebhookStore | MailStore | LoginStore | RateStore | MerchantStore>
) => {
  // What fills the tables may take longer than a statement of a server does.
  const client = Connection.layer({ ...options, maxConnections: 2, statementTimeoutMs: 0 })
  const stores = Layer.provide(Stores.layer({ schema: options.schema }), box)
  return Effect.andThen(
    Postgres.migrate(options),
    Effect.provide(program, Layer.fresh(Layer.provideMerge(stores, client)))
  )
}

/** Deliveries that one endpoint has got, each with an attempt, and one that another endpoint holds. */
const delivered = Effect.fnUntraced(function* (count: number) {
  const store = yield* WebhookStore
  const [endpoint, held] = [endpointOf(), endpointOf({ disabled: true })]
  for (const each of [endpoint, held]) yield* store.addEndpoint(each, 10)
  for (let n = 0; n < count; n++) yield* store.addDelivery(testDeliveryOf(endpoint))
  yield* store.addDelivery(testDeliveryOf(held))
  const jobs = yield* claimDue(store, { now: startAt, until: startAt + 20_000 })
  const attempt = attemptOf({ status: 200, startedAt: startAt })
  yield* store.settleMany(
    jobs.map((job) => ({ job, attempt, outcome: AttemptOutcome.Delivered() })),
    startAt
  )
  return { endpoint, held }
})

describe("what removes by age", () => {
  it.live("reads in large tables as much as it removes, and nothing of what is still to be sent", () => {
    const options = freshOptions()
    const table = (name: string) => `${options.schema}.tolem_${name}`
    return on(
      options,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [webhooks, mails, logins, rates] = [
          yield* WebhookStore,
          yield* MailStore,
          yield* LoginStore,
          yield* RateStore
        ]
        const { endpoint, held } = yield* delivered(60)
        const account = accountOf()
        yield* MerchantStore.use((store) => store.addOrganization(organizationOf(account), account))
        const after: ForgettingPlace = { endpointId: endpoint.id, createdAt: -1, id: "" }
        const verbs = {
          attempts: webhooks.forgetAttempts(late, portion),
          deliveries: Effect.map(
            webhooks.forgetDeliveries({ before: late, limit: portion, after }),
            (step) => step.removed
          ),
          bodies: Effect.andThen(
            sql.unsafe(`delete from ${table("removals")} where kind = 'bodies'`),
            Effect.map(webhooks.forgetBodies({ before: late, limit: portion, after: null }), (step) => step.removed)
          ),
          "the first deliveries": Effect.map(
            webhooks.forgetDeliveries({ before: late, limit: portion, after: null }),
            (step) => step.removed
          ),
          letters: mails.forget(late, portion),
          codes: logins.forgetChallenges(late, portion),
          sessions: logins.forgetSessions(late, portion),
          rates: rates.forget(late, portion)
        }
        // After five times the server keeps one plan for whatever comes, made for small tables.
        for (let time = 0; time < 2; time++) for (const verb of Object.values(verbs)) yield* verb
        const many = (name: string, columns: string, values: string) =>
          sql.unsafe(`insert into ${table(name)} (${columns}) select ${values} from generate_series(1, ${rows}) n`)
        const delivery =
          "id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count, " +
          "due_at, ready_at, created_at, completed_at"
        for (const [id, status, ended] of [
          [endpoint.id, "delivered", "n"],
          [held.id, "pending", "null"]
        ]) {
          const told = "'org_shop', 'sandbox', 'webhook.test', 'inv_test', 'evt_' || n"
          const facts = `${told}, 1, '${status}', 1, n, n, n, ${ended}`
          yield* many("deliveries", delivery, `'dlv_${status}' || n, '${id}', ${facts}`)
        }
        const attempt = "delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status"
        yield* many("attempts", attempt, "'dlv_delivered' || n, 1, n, 1, 'http://x', '{}', '{}', 200")
        const letter =
          "id, kind, organization_id, mode, invoice_id, recipient, status, attempts, created_at, completed_at"
        yield* many(
          "mails",
          letter,
          "'mai_' || n, 'receipt', 'org_shop', 'sandbox', 'inv_' || n, 'a@b.kz', 'sent', 1, n, n"
        )
        const code = "id, phone, channel, digest, digest_key, tries, created_at, expires_at"
        yield* many("login_challenges", code, "'chl_' || n, 'p' || n, 'sms', 'd', 'k', 0, n, n")
        const session = "id, account_id, digest, created_at, seen_at, idle_at, expires_at"
        yield* many("sessions", session, `'ses_' || n, '${account.id}', 'd' || n, n, n, n, n`)
        yield* many("rate_windows", "window_at, key_id, kind, hits", "n / 100, 'key_' || n, 'read', 1")
        for (const analyzed of [false, true]) {
          if (analyzed) yield* sql.unsafe("analyze")
          for (const [name, verb] of Object.entries(verbs)) {
            const [before, count, after] = yield* sql.withTransaction(Effect.all([looked, verb, looked]))
            const read = after - before
            assert.strictEqual(count, portion, name)
            assert.isAtLeast(read, portion, name)
            assert.isBelow(read, 40 * portion, `${name}, analyzed: ${analyzed}`)
          }
        }
      })
    )
  })

  it.live("leaves rows that another has locked, and waits for none", () => {
    const options = freshOptions()
    return on(
      options,
      Effect.gen(function* () {
        const store = yield* WebhookStore
        yield* delivered(5)
        const other = yield* Effect.acquireRelease(
          Effect.promise(() => connect(Redacted.value(options.url))),
          (client) => Effect.promise(() => client.end())
        )
        const run = (text: string) => Effect.promise(() => other.query(text))
        const first = `(select min(id) from ${options.schema}.tolem_deliveries where status = 'delivered')`
        yield* run("begin")
        yield* run(`select 1 from ${options.schema}.tolem_deliveries where id = ${first} for update`)
        const step = { before: late, limit: 100, after: null }
        assert.strictEqual((yield* store.forgetDeliveries(step)).removed, 4)
        yield* run("rollback")
        assert.strictEqual((yield* store.forgetDeliveries(step)).removed, 1)
        assert.strictEqual((yield* store.forgetDeliveries(step)).removed, 0)
      }).pipe(Effect.scoped)
    )
  })
})
