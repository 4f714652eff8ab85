/** Letters to customers: off until an SMTP server is named, or a mailer configured. */
import * as SmtpMailer from "@tolem/adapter-smtp/SmtpMailer"
import type { Mailer } from "@tolem/core/mail/Mailer"
import { Config, Effect, Layer, Option, Redacted, Result } from "effect"
import { CommandFailed } from "./Failures.ts"

const urlVariable = "TOLEM_SMTP_URL"
const fromVariable = "TOLEM_MAIL_FROM"

/** The mailer that the environment names, else the configured one, or none. */
export const layer = (configured: Layer.Layer<Mailer> | undefined): Layer.Layer<never, CommandFailed> =>
  Layer.unwrap(
    Effect.map(settings, (options) => (options === undefined ? (configured ?? Layer.empty) : SmtpMailer.layer(options)))
  )

/** The mail server that the environment names; undefined if it names none. */
export const settings: Effect.Effect<SmtpMailer.Options | undefined, CommandFailed> = Effect.gen(function* () {
  const url = yield* Config.option(Config.Redacted(urlVariable))
  const from = yield* Config.option(Config.String(fromVariable))
  if (Option.isNone(url) || Redacted.value(url.value) === "") return undefined
  const options = parseMail(
    Redacted.value(url.value),
    Option.getOrElse(from, () => "")
  )
  return Result.isSuccess(options)
    ? options.success
    : yield* new CommandFailed({ error: "invalid_mail", message: options.failure })
}).pipe(
  Effect.catchTag("ConfigError", (error) =>
    Effect.fail(new CommandFailed({ error: "invalid_mail", message: `${urlVariable}: ${error.cause.message}` }))
  )
)

/** Greets the mail server and logs in, without a letter. Answers the codes of what went wrong, or null. */
export const tryOut = SmtpMailer.tryOut

/** Whether letters are sent: by the server that the environment names, or by the configured mailer. */
export const isSetUp = (configured: Layer.Layer<Mailer> | undefined) =>
  Effect.map(
    Effect.orElseSucceed(Config.option(Config.Redacted(urlVariable)), Option.none<Redacted.Redacted>),
    (url) => configured !== undefined || Option.exists(url, (text) => Redacted.value(text) !== "")
  )

const form = `${urlVariable} must be smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT`

/** The settings of an address; a refusal never repeats it, since it holds a password. */
export const parseMail = (text: string, from: string): Result.Result<SmtpMailer.Options, string> => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return Result.fail(form)
  if (!/^(?:[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from)) {
    return Result.fail(`${fromVariable} must be an address, as shop@example.kz or "Shop <shop@example.kz>"`)
  }
  const secure = url.protocol === "smtps:"
  const plain = url.searchParams.get("plain") === "1"
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (plain && (secure || !isLocal)) return Result.fail(`${urlVariable}: plain=1 is for smtp:// on this machine only`)
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return Result.succeed({
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
      secure,
      plain,
      credentials: user === "" ? null : { user, password: Redacted.make(password) },
      from
    })
  } catch {
    return Result.fail(form)
  }
}
