/** The core's `LoginStore` in SQL. The keys of codes are sealed in the database and bound to their row. */
import { allowedAt, type Challenge, type CodeLimits } from "@tolem/core/login/Challenge"
import { Entered, type Entry, LoginStore } from "@tolem/core/login/LoginStore"
import type { Session } from "@tolem/core/login/Session"
import { SecretBox } from "@tolem/core/SecretBox"
import { Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "./Database.ts"
import { type ChallengeRow, type SessionRow, toChallenge, toSession } from "./rows/LoginRows.ts"
import { type AccountRow, toAccount } from "./rows/MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<LoginStore, never, Database | SecretBox> = Layer.effect(
  LoginStore,
  Effect.gen(function* () {
    const database = yield* Database
    const box = yield* SecretBox
    return { ...challenges(database, box), ...sessions(database), forget: forgetting(database) }
  })
)

const challenges = (
  { sql, dialect, tables, statement, transaction }: Database["Service"],
  box: SecretBox["Service"]
) => {
  /** When the newest were made that the limit counts. */
  const times = (whose: Statement.Fragment, since: number, limit: number) =>
    Effect.map(
      sql<{ readonly created_at: number }>`
        select created_at from ${tables.login_challenges}
        where ${whose} and created_at > cast(${since} as bigint)
        order by created_at desc limit cast(${limit} as bigint)`,
      (rows) => rows.map((row) => row.created_at)
    )

  const addChallenge = Effect.fnUntraced(function* (challenge: Challenge, limits: CodeLimits) {
    const { id, phone, channel, digest, addressDigest, tries, createdAt, expiresAt, usedAt } = challenge
    const sealed = yield* box.seal(challenge.key, id)
    const write = Effect.gen(function* () {
      // Otherwise many at once would each find room. All lock in this order, so that nobody waits in a circle.
      yield* dialect.lockName(`codes of phone ${phone}`)
      if (addressDigest !== null) yield* dialect.lockName(`codes of address ${addressDigest}`)
      const since = createdAt - limits.periodMs
      const ofPhone = yield* times(sql`phone = ${phone}`, since, Math.max(1, limits.perPhone))
      const ofAddress =
        addressDigest === null ? [] : yield* times(sql`address_digest = ${addressDigest}`, since, limits.perAddress)
      const allowed = allowedAt({ ofPhone, ofAddress }, limits)
      if (allowed > createdAt) return Option.some(allowed)
      yield* sql`
        insert into ${tables.login_challenges}
          (id, phone, channel, digest, digest_key, address_digest, tries, created_at, expires_at, used_at)
        values (${id}, ${phone}, ${channel}, ${digest}, ${sealed}, ${addressDigest}, ${tries}, ${createdAt},
          ${expiresAt}, ${usedAt})`
      return Option.none()
    })
    return yield* transaction("LoginStore.addChallenge", write)
  })

  const findChallenge = Effect.fnUntraced(function* (id: string) {
    const rows = sql<ChallengeRow>`select * from ${tables.login_challenges} where id = ${id}`
    const [row] = yield* statement("LoginStore.findChallenge", rows, { writes: false })
    if (row === undefined) return Option.none()
    // A code whose key is lost cannot be right any more: a new one is asked for.
    return yield* Effect.matchEffect(box.open(row.digest_key, row.id), {
      onSuccess: (key) => Effect.succeed(Option.some(toChallenge(row, key))),
      onFailure: ({ keyId }) =>
        Effect.as(Effect.logError(`LoginStore: no key ${keyId} for the code of ${row.id}`), Option.none())
    })
  })

  const countTry = (id: string) => {
    const update = sql<{ readonly tries: number }>`
      update ${tables.login_challenges} set tries = tries + 1 where id = ${id} returning tries`
    return Effect.map(
      statement("LoginStore.countTry", update, { writes: true }),
      ([row]) => row?.tries ?? Number.MAX_SAFE_INTEGER
    )
  }

  return { addChallenge, findChallenge, countTry }
}

