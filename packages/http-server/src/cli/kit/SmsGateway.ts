/** Login codes by text message: off until `TOLEM_SMS_GATEWAY` says how a gateway is called. */
import { type Gateway, httpChannel } from "@tolem/adapter-node"
import { codeChannelOf } from "@tolem/core/embedded/EmbeddedLogins"
import type { CodeChannel } from "@tolem/core/login/CodeChannel"
import { Config, Effect, Exit, Option, Redacted, Result, Schema } from "effect"
import { CommandFailed } from "./Failures.ts"

const variable = "TOLEM_SMS_GATEWAY"

/** The channel's name, by which `--login-channel` and people choose it. */
const name = "sms"

const Texts = Schema.Record(Schema.String, Schema.String)

const Description = Schema.Struct({
  url: Schema.String,
  method: Schema.optionalKey(Schema.Literals(["GET", "POST", "PUT"])),
  headers: Schema.optionalKey(Texts),
  json: Schema.optionalKey(Schema.Json),
  form: Schema.optionalKey(Texts),
  text: Schema.String,
  accepted: Schema.optionalKey(Schema.String),
  refused: Schema.optionalKey(Schema.String),
  timeoutMs: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 30_000 }))),
  privateNetworks: Schema.optionalKey(Schema.Array(Schema.String))
})

const decode = Schema.decodeUnknownExit(Schema.fromJsonString(Description), { onExcessProperty: "error" })

/** The gateway of a description in JSON. A refusal names members, and repeats nothing that stands in them. */
const parseGateway = (text: string): Result.Result<Gateway, string> => {
  const decoded = decode(text)
  if (Exit.isFailure(decoded))
    return Result.fail(`${variable} must be JSON with url and text, as docs/operations.md says`)
  const { accepted, refused, ...rest } = decoded.value
  try {
    const gateway = {
      ...rest,
      name,
      ...(accepted !== undefined && { accepted: new RegExp(accepted) }),
      ...(refused !== undefined && { refused: new RegExp(refused) })
    }
    // Made once for its faults: what can never work is said before anything is opened.
    httpChannel(gateway)
    return Result.succeed(gateway)
  } catch (error) {
    const says = error instanceof TypeError ? error.message : "accepted and refused must be regular expressions"
    return Result.fail(`${variable}: ${says}`)
  }
}

/** The channel; none if there is no gateway. */
export const channel: Effect.Effect<Option.Option<CodeChannel>, CommandFailed> = Effect.gen(function* () {
  const given = yield* Config.option(Config.Redacted(variable))
  if (Option.isNone(given) || Redacted.value(given.value) === "") return Option.none()
  const gateway = parseGateway(Redacted.value(given.value))
  if (Result.isFailure(gateway)) return yield* refusal(gateway.failure)
  return Option.some(logging(gateway.success))
}).pipe(Effect.catchTag("ConfigError", (error) => refusal(`${variable}: ${error.cause.message}`)))

const refusal = (message: string) => Effect.fail(new CommandFailed({ error: "invalid_sms_gateway", message }))

/** Logs why a code was not sent: neither the code, nor the phone, nor the address. */
const logging = (gateway: Gateway): CodeChannel => ({
  name,
  send: (message) =>
    Effect.suspend(() => {
      let reason = "no answer in time"
      const onFailure = (found: string) => {
        reason = found
      }
      return Effect.tap(codeChannelOf(httpChannel({ ...gateway, onFailure })).send(message), (outcome) =>
        outcome === "failed"
          ? Effect.annotateLogs(Effect.logWarning("LoginChannels: a code was not sent"), { channel: name, reason })
          : Effect.void
      )
    })
})
