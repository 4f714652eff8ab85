/** The core's `LoginStore` in SQL. The keys of codes are sealed in the database and bound to their row. */
import type { AuditRecord } from "@tolem/core/audit/Audit"
import { allowedAt, type Challenge, type CodeLimits } from "@tolem/core/login/Challenge"
import { LoginStore, type SessionOwner, type SessionRequest, SessionResult } from "@tolem/core/login/LoginStore"
import type { Session } from "@tolem/core/login/Session"
import { SecretBox } from "@tolem/core/secret/SecretBox"
import type { AccountId, ChallengeId } from "@tolem/core/value/Ids"
import { Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import { forgetOld } from "../base/OldRows.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { type AccountRow, accountTable } from "../merchant/MerchantRows.ts"
import * as Chains from "../seal/Chains.ts"
import { type ChallengeRow, challengeTable, type SessionRow, sessionTable } from "./LoginRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<LoginStore, never, Database | SecretBox> = Layer.effect(
  LoginStore,
  Effect.gen(function* () {
    const database = yield* Database
    const box = yield* SecretBox
    return { ...challenges(database, box), ...sessions(database), ...forgetting(database) }
  })
)

const challenges = (database: Database["Service"], box: SecretBox["Service"]) => {
  const { sql, dialect, tables, statement, transaction } = database
  const { insert } = TableStatements.make(database, challengeTable)
  const audits = AuditLog.make(database)
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
    const { key, ...rest } = challenge
    const { phone, addressDigest, createdAt } = rest
    const digestKey = yield* box.seal(key, rest.id)
    const write = Effect.gen(function* () {
      // Otherwise many at once would each find room. All lock in this order, so that there is no deadlock.
      yield* dialect.lockName(`codes of phone ${phone}`)
      if (addressDigest !== null) yield* dialect.lockName(`codes of address ${addressDigest}`)
      const since = createdAt - limits.periodMs
      const ofPhone = yield* times(sql`phone = ${phone}`, since, Math.max(1, limits.perPhone))
      const ofAddress =
        addressDigest === null ? [] : yield* times(sql`address_digest = ${addressDigest}`, since, limits.perAddress)
      const allowed = allowedAt({ ofPhone, ofAddress }, limits)
      if (allowed > createdAt) return Option.some(allowed)
      yield* insert({ ...rest, digestKey })
      return Option.none()
    })
    return yield* transaction("LoginStore.addChallenge", write)
  })

  const findChallenge = Effect.fnUntraced(function* (id: ChallengeId) {
    const rows = sql<ChallengeRow>`select * from ${tables.login_challenges} where id = ${id}`
    const [row] = yield* statement("LoginStore.findChallenge", rows, { writes: false })
    if (row === undefined) return Option.none()
    // A code whose key is lost cannot be right any more: a new one is asked for.
    const { digestKey, ...rest } = challengeTable.decode(row)
    return yield* Effect.matchEffect(box.open(digestKey, row.id), {
      onSuccess: (key) => Effect.succeed(Option.some({ ...rest, key })),
      onFailure: ({ keyId }) =>
        Effect.as(Effect.logError(`LoginStore: no key ${keyId} for the code of ${row.id}`), Option.none())
    })
  })

  const countTry: LoginStore["Service"]["countTry"] = (id, failed) => {
    const update = sql<{ readonly tries: number }>`
      update ${tables.login_challenges} set tries = tries + 1 where id = ${id} returning tries`
    const written =
      failed === undefined
        ? statement("LoginStore.countTry", update, { writes: true })
        : transaction(
            "LoginStore.countTry",
            Effect.tap(update, ([row]) =>
              row !== undefined && row.tries <= failed.max ? audits.insert(failed.audit) : Effect.void
            )
          )
    return Effect.map(written, ([row]) => row?.tries ?? Number.MAX_SAFE_INTEGER)
  }

  return { addChallenge, findChallenge, countTry }
}

