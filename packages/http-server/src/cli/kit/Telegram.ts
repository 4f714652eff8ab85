/** Notifications over Telegram: off until a bot's token is given. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as TelegramMessenger from "@tolem/adapter-telegram/TelegramMessenger"
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { CommandFailed } from "./Failures.ts"

const tokenVariable = "TOLEM_TELEGRAM_BOT_TOKEN"
const urlVariable = "TOLEM_TELEGRAM_URL"

const failed = (message: string) => new CommandFailed({ error: "invalid_telegram", message })

/** The bot that the environment names; undefined if it names none. A refusal never repeats the token. */
export const settings: Effect.Effect<TelegramMessenger.Options | undefined, CommandFailed> = Effect.gen(function* () {
  const token = yield* Config.option(Config.Redacted(tokenVariable))
  const url = yield* Config.option(Config.String(urlVariable))
  if (Option.isNone(token) || Redacted.value(token.value) === "") return undefined
  if (!/^\d{3,20}:[A-Za-z0-9_-]{20,100}$/.test(Redacted.value(token.value))) {
    return yield* failed(`${tokenVariable} must be as @BotFather tells it: a number, a colon, letters and digits`)
  }
  const baseUrl = Option.getOrUndefined(url)
  if (baseUrl === undefined) return { token: token.value }
  const parsed = URL.parse(baseUrl)
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(parsed?.hostname ?? "")
  if (parsed?.protocol !== "https:" && !(parsed?.protocol === "http:" && isLocal)) {
    return yield* failed(`${urlVariable} must be https, or http on this machine`)
  }
  return { token: token.value, baseUrl }
}).pipe(Effect.catchTag("ConfigError", (error) => Effect.fail(failed(`${tokenVariable}: ${error.cause.message}`))))

/** The messenger that the environment names, or none. */
export const layer: Layer.Layer<never, CommandFailed> = Layer.unwrap(
  Effect.map(settings, (options) =>
    options === undefined
      ? Layer.empty
      : TelegramMessenger.layer(options).pipe(Layer.provide(NodeHttpClient.layerUndici))
  )
)

/** Asks the bot's name, without a message. */
export const greet = (options: TelegramMessenger.Options) =>
  Effect.provide(TelegramMessenger.greet(options), NodeHttpClient.layerUndici)
