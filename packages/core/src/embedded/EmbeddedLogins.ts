/** Login by code for applications that do not use Effect: their channels in, promises out. */
import { Effect, Layer, Redacted } from "effect"
import type { Engine } from "../engine/Engine.ts"
import { type CodeChannel, CodeChannels, emailChannel } from "../login/CodeChannel.ts"
import type { SessionHolder } from "../login/LoginStore.ts"
import type { CodeRequest, FinishRequest, Visitor } from "../login/Logins.ts"
import { emailBegunJson, loginBegunJson, sessionJson, sessionsJson } from "../login/SessionJson.ts"
import type { AccountId, SessionId } from "../value/Ids.ts"
import { faceOf, nothing, type RunPromise } from "./Faces.ts"

/** A way to reach a phone. `send` has half a minute; a promise that is rejected means that the code was not sent. */
export interface EmbeddedChannel {
  /** By which clients choose it: lower case, as `sms`. */
  readonly name: string
  readonly send: (message: {
    readonly phone: string
    /** Six digits. For the phone's owner alone: it belongs in no log. */
    readonly code: string
    /** Until when the code can be used, epoch milliseconds. */
    readonly expiresAt: number
  }) => Promise<void>
}

const sendWithinMs = 30_000

/**
 * The channels as the port has them. Without one there is no login by code. `"email"` is the engine's own: over the
 * mailer, to the address of the account.
 */
export const channels = (given: ReadonlyArray<EmbeddedChannel | "email"> = []): Layer.Layer<never> =>
  given.length === 0
    ? Layer.empty
    : Layer.succeed(
        CodeChannels,
        given.map((one) => (one === "email" ? emailChannel : codeChannelOf(one)))
      )

/** The channel as the port has it. */
export const codeChannelOf = ({ name, send }: EmbeddedChannel): CodeChannel => ({
  name,
  send: ({ phone, code, expiresAt }) =>
    Effect.tryPromise(() => send({ phone, code: Redacted.value(code), expiresAt })).pipe(
      Effect.timeout(sendWithinMs),
      Effect.as("sent" as const),
      // What the application throws may repeat the code, so it is not logged.
      Effect.orElseSucceed(() => "failed" as const)
    )
})

/** How many sessions were ended. */
interface EndedSessions {
  readonly ended: number
}

/** People who log in by code. */
export interface EmbeddedLogins {
  /** Has a code sent. `address` is that of the visitor; the same answer whether their phone is known or not. */
  readonly begin: (request: CodeRequest, address?: string | null) => Promise<ReturnType<typeof loginBegunJson>>
  /** Opens a session with the right code. Its `token`, kept nowhere, belongs in a cookie that scripts cannot read. */
  readonly finish: (
    request: FinishRequest,
    client?: Visitor
  ) => Promise<{ readonly token: string } & ReturnType<typeof sessionJson>>
  /** Notes that the person who uses a token has a fresh code of their own phone, which `begin` has sent. */
  readonly confirm: (
    token: string,
    request: Pick<FinishRequest, "challengeId" | "code">
  ) => Promise<ReturnType<typeof sessionJson>>
  /** Gives the person who uses a token another name. */
  readonly rename: (token: string, name: string) => Promise<ReturnType<typeof sessionJson>>
  /** Sends a code to what is to become the person's address. Takes a fresh code of their phone: `confirm`. */
  readonly beginEmail: (token: string, email: string) => Promise<ReturnType<typeof emailBegunJson>>
  /** Notes the address that the code came to. Takes a fresh code of the phone. */
  readonly confirmEmail: (
    token: string,
    request: Pick<FinishRequest, "challengeId" | "code"> & { readonly email: string }
  ) => Promise<ReturnType<typeof sessionJson>>
  /** Takes the person's address away. Takes a fresh code of their phone. */
  readonly removeEmail: (token: string) => Promise<void>
  /** Who uses a token. */
  readonly session: (token: string) => Promise<ReturnType<typeof sessionJson>>
  /** Ends the session of a token. */
  readonly end: (token: string) => Promise<void>
  /** The live sessions of the person who uses a token, newest first. */
  readonly sessions: (token: string) => Promise<ReturnType<typeof sessionsJson>>
  /** Ends every other session of the person who uses a token. */
  readonly endOthers: (token: string) => Promise<EndedSessions>
  /** Ends one session of an account at once. */
  readonly endOne: (accountId: AccountId, id: SessionId) => Promise<void>
  /** Ends every session of an account at once, and answers how many were live. */
  readonly endAll: (accountId: AccountId) => Promise<EndedSessions>
}

/** People who log in by code, as promises. */
export const loginsOf = ({ logins, directory }: Engine["Service"], run: RunPromise): EmbeddedLogins => {
  const known = <Holder extends SessionHolder>(holder: Holder) =>
    Effect.map(directory.parts(holder.account.id), (parts) => ({ holder, parts }))
  const session = (token: string) => logins.session(Redacted.make(token))
  const verbs = {
    ...logins,
    begin: (request: CodeRequest, address: string | null = null) => logins.begin(request, address),
    finish: (request: FinishRequest, client: Visitor = { address: null, userAgent: null }) =>
      Effect.flatMap(logins.finish(request, client), known),
    confirm: (token: string, request: Pick<FinishRequest, "challengeId" | "code">) =>
      Effect.flatMap(
        Effect.flatMap(session(token), (holder) => logins.confirm(holder, request)),
        known
      ),
    rename: (token: string, name: string) =>
      Effect.flatMap(
        Effect.flatMap(session(token), (holder) => logins.rename(holder, name)),
        known
      ),
    beginEmail: (token: string, email: string) =>
      Effect.flatMap(session(token), (holder) => logins.beginEmail(holder, email)),
    confirmEmail: (token: string, request: Pick<FinishRequest, "challengeId" | "code"> & { readonly email: string }) =>
      Effect.flatMap(
        Effect.flatMap(session(token), (holder) => logins.confirmEmail(holder, request)),
        known
      ),
    removeEmail: (token: string) => Effect.flatMap(session(token), logins.removeEmail),
    session: (token: string) => Effect.flatMap(session(token), known),
    end: (token: string) => logins.end(Redacted.make(token)),
    sessions: (token: string) =>
      Effect.flatMap(session(token), (holder) =>
        Effect.map(logins.sessions(holder.account.id), (all) => ({ all, current: holder.session.id }))
      ),
    endOthers: (token: string) =>
      Effect.flatMap(session(token), (holder) => logins.endOthers(holder.account.id, holder.session.id))
  }
  const ended = (count: number) => ({ ended: count })
  return faceOf<EmbeddedLogins>()(run)(verbs, {
    begin: loginBegunJson,
    rename: ({ holder, parts }) => sessionJson(holder, parts),
    beginEmail: emailBegunJson,
    confirmEmail: ({ holder, parts }) => sessionJson(holder, parts),
    removeEmail: nothing,
    finish: ({ holder, parts }) => ({ token: Redacted.value(holder.token), ...sessionJson(holder, parts) }),
    session: ({ holder, parts }) => sessionJson(holder, parts),
    end: nothing,
    sessions: ({ all, current }) => sessionsJson(all, current),
    confirm: ({ holder, parts }) => sessionJson(holder, parts),
    endOne: nothing,
    endOthers: ended,
    endAll: ended
  })
}
