/**
 * What people change of their own account: their name, and their e-mail address once they have typed a code that was
 * sent to it. A part of `Logins`.
 */
import { Clock, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import { recordOf } from "../../audit/Audit.ts"
import { FieldRefused, FreshCodeRequired } from "../../error/Refusals.ts"
import { DirectoryStore } from "../../merchant/DirectoryStore.ts"
import { optionalEmail } from "../../value/Checks.ts"
import { Ids } from "../../value/Ids.ts"
import type { Challenge } from "../Challenge.ts"
import type { EmailCodes } from "../EmailCodes.ts"
import * as LoginCode from "../LoginCode.ts"
import { ChallengeRefused, ChannelRefused, RateLimited, wholeSeconds } from "../LoginErrors.ts"
import { LoginSettings } from "../LoginSettings.ts"
import { LoginStore, type SessionHolder } from "../LoginStore.ts"
import { isFresh } from "../Session.ts"

/** What stands in place of a channel's name in a challenge that is no login. */
export const channel = "address"

/**
 * The use-cases; with null no letters are sent. The code of an address is bound to it and to the account, and as that
 * of a login it is wrong.
 */
export const make = Effect.fnUntraced(function* (letters: EmailCodes | null) {
  const store = yield* LoginStore
  const directory = yield* DirectoryStore
  const ids = yield* Ids
  const { codeMs, ownEmail: limits } = (yield* LoginSettings).login

  const fresh = Effect.fnUntraced(function* ({ session }: SessionHolder) {
    const now = yield* Clock.currentTimeMillis
    return isFresh(session, now) ? now : yield* new FreshCodeRequired()
  })
  const checked = Effect.fnUntraced(function* (value: unknown) {
    const email = yield* Effect.mapError(Effect.fromResult(optionalEmail(value)), (code) => new FieldRefused({ code }))
    return email ?? (yield* new FieldRefused({ code: "invalid_email" }))
  })
  /** What the codes of this address, and those of this account, are counted by. */
  const countersOf = Effect.fnUntraced(function* (accountId: string, email: string) {
    const digest = yield* Digest.Digest
    const of = (text: string) => digest.digestHex(Digest.sha256, utf8.encode(text))
    return { phone: `${channel}/${yield* of(email.toLowerCase())}`, addressDigest: yield* of(`account ${accountId}`) }
  })
  const purposeOf = (accountId: string, email: string) => `.${accountId}.${email}`
  const recorded = (
    holder: SessionHolder,
    action: "account.renamed" | "account.email_confirmed" | "account.email_removed"
  ) => recordOf(ids, { action, organizationId: null, subject: holder.account.id })

  const tellFormer = (former: string | null, became: "changed" | "removed") =>
    letters === null || former === null ? Effect.void : letters.tell({ to: former, became })

  const begin = Effect.fnUntraced(function* (holder: SessionHolder, value: unknown) {
    const now = yield* fresh(holder)
    const email = yield* checked(value)
    if (letters === null) return yield* new ChannelRefused({ code: "no_channel" })
    const { id: accountId, phone } = holder.account
    const id = yield* ids.next("chl")
    const { code, key, digest } = yield* LoginCode.generate(id, purposeOf(accountId, email))
    const times = { tries: 0, createdAt: now, expiresAt: now + codeMs, usedAt: null }
    const challenge: Challenge = { id, channel, digest, key, ...times, ...(yield* countersOf(accountId, email)) }
    const allowedAt = yield* store.addChallenge(challenge, limits)
    if (Option.isSome(allowedAt)) {
      const waitMs = Math.min(allowedAt.value - now, limits.periodMs)
      return yield* new RateLimited({ retryAfterSeconds: wholeSeconds(waitMs) })
    }
    const { expiresAt } = challenge
    if ((yield* letters.send({ phone, code, expiresAt }, email)) === "failed") {
      return yield* new ChannelRefused({ code: "no_channel" })
    }
    return { challengeId: id, expiresAt, retryAfterSeconds: wholeSeconds(limits.waitMs) }
  })

  /** Which challenge is meant with a code for this address, and what its code is for. */
  const expected = Effect.fnUntraced(function* (holder: SessionHolder, value: unknown) {
    const now = yield* fresh(holder)
    const email = yield* checked(value)
    const { id } = holder.account
    const counters = yield* countersOf(id, email)
    const isMeant = (one: Challenge) =>
      one.channel === channel && one.phone === counters.phone && one.addressDigest === counters.addressDigest
    return { now, email, isMeant, purpose: purposeOf(id, email) }
  })

  const note = Effect.fnUntraced(function* (holder: SessionHolder, { id }: Challenge, email: string, now: number) {
    const { account } = holder
    const confirmation = { challengeId: id, accountId: account.id, email, now }
    const isDone = yield* store.confirmEmail(confirmation, yield* recorded(holder, "account.email_confirmed"))
    if (!isDone) return yield* new ChallengeRefused({ code: "challenge_used" })
    if (account.email?.toLowerCase() !== email.toLowerCase()) yield* tellFormer(account.email, "changed")
    return { ...holder, account: { ...account, email } } satisfies SessionHolder
  })

  const remove = Effect.fnUntraced(function* (holder: SessionHolder) {
    yield* fresh(holder)
    if (holder.account.email === null) return
    yield* directory.setEmail(holder.account.id, null, yield* recorded(holder, "account.email_removed"))
    yield* tellFormer(holder.account.email, "removed")
  })

  const rename = Effect.fnUntraced(function* (holder: SessionHolder, name: string | null) {
    if (name === null) return yield* new FieldRefused({ code: "invalid_name" })
    const trimmed = name.trim()
    yield* directory.setName(holder.account.id, trimmed, yield* recorded(holder, "account.renamed"))
    return { ...holder, account: { ...holder.account, name: trimmed } } satisfies SessionHolder
  })

  return { begin, expected, note, remove, rename }
})

const utf8 = new TextEncoder()