const sessions = (database: Database["Service"]) => {
  const { sql, dialect, tables, all, statement, transaction } = database
  const accounts = TableStatements.make(database, accountTable)
  const sessionRows = TableStatements.make(database, sessionTable)
  const audits = AuditLog.make(database)

  const end = (which: Statement.Fragment, now: number) => sql<{ readonly id: string }>`
    update ${tables.sessions} set revoked_at = cast(${now} as bigint)
    where ${which} and revoked_at is null returning id`

  const enter = ({ challengeId, now, account, session, maxSessions, replaces, audits: told }: SessionRequest) => {
    const tell = (record: AuditRecord | undefined, accountId: AccountId, beside: ReadonlyArray<Chains.Entry>) =>
      audits.insert(record && { ...record, actor: { ...record.actor, id: accountId } }, beside)
    const write = Effect.gen(function* () {
      const used = yield* sql`
        update ${tables.login_challenges} set used_at = cast(${now} as bigint)
        where id = ${challengeId} and used_at is null returning id`
      if (used.length === 0) return SessionResult.Used()
      const opened = yield* accounts.insert(account, "on conflict (phone) do nothing returning *")
      const entries = opened.map((row): Chains.Entry => ({ kind: "accounts", row }))
      // Locked: who blocks the account has either done so, or will find this session; and sessions are counted in turn.
      const rows = yield* sql<AccountRow>`
        select a.* from ${tables.accounts} a where a.phone = ${account.phone} ${dialect.lockRows("a")}`
      const stored = accountTable.decode(rows[0]!)
      if (stored.status === "blocked") {
        yield* tell(told?.blocked, stored.id, entries)
        return SessionResult.Blocked()
      }
      if (replaces !== null) yield* end(sql`digest = ${replaces}`, now)
      yield* end(
        sql`account_id = ${stored.id} and idle_at > cast(${now} as bigint) and id not in (
          select s.id from ${tables.sessions} s
          where s.account_id = ${stored.id} and s.revoked_at is null and s.idle_at > cast(${now} as bigint)
          order by s.created_at desc, s.id desc limit cast(${Math.max(0, maxSessions - 1)} as bigint))`,
        now
      )
      const entered = { ...session, accountId: stored.id }
      yield* sessionRows.insert(entered)
      yield* tell(told?.entered, stored.id, entries)
      return SessionResult.Entered({ account: stored, session: entered })
    })
    return transaction("LoginStore.enter", write)
  }

  const { following } = Chains.make(database)
  const confirmEmail: LoginStore["Service"]["confirmEmail"] = ({ challengeId, accountId, email, now }, audit) => {
    const write = Effect.gen(function* () {
      const used = yield* sql`
        update ${tables.login_challenges} set used_at = cast(${now} as bigint)
        where id = ${challengeId} and used_at is null returning id`
      if (used.length === 0) return []
      return yield* sql<AccountRow>`update ${tables.accounts} set email = ${email} where id = ${accountId} returning *`
    })
    const followed = following("accounts", sql`id = ${accountId}`, write)
    return Effect.map(audits.chaining("LoginStore.confirmEmail", followed, audit), (rows) => rows.length > 0)
  }

  const confirm: LoginStore["Service"]["confirm"] = ({ challengeId, sessionId, now, freshUntil }, audit) => {
    const isLive = sql`id = ${sessionId} and revoked_at is null and idle_at > cast(${now} as bigint)`
    const write = Effect.gen(function* () {
      const used = yield* sql`
        update ${tables.login_challenges} set used_at = cast(${now} as bigint)
        where id = ${challengeId} and used_at is null
          and exists (select 1 from ${tables.sessions} where ${isLive}) returning id`
      if (used.length === 0) return false
      const noted = yield* sql`
        update ${tables.sessions} set fresh_until = cast(${freshUntil} as bigint) where ${isLive} returning id`
      if (noted.length > 0) yield* audits.insert(audit)
      return noted.length > 0
    })
    return transaction("LoginStore.confirm", write)
  }

  const findSession = Effect.fnUntraced(function* (digest: string) {
    const found = sql<SessionRow>`select * from ${tables.sessions} where digest = ${digest}`
    const [row] = yield* statement("LoginStore.findSession", found, { writes: false })
    if (row === undefined) return Option.none()
    // Accounts are never deleted, and the one of a session never changes: two statements tell no other story than one.
    const owners = sql<AccountRow>`select * from ${tables.accounts} where id = ${row.account_id}`
    const [owner] = yield* statement("LoginStore.findSession", owners, { writes: false })
    return Option.some({ session: sessionTable.decode(row), account: accountTable.decode(owner!) })
  })

  const touchSession = ({ id, seenAt, idleAt }: Session, previousSeenAt: number) => {
    const update = sql`
      update ${tables.sessions} set seen_at = cast(${seenAt} as bigint), idle_at = cast(${idleAt} as bigint)
      where id = ${id} and seen_at = cast(${previousSeenAt} as bigint) and revoked_at is null`
    return Effect.asVoid(statement("LoginStore.touchSession", update, { writes: true }))
  }

  const live = (accountId: AccountId, now: number) => {
    const select = sql<SessionRow>`
      select * from ${tables.sessions}
      where account_id = ${accountId} and revoked_at is null and idle_at > cast(${now} as bigint)
      order by created_at desc, id desc`
    return all("LoginStore.sessions", select, sessionTable.decode)
  }

  const which = (whose: SessionOwner): Statement.Fragment => {
    if ("digest" in whose) return sql`digest = ${whose.digest}`
    return sql.and([
      sql`account_id = ${whose.accountId}`,
      ...(whose.id === undefined ? [] : [sql`id = ${whose.id}`]),
      ...(whose.except === undefined ? [] : [sql`id <> ${whose.except}`])
    ])
  }

  // Those that have ended by themselves are as they were: they are not counted.
  const revoke: LoginStore["Service"]["revoke"] = (whose, now, audit) =>
    Effect.map(
      audits.writing("LoginStore.revoke", end(sql`${which(whose)} and idle_at > cast(${now} as bigint)`, now), audit),
      (rows) => rows.length
    )

  return { enter, confirm, confirmEmail, findSession, touchSession, sessions: live, revoke }
}

const forgetting = (
  database: Database["Service"]
): Pick<LoginStore["Service"], "forgetChallenges" | "forgetSessions"> => ({
  forgetChallenges: forgetOld(database, "LoginStore.forgetChallenges", "login_challenges", "created_at"),
  forgetSessions: forgetOld(database, "LoginStore.forgetSessions", "sessions", "idle_at")
})
