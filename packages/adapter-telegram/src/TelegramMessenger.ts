/** The core's `Messenger` over Telegram's HTTP interface for bots. */
import { Messenger, SendOutcome, Updates } from "@tolem/core/messenger/Messenger"
import { Effect, Layer, type Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { type Address, call } from "./Exchange.ts"

/** Settings of the bot. */
export interface Options {
  /** As @BotFather tells it. */
  readonly token: Redacted.Redacted
  /** Where the interface is. Default `https://api.telegram.org`. */
  readonly baseUrl?: string | undefined
  /** Time of a call, a held one aside. Default 15 s. */
  readonly timeoutMs?: number | undefined
}

/** What came of greeting the bot: its name, or why there is none. */
export type Greeting = { readonly name: string } | { readonly fault: string }

const defaultBaseUrl = "https://api.telegram.org"
const defaultTimeoutMs = 15_000
/** An answer to a held question may take this much longer. */
const slackMs = 10_000
/** When people's messages are asked for again after a failure, and after a fault that a person has to mend. */
const restMs = 5_000
const longRestMs = 60_000
/** Messages of one answer. */
const maxUpdates = 100

/** A number that JSON has exactly; some of Telegram's are beyond 32 bits. */
const Int = Schema.Int

const Sent = Schema.Struct({ message_id: Int })
const Bot = Schema.Struct({ username: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_]{3,64}$/)) })

const Message = Schema.Struct({
  chat: Schema.Struct({ id: Int, type: Schema.String }),
  text: Schema.optionalKey(Schema.String)
})
// What is no message of a kind that we know is passed over, and so read.
const Update = Schema.Struct({ update_id: Int, message: Schema.optionalKey(Schema.Unknown) })

/** The longest text that a command of ours has. */
const maxCommand = 100

const addressOf = ({ token, baseUrl = defaultBaseUrl }: Options): Address => ({
  token,
  baseUrl: baseUrl.replace(/\/+$/, "")
})

/** Asks the bot's name. Nothing of the token is in the answer. */
export const greet = (options: Options): Effect.Effect<Greeting, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const { timeoutMs = defaultTimeoutMs } = options
    const asked = { method: "getMe", body: {}, result: Bot, timeoutMs }
    const answer = yield* call(yield* HttpClient.HttpClient, addressOf(options), asked)
    if (answer._tag === "Done") return { name: answer.value.username }
    return { fault: answer._tag === "Refused" ? String(answer.status) : answer.reason }
  })

/** The messenger. */
export const layer = (options: Options): Layer.Layer<Messenger, never, HttpClient.HttpClient> =>
  Layer.effect(
    Messenger,
    Effect.map(HttpClient.HttpClient, (client) => make(client, options))
  )

const make = (client: HttpClient.HttpClient, options: Options): Messenger["Service"] => {
  const address = addressOf(options)
  const { timeoutMs = defaultTimeoutMs } = options
  let known: string | null = null

  const send = (chatId: string, text: string) => {
    // No mode of mark-up: what a merchant typed is shown as it is. No picture of the address is fetched.
    const body = { chat_id: Number(chatId), text, link_preview_options: { is_disabled: true } }
    const asked = { method: "sendMessage", body, result: Sent, timeoutMs }
    return Effect.map(call(client, address, asked), (answer): SendOutcome => {
      if (answer._tag === "Done") return SendOutcome.Taken()
      if (answer._tag === "Silent") return SendOutcome.Unknown({ reason: answer.reason })
      if (answer._tag === "Unreached") return SendOutcome.Rejected({ retryable: true, reason: answer.reason })
      const { status, isGone, waitMs } = answer
      const reason = `answer ${status}`
      if (status === 429) return SendOutcome.Later({ waitMs: waitMs ?? restMs })
      if (status === 403 || (status === 400 && isGone)) return SendOutcome.Blocked({ reason })
      // The token was revoked, or is another's: a person mends it.
      return SendOutcome.Rejected({ retryable: status === 401 || status === 404, reason })
    })
  }

  const updates = (offset: number, waitMs: number) => {
    const seconds = Math.floor(waitMs / 1000)
    const body = { offset, timeout: seconds, limit: maxUpdates, allowed_updates: ["message"] }
    const asked = { method: "getUpdates", body, result: Schema.Array(Update), timeoutMs: waitMs + slackMs }
    return Effect.map(call(client, address, asked), (answer): Updates => {
      if (answer._tag === "Refused") {
        const { status, waitMs: restsMs } = answer
        return Updates.Failed({ reason: `answer ${status}`, waitMs: restsMs ?? longRestMs })
      }
      if (answer._tag !== "Done") return Updates.Failed({ reason: answer.reason, waitMs: restMs })
      const next = answer.value.reduce((most, { update_id }) => Math.max(most, update_id + 1), offset)
      return Updates.Read({ incoming: answer.value.flatMap(incomingOf), next })
    })
  }

  const name = Effect.suspend(() => {
    if (known !== null) return Effect.succeed(known)
    return Effect.map(Effect.provideService(greet(options), HttpClient.HttpClient, client), (greeting) => {
      known = "name" in greeting ? greeting.name : null
      return known
    })
  })

  return { send, updates, name }
}

const isMessage = Schema.is(Message)

/** What a person has written in a chat of their own with the bot; groups are not heard. */
const incomingOf = ({ message }: typeof Update.Type) => {
  if (!isMessage(message)) return []
  const { chat, text } = message
  const isHeard = chat.type === "private" && text !== undefined && text.length <= maxCommand
  return isHeard ? [{ chatId: String(chat.id), text }] : []
}
