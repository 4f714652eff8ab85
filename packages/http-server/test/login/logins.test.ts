/** The use-cases of login with their janitor, on SQLite, under a clock that the test moves. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { it } from "@effect/vitest"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import * as Stores from "@tolem/adapter-sql/Stores"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import * as Janitor from "@tolem/core/engine/Janitor"
import { defaults, Settings } from "@tolem/core/engine/Settings"
import { StorageError } from "@tolem/core/error/StorageError"
import { type CodeChannel, CodeChannels } from "@tolem/core/login/CodeChannel"
import { LoginStore } from "@tolem/core/login/LoginStore"
import { Logins } from "@tolem/core/login/Logins"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Ids } from "@tolem/core/value/Ids"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"

const startAt = Date.UTC(2026, 0, 10, 7)
const hour = 60 * 60_000
const day = 24 * hour
const nobody = { address: null, userAgent: null }

const world = (secretKey = "a key for tests only, of no use anywhere else") => {
  const sent: Array<{ readonly phone: string; readonly code: string; readonly expiresAt: number }> = []
  const logs: Array<string> = []
  const post = { outcome: "sent" as "sent" | "failed" }
  const channel: CodeChannel = {
    name: "sms",
    send: ({ phone, code, expiresAt }) =>
      Effect.sync(() => {
        sent.push({ phone, code: Redacted.value(code), expiresAt })
        return post.outcome
      })
  }
  const stores = Stores.layer().pipe(
    Layer.provide(Migrations.layer()),
    Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
    Layer.provide(SecretBox.layer([Redacted.make(secretKey)]))
  )
  const layer = Logins.layer.pipe(
    Layer.provide(Ids.layer),
    Layer.provide(Layer.succeed(CodeChannels, [channel])),
    Layer.provideMerge(stores),
    Layer.provideMerge(NodeCrypto.layer),
    // Of the fiber that logs in, not of the one that has built the layer.
    Layer.provideMerge(Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))]))
  )
  return { sent, logs, post, layer }
}

type World = ReturnType<typeof world>

const inWorld = <E>(
  program: (world: World) => Effect.Effect<void, E, Logins | LoginStore | SqlClient.SqlClient>,
  made = world()
) => Effect.andThen(TestClock.setTime(startAt), program(made)).pipe(Effect.provide(Layer.fresh(made.layer)))

const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ challenges: number; sessions: number; accounts: number }>`
    select (select count(*) from tolem_login_challenges) as challenges,
      (select count(*) from tolem_sessions) as sessions,
      (select count(*) from tolem_accounts) as accounts`
  return row!
})

const logIn = Effect.fnUntraced(function* ({ sent }: World, phone = "77001234567") {
  const logins = yield* Logins
  const { challengeId } = yield* logins.begin({ phone }, null)
  return yield* logins.finish({ challengeId, code: sent.at(-1)?.code }, nobody)
})

describe("a code", () => {
  it.effect("is told to its phone alone: no row holds it, nor anything that it could be found out from", () =>
    inWorld(
      Effect.fnUntraced(function* ({ sent }) {
        const logins = yield* Logins
        const sql = yield* SqlClient.SqlClient
        const begun = yield* logins.begin({ phone: "77001234567" }, "198.51.100.7")
        assert.deepStrictEqual(
          sent.map(({ phone, expiresAt }) => [phone, expiresAt]),
          [["77001234567", startAt + 5 * 60_000]]
        )
        const [row] = yield* sql<Record<string, unknown>>`select * from tolem_login_challenges`
        const { digest, digest_key: key, id, ...rest } = row!
        assert.strictEqual(id, begun.challengeId)
        assert.match(String(digest), /^[0-9a-f]{64}$/)
        assert.match(String(key), /^v1\./, "sealed")
        assert.notInclude(JSON.stringify(rest), "198.51.100.7")
        yield* sql`update tolem_login_challenges set digest_key = 'v1.other.AAAA.AAAA'`
        const refused = yield* Effect.flip(
          logins.finish({ challengeId: begun.challengeId, code: sent[0]!.code }, nobody)
        )
        assert.strictEqual("code" in refused && refused.code, "challenge_expired", "of a key that is lost")
      })
    )
  )

  it.effect("counts also where its channel fails, or a broken channel could be asked for ever", () =>
    inWorld(
      Effect.fnUntraced(function* ({ post, logs, sent }) {
        const logins = yield* Logins
        post.outcome = "failed"
        const failed = yield* Effect.flip(logins.begin({ phone: "77001234567" }, null))
        assert.deepInclude(failed, { _tag: "ChannelRefused", code: "no_channel" })
        assert.include(logs.join(), "the channel sms failed")
        assert.notInclude(logs.join(), sent[0]!.code)
        post.outcome = "sent"
        const soon = yield* Effect.flip(logins.begin({ phone: "77001234567" }, null))
        assert.deepInclude(soon, { _tag: "RateLimited", retryAfterSeconds: 60 })
        yield* TestClock.adjust("1 minute")
        yield* logins.begin({ phone: "77001234567" }, null)
      })
    )
  )

  it.effect("does not wait longer than a day, though none may be asked for at all", () => {
    const codes = { ...defaults.login.codes, perPhone: 0 }
    const settings = { ...defaults, login: { ...defaults.login, codes } }
    const made = world()
    const closed = { ...made, layer: Layer.provide(made.layer, Layer.succeed(Settings, settings)) }
    return inWorld(
      Effect.fnUntraced(function* () {
        const refused = yield* Effect.flip((yield* Logins).begin({ phone: "77001234567" }, null))
        assert.deepInclude(refused, { retryAfterSeconds: 86_400 })
      }),
      closed
    )
  })
})

describe("people", () => {
  it.effect("get one account per phone, however often they log in", () =>
    inWorld(
      Effect.fnUntraced(function* (made) {
        const first = yield* logIn(made)
        yield* TestClock.adjust("1 minute")
        const second = yield* logIn(made)
        assert.deepStrictEqual(second.account, first.account)
        assert.deepStrictEqual(yield* counts, { challenges: 2, sessions: 2, accounts: 1 })
      })
    )
  )

  it.effect("leave everywhere at once", () =>
    inWorld(
      Effect.fnUntraced(function* (made) {
        const logins = yield* Logins
        const first = yield* logIn(made)
        const other = yield* logIn(made, "77007654321")
        yield* TestClock.adjust("1 minute")
        const second = yield* logIn(made)
        assert.strictEqual(yield* logins.endAll(first.account.id), 2)
        assert.strictEqual(yield* logins.endAll(first.account.id), 0)
        for (const { token } of [first, second]) {
          assert.strictEqual((yield* Effect.flip(logins.session(token)))._tag, "Unauthorized")
        }
        assert.strictEqual((yield* logins.session(other.token)).account.phone, "77007654321")
      })
    )
  )
})

describe("a session", () => {
  it.effect("is noted as used once a minute, not with every use", () =>
    inWorld(
      Effect.fnUntraced(function* (made) {
        const logins = yield* Logins
        const sql = yield* SqlClient.SqlClient
        const { token } = yield* logIn(made)
        const stored = Effect.map(
          sql<{ seen_at: number; idle_at: number }>`select seen_at, idle_at from tolem_sessions`,
          ([row]) => [row!.seen_at - startAt, row!.idle_at - startAt]
        )
        const use = (seconds: number) => Effect.andThen(TestClock.adjust(seconds * 1000), logins.session(token))
        yield* use(59)
        assert.deepStrictEqual(yield* stored, [0, 7 * day])
        yield* use(1)
        assert.deepStrictEqual(yield* stored, [60_000, 7 * day + 60_000])
        yield* Effect.all([use(59), use(0), use(0)])
        assert.deepStrictEqual(yield* stored, [60_000, 7 * day + 60_000])
      })
    )
  )

  it.effect("remembers where it was opened, cut to what can be kept", () =>
    inWorld(
      Effect.fnUntraced(function* ({ sent }) {
        const logins = yield* Logins
        const { challengeId } = yield* logins.begin({ phone: "77001234567" }, null)
        const userAgent = `Browser\r\n\u0000${"🧾".repeat(200)}`
        const client = { address: "198.51.100.7", userAgent }
        const { session, token } = yield* logins.finish({ challengeId, code: sent[0]!.code }, client)
        assert.strictEqual(session.address, "198.51.100.7")
        assert.match(session.userAgent ?? "", /^Browser {3}🧾+/u)
        assert.isAtMost(session.userAgent?.length ?? 0, 200)
        assert.isTrue(session.userAgent?.isWellFormed())
        assert.deepStrictEqual((yield* logins.session(token)).session, session)
      })
    )
  )
})

describe("the janitor", () => {
  it.effect("forgets codes that count no longer, and sessions a day after their end", () =>
    inWorld(
      Effect.fnUntraced(function* (made) {
        const { token } = yield* logIn(made)
        yield* Layer.build(Layer.fresh(Janitor.logins))
        yield* TestClock.adjust(day)
        assert.deepStrictEqual(yield* counts, { challenges: 1, sessions: 1, accounts: 1 })
        yield* TestClock.adjust(3 * hour)
        assert.deepStrictEqual(yield* counts, { challenges: 0, sessions: 1, accounts: 1 })
        yield* TestClock.adjust(7 * day - 4 * hour)
        assert.strictEqual((yield* counts).sessions, 1)
        yield* TestClock.adjust(3 * hour)
        assert.deepStrictEqual(yield* counts, { challenges: 0, sessions: 0, accounts: 1 })
        assert.strictEqual((yield* Effect.flip((yield* Logins).session(token)))._tag, "Unauthorized")
      }, Effect.scoped)
    )
  )

  it.effect("goes on after a sweep that failed", () =>
    inWorld(
      Effect.fnUntraced(function* (made) {
        yield* logIn(made)
        const store = yield* LoginStore
        const away = new StorageError({ operation: "x", outcome: "nothing_written", retryable: true, cause: "away" })
        let sweeps = 0
        const flaky = Layer.succeed(LoginStore, {
          ...store,
          forgetChallenges: (before, limit) =>
            ++sweeps === 1 ? Effect.fail(away) : store.forgetChallenges(before, limit)
        })
        yield* Layer.build(Layer.fresh(Layer.provide(Janitor.logins, flaky)))
        yield* TestClock.adjust(2 * day)
        assert.isAbove(sweeps, 10)
        assert.strictEqual((yield* counts).challenges, 0)
      }, Effect.scoped)
    )
  )
})
