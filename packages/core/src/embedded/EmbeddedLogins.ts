/** Login by code for applications that do not use Effect: their channels in, promises out. */
import { Effect, Layer, Redacted } from "effect"
import type { Code } from "../error/ErrorCatalog.ts"
import { type CodeChannel, CodeChannels } from "../login/CodeChannel.ts"
import type { SessionHolder } from "../login/LoginStore.ts"
import type { CodeRequest, FinishRequest, Logins, Visitor } from "../login/Logins.ts"
import { sessionEntryJson, sessionJson } from "../login/SessionJson.ts"
import type { DirectoryStore } from "../merchant/DirectoryStore.ts"

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

/** The channels as the port has them. Without one there is no login by code. */
export const channels = (given: ReadonlyArray<EmbeddedChannel> = []): Layer.Layer<never> =>
  given.length === 0 ? Layer.empty : Layer.succeed(CodeChannels, given.map(channel))

const channel = ({ name, send }: EmbeddedChannel): CodeChannel => ({
  name,
  send: ({ phone, code, expiresAt }) =>
    Effect.tryPromise(() => send({ phone, code: Redacted.value(code), expiresAt })).pipe(
      Effect.timeout(sendWithinMs),
      Effect.as("sent" as const),
      // What the application throws may repeat the code, so it is not logged.
      Effect.orElseSucceed(() => "failed" as const)
    )
})

type Run = <A>(effect: Effect.Effect<A, { readonly code: Code }>) => Promise<A>

interface Uses {
  readonly logins: Logins["Service"]
  readonly directory: DirectoryStore["Service"]
}

/** The use-cases as promises. */
export const loginsOf = ({ logins, directory }: Uses, run: Run) => {
  const shown = (holder: SessionHolder) =>
    Effect.map(directory.parts(holder.account.id), (parts) => sessionJson(holder, parts))
  return {
    /** Has a code sent. `address` is that of the visitor; the same answer whether their phone is known or not. */
    begin: (request: CodeRequest, address: string | null = null) => run(logins.begin(request, address)),
    /** Opens a session with the right code. Its `token`, kept nowhere, belongs in a cookie that scripts cannot read. */
    finish: async (request: FinishRequest, client: Visitor = { address: null, userAgent: null }) => {
      const opened = await run(logins.finish(request, client))
      return { token: Redacted.value(opened.token), ...(await run(shown(opened))) }
    },
    /** Who uses a token. */
    session: (token: string) => run(Effect.flatMap(logins.session(Redacted.make(token)), shown)),
    /** Ends the session of a token. */
    end: (token: string) => run(logins.end(Redacted.make(token))),
    /** The live sessions of the person who uses a token, newest first. */
    sessions: (token: string) =>
      run(
        Effect.flatMap(logins.session(Redacted.make(token)), ({ session, account }) =>
          Effect.map(logins.sessions(account.id), (all) => all.map((one) => sessionEntryJson(one, session.id)))
        )
      ),
    /** Ends one of a person's sessions. */
    endOne: (accountId: string, id: string) => run(logins.endOne(accountId, id)),
    /** Ends every session of an account, and answers how many there were. */
    endAll: (accountId: string) => run(logins.endAll(accountId))
  }
}
