/** `tolem connection login` */
import { connectionJson } from "@tolem/core/connection/Connection"
import { LoginRefused } from "@tolem/core/connection/ConnectionErrors"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { changingCommand } from "../kit/Commands.ts"
import { CommandFailed, UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import * as Merchant from "../kit/Merchant.ts"
import * as Questions from "../kit/Questions.ts"

const missing = (what: string) => new UsageError({ message: `The ${what} is missing: standard input has ended.` })

/** Tells of a fault of the provider in a login: the catalogue's text is about an invoice that is created. */
export const inWords = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | CommandFailed, R> =>
  Effect.mapError(self, (failure): E | CommandFailed =>
    failure instanceof LoginRefused && failure.code === "provider_error" ? new CommandFailed(ofProvider) : failure
  )

const ofProvider = {
  error: "provider_error",
  message:
    "The provider logs no cashier in: it gives no answer, or a wrong one. tolem doctor says whether it is reached."
}

/** Logs a cashier in step by step, and asks for what is not given. */
export const login = changingCommand(
  "login",
  "Log a cashier in at the provider: asks for the phone, and for the code that the provider sends there",
  {
    provider: Flags.provider,
    organization: Flags.organization,
    id: Flags.text("id", "ID", "Id of the connection, as connection list shows it"),
    phone: Flags.text("phone", "7XXXXXXXXXX", "The cashier's phone; without it you are asked").pipe(Flag.optional)
  },
  function* ({ organization, id, phone }) {
    yield* Merchant.organizationOf(organization)
    const { connections } = yield* Engine
    // Refused before anything is asked, if there is no such cashier.
    const { name } = yield* connections.get(organization, id)
    const connection = yield* Effect.scoped(
      Effect.gen(function* () {
        const ask = yield* Questions.make
        const { id: processId } = yield* connections.initLogin(organization, id)
        const given = Option.isSome(phone) ? phone.value : yield* ask(`Phone of the cashier ${name} (7XXXXXXXXXX):`)
        if (given === null) return yield* missing("phone")
        yield* connections.sendPhone(organization, id, { processId, phone: digitsOf(given) })
        while (true) {
          const code = yield* ask("Code that the provider has sent:")
          if (code === null) return yield* missing("code")
          const otp = Redacted.make(code)
          const tried = yield* Effect.result(connections.verifyOtp(organization, id, { processId, otp }))
          if (tried._tag === "Success") return tried.success
          // Another one may be right; the provider and the engine count how often it is tried.
          if (!("code" in tried.failure) || tried.failure.code !== "invalid_code") return yield* tried.failure
          yield* Effect.logWarning("That code is wrong: type it again, or press Ctrl+C")
        }
      })
    ).pipe(inWords)
    return {
      json: connectionJson(connection),
      text: `Connection ${connection.id} (${connection.name}): ${connection.status}.`
    }
  },
  ({ provider }) => ({ provider })
)

// As people write it: +7 (701) 000-00-00.
const digitsOf = (phone: string): string => phone.replace(/[\s()+-]/g, "")
