/** The verbs about logins and sessions, called with fixed values. */
import { LoginStore } from "@tolem/core/login/LoginStore"
import { accountOf, startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Redacted } from "effect"

const owner = accountOf({ id: "acc_1", phone: "77001234567" })

const challenge = {
  id: "chl_1",
  phone: owner.phone,
  channel: "console",
  digest: "d1",
  key: Redacted.make("k1"),
  addressDigest: "a1",
  tries: 0,
  createdAt: startAt,
  expiresAt: startAt + 300_000,
  usedAt: null
}
const session = {
  id: "ses_1",
  accountId: "acc_1",
  digest: "d1",
  address: "198.51.100.7",
  userAgent: null,
  createdAt: startAt,
  seenAt: startAt,
  idleAt: startAt + 5000,
  expiresAt: startAt + 9000,
  revokedAt: null,
  freshUntil: startAt + 600
}

/** The verbs by name. */
export const logins = Effect.map(LoginStore, (store) => ({
  addChallenge: store.addChallenge(challenge, { waitMs: 1, perPhone: 1, perAddress: 1, periodMs: 5 }),
  findChallenge: store.findChallenge("chl_1"),
  countTry: store.countTry("chl_1"),
  enter: store.enter({
    challengeId: "chl_1",
    now: startAt,
    account: owner,
    session,
    maxSessions: 10,
    replaces: "d0",
    audits: { entered: auditOf({ action: "login.succeeded" }), blocked: auditOf({ action: "login.failed" }) }
  }),
  confirmEmail: store.confirmEmail(
    { challengeId: "chl_1", accountId: "acc_1", email: "a@b.kz", now: startAt },
    auditOf({ action: "account.email_confirmed" })
  ),
  confirm: store.confirm(
    { challengeId: "chl_1", sessionId: "ses_1", now: startAt, freshUntil: startAt + 600 },
    auditOf({ action: "session.confirmed" })
  ),
  findSession: store.findSession("d1"),
  touchSession: store.touchSession({ ...session, seenAt: startAt + 1 }, startAt),
  "countTry that fails": store.countTry("chl_1", { max: 5, audit: auditOf({ action: "login.failed" }) }),
  sessions: store.sessions("acc_1", startAt),
  "revoke of a token": store.revoke({ digest: "d1" }, startAt),
  "revoke of one": store.revoke({ accountId: "acc_1", id: "ses_1" }, startAt, auditOf({ action: "session.ended" })),
  "revoke of the others": store.revoke({ accountId: "acc_1", except: "ses_1" }, startAt),
  "revoke of all": store.revoke({ accountId: "acc_1" }, startAt),
  "forget challenges": store.forgetChallenges(startAt, 200),
  "forget sessions": store.forgetSessions(startAt, 200)
}))
