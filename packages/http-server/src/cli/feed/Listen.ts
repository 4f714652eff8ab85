/** `tolem listen`: the events of a running server, sent to an address of this machine as webhooks are. */
import { nodePlatform } from "@tolem/adapter-node"
import { announcedTypes } from "@tolem/core/invoice/Consequences"
import { toIso } from "@tolem/core/value/Calendar"
import { asText, withRawMember } from "@tolem/core/value/RawJson"
import { fixedHeaders } from "@tolem/core/webhook/sending/Attempts"
import { generateSecret, headersOf } from "@tolem/core/webhook/sending/Signature"
import type { EventKind } from "@tolem/core/webhook/Webhook"
import { Clock, Config, Effect, Option, Redacted } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { isNear } from "../kit/Addresses.ts"
import { UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import { Stopping } from "../kit/Shutdown.ts"
import { eventLine } from "./Events.ts"
import * as ServerFeed from "./ServerFeed.ts"

const variable = "TOLEM_WEBHOOK_SECRET"

/** As long as the server waits for a receiver. */
const timeoutMs = 15_000

/** Events have customers' data in them. */
const forwardFault = (url: string): string | undefined => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return "--forward-to must be an http or https address"
  return url.startsWith("https:") || isNear(url)
    ? undefined
    : "--forward-to: write https, unless the address is of this machine or of a private network"
}

const flags = {
  ...ServerFeed.flags,
  types: Flags.text("types", "a,b", `Only events of these types, of ${announcedTypes.join(", ")}; default all`).pipe(
    Flag.optional
  ),
  forwardTo: Flags.text("forward-to", "URL", "Where each event is posted, as http://localhost:4000/hook").pipe(
    Flag.optional,
    Flag.mapEffect((url) => {
      const fault = Option.isSome(url) ? forwardFault(url.value) : undefined
      return fault === undefined ? Effect.succeed(url) : Effect.fail(new CliError.ValidationError({ message: fault }))
    })
  ),
  print: Flag.Boolean("print").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Print the body of each event, too")
  ),
  after: Flags.text("after", "CURSOR|TIME", "Begin there instead of with what is new, as events --after").pipe(
    Flag.optional
  )
}

/** A request as a webhook would be. */
interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const post = ({ url, headers, body }: Post) =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const answer = yield* Effect.promise(async (signal) => {
      const given = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      try {
        const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: given })
        await response.body?.cancel()
        return { status: response.status, error: null }
      } catch (error) {
        return { status: null, error: ServerFeed.reasonOf(error) }
      }
    })
    return { ...answer, durationMs: (yield* Clock.currentTimeMillis) - startedAt }
  })

/** The webhook that an endpoint of this secret would get of the event. */
const webhookOf = Effect.fnUntraced(function* (entry: ServerFeed.Entry, secret: Redacted.Redacted) {
  const now = yield* Clock.currentTimeMillis
  const kind = entry.type as EventKind
  const delivery = { id: `dlv_${entry.id.replace(/^evt_/, "")}_local`, kind }
  const body: string = withRawMember({ event: kind }, "invoice", asText<object>(entry.invoiceText), {
    sentAt: toIso(now),
    id: entry.id,
    sequence: entry.sequence,
    ...(entry.late === true && { late: true })
  })
  const signed = yield* headersOf({ delivery, endpoint: { secret, previousSecret: null }, body, now })
  return { deliveryId: delivery.id, body, headers: { ...fixedHeaders, ...signed } }
})

const given = Effect.mapError(
  Config.option(Config.Redacted(variable)),
  ({ cause }) => new UsageError({ message: `${variable}: ${cause.message.split("\n")[0]}` })
)

/** Posts the events of a running server to an address, each signed as a webhook is. */
export const listen = Command.make("listen", flags, ({ types, forwardTo, print, after, ...of }) =>
  Effect.gen(function* () {
    if (Option.isNone(forwardTo) && !print) {
      return yield* new UsageError({ message: "Say where events go: --forward-to URL, or --print, or both." })
    }
    const access = yield* ServerFeed.accessOf(of)
    const wanted = Option.isSome(types) ? Flags.list(types.value) : announcedTypes
    const unknown = wanted.find((type) => !announcedTypes.some((each) => each === type))
    if (unknown !== undefined) {
      const message = `--types: "${unknown}" is none of ${announcedTypes.join(", ")}`
      return yield* new UsageError({ message })
    }
    const known = yield* given
    const secret = Option.isSome(known) ? known.value : yield* generateSecret
    const output = yield* Output
    const begin = Effect.gen(function* () {
      ;(yield* Stopping).orderly = true
      const to = Option.getOrNull(forwardTo)
      const shown = Option.isSome(known) ? null : Redacted.value(secret)
      const signing = shown === null ? `Signed with ${variable}.` : `Signing secret: ${shown}`
      yield* output.print({
        json: { status: "listening", url: access.url, forwardTo: to, ...(shown !== null && { secret: shown }) },
        text: `Listening to ${access.url}${to === null ? "" : `; events go to ${to}`}. ${signing}\nCtrl+C ends it.`
      })
    })
    const stopping = yield* Stopping
    const reading = {
      after: Option.getOrElse(after, () => ServerFeed.newOnly),
      types: wanted,
      follows: true,
      caughtUp: begin.pipe(Effect.provideService(Stopping, stopping))
    }
    yield* ServerFeed.read(access, reading, (entry) =>
      Effect.gen(function* () {
        const { deliveryId, body, headers } = yield* webhookOf(entry, secret)
        const answer = Option.isSome(forwardTo) ? yield* post({ url: forwardTo.value, headers, body }) : null
        const said = answer === null ? "" : `  ${answer.status ?? answer.error} (${answer.durationMs} ms)`
        const { id: eventId, type, cursor, invoice } = entry
        yield* output.print({
          json: {
            ...{ event: type, eventId, invoiceId: invoice.id, deliveryId, cursor },
            ...(answer !== null && answer),
            ...(print && { body: JSON.parse(body) })
          },
          text: `${eventLine(entry)}${said}${print ? `\n${JSON.stringify(JSON.parse(body), null, 2)}` : ""}`
        })
      })
    )
  }).pipe(Effect.provide(nodePlatform()))
).pipe(
  Command.withDescription(
    "Follow the events of a running server, and post each to an address of your machine, with the body, the headers " +
      `and the signature of a webhook. It is signed with ${variable}, or a secret made for this run. What your ` +
      "program does not take is shown, and not sent again"
  ),
  Command.withShortDescription("Post events of a running server to a local address, as webhooks")
)
