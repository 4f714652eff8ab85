/** Steps of the cases about logins: challenges that are stored, people who have logged in, and what is told of it. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import type { Challenge, CodeLimits } from "@tolem/core/login/Challenge"
import { LoginStore, type SessionRequest } from "@tolem/core/login/LoginStore"
import type { Session } from "@tolem/core/login/Session"
import { Effect, Redacted } from "effect"
import { accountOf, freshId, startAt } from "./fixtures.ts"

/** Milliseconds of a second. */
export const second = 1000
/** Milliseconds of a day. */
export const day = 24 * 60 * 60 * second
/** Small limits, soon reached. */
export const limits: CodeLimits = { waitMs: 60 * second, perPhone: 3, perAddress: 5, periodMs: day }

/** A challenge with these members. */
export const challengeOf = (members: Partial<Challenge> = {}): Challenge => ({
  id: freshId("chl"),
  phone: accountOf().phone,
  channel: "console",
  digest: "d".repeat(64),
  key: Redacted.make("key of a digest"),
  addressDigest: null,
  tries: 0,
  createdAt: startAt,
  expiresAt: startAt + 300 * second,
  usedAt: null,
  ...members
})

/** A session with these members, of nobody yet. */
export const sessionOf = (members: Partial<Session> = {}): Omit<Session, "accountId"> => ({
  id: freshId("ses"),
  digest: freshId("ses").padEnd(64, "0"),
  address: "198.51.100.7",
  userAgent: "Браузер/1.0",
  createdAt: startAt,
  seenAt: startAt,
  idleAt: startAt + 7 * day,
  expiresAt: startAt + 30 * day,
  revokedAt: null,
  freshUntil: startAt + 600 * second,
  ...members
})

/** Nothing ends by it. */
export const alone = { maxSessions: 100, replaces: null }

/** With its key as a text, to be compared. */
export const plain = (challenge: Challenge) => ({ ...challenge, key: Redacted.value(challenge.key) })

/** A challenge that is stored. */
export const given = Effect.fnUntraced(function* (members: Partial<Challenge> = {}) {
  const challenge = challengeOf(members)
  yield* LoginStore.use((store) => store.addChallenge(challenge, limits))
  return challenge
})

/** A person who has logged in. */
export const entered = Effect.fnUntraced(function* (
  phone?: string,
  members: Partial<Session> = {},
  more: Partial<SessionRequest> = {}
) {
  const account = accountOf(phone === undefined ? {} : { phone })
  const challenge = challengeOf({ phone: account.phone, createdAt: startAt - 10 * day })
  yield* LoginStore.use((store) => store.addChallenge(challenge, { ...limits, waitMs: 0, perPhone: 100 }))
  const { id } = challenge
  const session = sessionOf(members)
  const outcome = yield* LoginStore.use((store) =>
    store.enter({ challengeId: id, now: startAt, account, session, ...alone, ...more })
  )
  if (outcome._tag !== "Entered") throw new Error(`not entered: ${outcome._tag}`)
  return outcome
})

/** What the audit log tells of a subject. */
export const told = (subject: string) =>
  Effect.map(
    AuditStore.use((audits) => audits.list({ organizationId: null, before: null, limit: 1000 })),
    (records) => records.filter((record) => record.subject === subject)
  )
