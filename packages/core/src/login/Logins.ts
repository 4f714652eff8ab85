/** Use-cases of people: logged in by a code that is sent to their phone, known by their session, and logged out. */
import { Clock, Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import { networkOf } from "../access/Network.ts"
import { type Action, CurrentActor, recordOf } from "../audit/Audit.ts"
import { AccountBlocked, FieldRefused } from "../error/Refusals.ts"
import { type Account, referralCodeOf } from "../merchant/Merchant.ts"
import { optionalLine, optionalPhone } from "../value/Checks.ts"
import { type ChallengeId, Ids } from "../value/Ids.ts"
import type { Challenge } from "./Challenge.ts"
import { type CodeChannel, CodeChannels } from "./CodeChannel.ts"
import * as EmailCodes from "./EmailCodes.ts"
import * as LoginCode from "./LoginCode.ts"
import { ChallengeRefused, ChannelRefused, RateLimited, wholeSeconds } from "./LoginErrors.ts"
import { LoginSettings } from "./LoginSettings.ts"
import { LoginStore, type SessionHolder } from "./LoginStore.ts"
import * as OwnAccount from "./own/OwnAccount.ts"
import * as Sessions from "./Sessions.ts"
import * as SessionToken from "./SessionToken.ts"

/** What a code is asked for with. */
export interface CodeRequest {
  /** 7XXXXXXXXXX. */
  readonly phone: unknown
  /** Name of a channel; absent: the preferred one. */
  readonly channel?: unknown
}

/** A login that has begun. The same for a phone that is known and one that is not. */
export interface LoginBegun {
  readonly challengeId: ChallengeId
  readonly expiresAt: number
  /** Until another code may be asked for. */
  readonly retryAfterSeconds: number
  /** Names of all channels. */
  readonly channels: ReadonlyArray<string>
}

/** What a login is finished with. `name` is for the account that is made if the phone is new. */
export interface FinishRequest {
  readonly challengeId: unknown
  readonly code: unknown
  readonly name?: unknown
}

/** Who is at the other end, as far as the transport tells; null if it does not. */
export interface Visitor {
  readonly address: string | null
  readonly userAgent: string | null
  /** Token of the session that it has now, which ends with a new one. */
  readonly token?: Redacted.Redacted | undefined
}

/** A session that was just opened. Its token is handed out this once and kept nowhere. */
export interface OpenSession extends SessionHolder {
  readonly token: Redacted.Redacted
}

const make = Effect.gen(function* () {
  const store = yield* LoginStore
  const ids = yield* Ids
  const settings = yield* LoginSettings
  const named = Option.getOrElse(yield* Effect.serviceOption(CodeChannels), () => [])
  const emailed = yield* EmailCodes.make
  const channels = named.flatMap(({ name, send }): ReadonlyArray<CodeChannel> => {
    const sends = send ?? emailed?.send ?? null
    return sends === null ? [] : [{ name, send: (message) => sends(message) }]
  })
  const crypto = Context.make(Digest.Digest, yield* Digest.Digest).pipe(
    Context.add(Mac.Mac, yield* Mac.Mac),
    Context.add(SecureRandom.SecureRandom, yield* SecureRandom.SecureRandom)
  )

  const own = yield* OwnAccount.make(emailed)

  const begin = Effect.fn("Logins.begin")(function* (request: CodeRequest, address: string | null) {
    const { codeMs, codes } = settings.login
    const channel = yield* Effect.fromResult(choose(channels, request.channel))
    const phone = yield* Effect.fromResult(checkPhone(request.phone))
    const id = yield* ids.next("chl")
    const { code, key, digest } = yield* LoginCode.generate(id)
    const now = yield* Clock.currentTimeMillis
    const challenge: Challenge = {
      id,
      phone,
      channel: channel.name,
      digest,
      key,
      addressDigest: address === null ? null : yield* digestOfAddress(address),
      tries: 0,
      createdAt: now,
      expiresAt: now + codeMs,
      usedAt: null
    }
    const allowedAt = yield* store.addChallenge(challenge, codes)
    if (Option.isSome(allowedAt)) {
      const waitMs = Math.min(allowedAt.value - now, codes.periodMs)
      return yield* new RateLimited({ retryAfterSeconds: wholeSeconds(waitMs) })
    }
    const { expiresAt } = challenge
    if ((yield* channel.send({ phone, code, expiresAt })) === "failed") {
      yield* Effect.logError(`Logins: the channel ${channel.name} failed`)
      return yield* new ChannelRefused({ code: "no_channel" })
    }
    const retryAfterSeconds = wholeSeconds(codes.waitMs)
    const begun: LoginBegun = {
      challengeId: id,
      expiresAt,
      retryAfterSeconds,
      channels: channels.map(({ name }) => name)
    }
    return begun
  }, Effect.provideContext(crypto))

  /** A record of a person who is not known yet. */
  const told = (address: string | null, action: Action, subject: string, detail: string | null = null) =>
    Effect.provideService(recordOf(ids, { action, organizationId: null, subject, detail }), CurrentActor, {
      kind: "account",
      id: null,
      origin: address
    })

  /** The challenge that the right code has come for, with this try counted; one of those that `isMeant` wants. */
  const tried = Effect.fnUntraced(function* (
    { challengeId: id, code }: { readonly challengeId: unknown; readonly code: Redacted.Redacted },
    address: string | null,
    now: number,
    isMeant: (challenge: Challenge) => boolean,
    purpose = ""
  ) {
    const found = isChallengeId(id) ? Option.getOrUndefined(yield* store.findChallenge(id)) : undefined
    const challenge = found !== undefined && isMeant(found) ? found : undefined
    if (challenge === undefined) return yield* new ChallengeRefused({ code: "challenge_expired" })
    if (challenge.usedAt !== null) return yield* new ChallengeRefused({ code: "challenge_used" })
    if (challenge.expiresAt <= now) return yield* new ChallengeRefused({ code: "challenge_expired" })
    // Counted before anything comes of the code, so that many at once get no more tries than one by one.
    const isRight = yield* LoginCode.matches(challenge, code, purpose)
    const { maxTries: max } = settings.login
    const audit = yield* told(address, "login.failed", challenge.id, "invalid_code")
    const tries = yield* store.countTry(challenge.id, isRight ? undefined : { max, audit })
    if (tries > max) return yield* new ChallengeRefused({ code: "too_many_attempts" })
    if (!isRight) return yield* new ChallengeRefused({ code: "invalid_code" })
    return challenge
  })

  const finish = Effect.fn("Logins.finish")(function* (request: FinishRequest, client: Visitor) {
    const name = yield* Effect.fromResult(checkName(request.name))
    const code = yield* Effect.fromResult(checkCode(request.code))
    const now = yield* Clock.currentTimeMillis
    const address = shown(client.address, maxAddress)
    const challenge = yield* tried({ ...request, code }, address, now, isOfLogin)
    const { phone } = challenge
    const { idleMs, maxMs } = settings.login.session
    const token = yield* SessionToken.generate
    const id = yield* ids.next("acc")
    const referralCode = referralCodeOf(id)
    const account: Account = { id, phone, name, email: null, status: "active", referralCode, createdAt: now }
    const session = {
      id: yield* ids.next("ses"),
      digest: yield* SessionToken.digestOf(token),
      address,
      userAgent: shown(client.userAgent, maxUserAgent),
      createdAt: now,
      seenAt: now,
      idleAt: now + Math.min(idleMs, maxMs),
      expiresAt: now + maxMs,
      revokedAt: null,
      freshUntil: now + settings.login.freshMs
    }
    const entered = yield* store.enter({
      challengeId: challenge.id,
      now,
      account,
      session,
      maxSessions: settings.login.maxSessions,
      replaces: yield* digestOfToken(client.token),
      audits: {
        entered: yield* told(address, "login.succeeded", session.id),
        blocked: yield* told(address, "login.failed", challenge.id, "account_blocked")
      }
    })
    if (entered._tag === "Used") return yield* new ChallengeRefused({ code: "challenge_used" })
    if (entered._tag === "Blocked") return yield* new AccountBlocked()
    const open: OpenSession = { token, session: entered.session, account: entered.account }
    return open
  }, Effect.provideContext(crypto))

  const confirm = Effect.fn("Logins.confirm")(function* (
    { session, account }: SessionHolder,
    request: Pick<FinishRequest, "challengeId" | "code">
  ) {
    const code = yield* Effect.fromResult(checkCode(request.code))
    const now = yield* Clock.currentTimeMillis
    const { origin } = yield* CurrentActor
    const isOwn = (one: Challenge) => isOfLogin(one) && one.phone === account.phone
    const challenge = yield* tried({ ...request, code }, origin, now, isOwn)
    const freshUntil = now + settings.login.freshMs
    const deed = { action: "session.confirmed", organizationId: null, subject: session.id } as const
    const confirmation = { challengeId: challenge.id, sessionId: session.id, now, freshUntil }
    const isDone = yield* store.confirm(confirmation, yield* recordOf(ids, deed))
    if (!isDone) return yield* new ChallengeRefused({ code: "challenge_used" })
    return { session: { ...session, freshUntil }, account } satisfies SessionHolder
  }, Effect.provideContext(crypto))

  return {
    /** Sends a code to a phone. Counts against the limits also if the channel then fails. */
    begin,
    /** Opens a session with the right code, once. The account is made if the phone is new. */
    finish,
    /** Notes that the owner of a live session has a fresh code of their own phone. */
    confirm,
    /** Gives a person another name. */
    rename: Effect.fn("Logins.rename")(function* (holder: SessionHolder, name: unknown) {
      return yield* own.rename(holder, yield* Effect.fromResult(checkName(name)))
    }),
    /** Sends a code to what is to become a person's address. Takes a fresh code of their own phone. */
    beginEmail: Effect.fn("Logins.beginEmail")(own.begin, Effect.provideContext(crypto)),
    /** Notes the address that the right code came to. Takes a fresh code of their own phone. */
    confirmEmail: Effect.fn("Logins.confirmEmail")(function* (
      holder: SessionHolder,
      { email, challengeId, code }: Pick<FinishRequest, "challengeId" | "code"> & { readonly email: unknown }
    ) {
      const given = { challengeId, code: yield* Effect.fromResult(checkCode(code)) }
      const { origin } = yield* CurrentActor
      const meant = yield* own.expected(holder, email)
      const challenge = yield* tried(given, origin, meant.now, meant.isMeant, meant.purpose)
      return yield* own.note(holder, challenge, meant.email, meant.now)
    }, Effect.provideContext(crypto)),
    /** Takes a person's address away; may be repeated. Takes a fresh code of their own phone. */
    removeEmail: own.remove,
    ...(yield* Sessions.make)
  }
})

/** The use-cases of logins by code, and of the sessions that they open. */
export class Logins extends Context.Service<Logins, Effect.Success<typeof make>>()("@tolem/core/Logins") {
  /** The use-cases over the store. Without `CodeChannels` no new session can be opened. */
  static readonly layer = Layer.effect(Logins, make)
}

const maxName = 200
const maxUserAgent = 200
const maxAddress = 100

/** Identifiers as the `Ids` service makes them. Others never reach the storage. */
const challengeIdForm = /^chl_[0-9a-hjkmnp-tv-z]{26}$/
const isChallengeId = (id: unknown): id is string => typeof id === "string" && challengeIdForm.test(id)

const choose = (channels: ReadonlyArray<CodeChannel>, wanted: unknown): Result.Result<CodeChannel, ChannelRefused> => {
  const [preferred] = channels
  if (preferred === undefined) return Result.fail(new ChannelRefused({ code: "no_channel" }))
  if (wanted === undefined || wanted === null) return Result.succeed(preferred)
  const found = channels.find(({ name }) => name === wanted)
  return found === undefined ? Result.fail(new ChannelRefused({ code: "channel_forbidden" })) : Result.succeed(found)
}

const checkPhone = (value: unknown): Result.Result<string, FieldRefused<"invalid_phone">> =>
  Result.flatMap(
    Result.mapError(optionalPhone(value), (code) => new FieldRefused({ code })),
    (phone) => (phone === null ? Result.fail(new FieldRefused({ code: "invalid_phone" })) : Result.succeed(phone))
  )

const isOfLogin = ({ channel }: Challenge): boolean => channel !== OwnAccount.channel

const checkName = (value: unknown): Result.Result<string | null, FieldRefused<"invalid_name">> =>
  Result.flatMap(
    Result.mapError(optionalLine(value, maxName, "invalid_name"), (code) => new FieldRefused({ code })),
    (name) => (name?.trim() === "" ? Result.fail(new FieldRefused({ code: "invalid_name" })) : Result.succeed(name))
  )

/** What cannot be a code costs no try: its refusal tells nothing. */
const checkCode = (value: unknown): Result.Result<Redacted.Redacted, ChallengeRefused> => {
  const code = Redacted.make(typeof value === "string" ? value : "")
  return LoginCode.isWellFormed(code)
    ? Result.succeed(code)
    : Result.fail(new ChallengeRefused({ code: "invalid_code" }))
}

/** A text of strangers, as it can be stored and shown: cut, without what would break a line or a database. */
const shown = (text: string | null, max: number): string | null =>
  text === null
    ? null
    : text
        .toWellFormed()
        .replace(/\p{Cc}/gu, " ")
        .slice(0, max)
        .toWellFormed()

const digestOfToken = (token: Redacted.Redacted | undefined) =>
  token === undefined || !SessionToken.isWellFormed(token) ? Effect.succeed(null) : SessionToken.digestOf(token)

const utf8 = new TextEncoder()

// Of one length whatever is told as an address. It hides nothing: the number of addresses is small.
const digestOfAddress = Effect.fnUntraced(function* (address: string) {
  const digest = yield* Digest.Digest
  return yield* digest.digestHex(Digest.sha256, utf8.encode(networkOf(address)))
})