const sessions = ({ sql, tables, statement, transaction }: Database["Service"]) => {
  const enter = ({ challengeId, now, account, session }: Entry) => {
    const write = Effect.gen(function* () {
      const used = yield* sql`
        update ${tables.login_challenges} set used_at = cast(${now} as bigint)
        where id = ${challengeId} and used_at is null returning id`
      if (used.length === 0) return Entered.Used()
      yield* sql`insert into ${tables.accounts} (id, phone, name, status, referral_code, created_at)
        values (${account.id}, ${account.phone}, ${account.name}, ${account.status}, ${account.referralCode},
          ${account.createdAt})
        on conflict (phone) do nothing`
      const rows = yield* sql<AccountRow>`select * from ${tables.accounts} where phone = ${account.phone}`
      const stored = toAccount(rows[0]!)
      if (stored.status === "blocked") return Entered.Blocked()
      const { id, digest, address, userAgent, createdAt, seenAt, idleAt, expiresAt, revokedAt } = session
      yield* sql`
        insert into ${tables.sessions}
          (id, account_id, digest, address, user_agent, created_at, seen_at, idle_at, expires_at, revoked_at)
        values (${id}, ${stored.id}, ${digest}, ${address}, ${userAgent}, ${createdAt}, ${seenAt}, ${idleAt},
          ${expiresAt}, ${revokedAt})`
      return Entered.Entered({ account: stored, session: { ...session, accountId: stored.id } })
    })
    return transaction("LoginStore.enter", write)
  }

  const findSession = Effect.fnUntraced(function* (digest: string) {
    const found = sql<SessionRow>`select * from ${tables.sessions} where digest = ${digest}`
    const [row] = yield* statement("LoginStore.findSession", found, { writes: false })
    if (row === undefined) return Option.none()
    // Accounts are never deleted, and the one of a session never changes: two statements tell no other story than one.
    const owners = sql<AccountRow>`select * from ${tables.accounts} where id = ${row.account_id}`
    const [owner] = yield* statement("LoginStore.findSession", owners, { writes: false })
    return Option.some({ session: toSession(row), account: toAccount(owner!) })
  })

  const touchSession = ({ id, seenAt, idleAt }: Session, previousSeenAt: number) => {
    const update = sql`
      update ${tables.sessions} set seen_at = cast(${seenAt} as bigint), idle_at = cast(${idleAt} as bigint)
      where id = ${id} and seen_at = cast(${previousSeenAt} as bigint) and revoked_at is null`
    return Effect.asVoid(statement("LoginStore.touchSession", update, { writes: true }))
  }

  const revoke = (operation: string, whose: Statement.Fragment, now: number) => {
    const update = sql`
      update ${tables.sessions} set revoked_at = cast(${now} as bigint)
      where ${whose} and revoked_at is null returning id`
    return Effect.map(statement(operation, update, { writes: true }), (rows) => rows.length)
  }

  return {
    enter,
    findSession,
    touchSession,
    revokeSession: (digest: string, now: number) =>
      Effect.map(revoke("LoginStore.revokeSession", sql`digest = ${digest}`, now), (count) => count > 0),
    revokeAllOf: (accountId: string, now: number) =>
      revoke("LoginStore.revokeAllOf", sql`account_id = ${accountId}`, now)
  }
}

const forgetting = ({ sql, tables, statement }: Database["Service"]): LoginStore["Service"]["forget"] =>
  Effect.fnUntraced(function* ({ challenges, sessions }) {
    const old = sql`delete from ${tables.login_challenges} where created_at < cast(${challenges} as bigint)`
    const ended = sql`delete from ${tables.sessions} where idle_at < cast(${sessions} as bigint)`
    yield* statement("LoginStore.forget", old, { writes: true })
    yield* statement("LoginStore.forget", ended, { writes: true })
  })
