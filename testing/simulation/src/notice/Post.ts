/** The mailboxes and chats of members: what is handed over arrives or not, and the answer comes back or not. */
import { HandOver, type Letter, Mailer } from "@tolem/core/mail/Mailer"
import { Messenger, SendOutcome, Updates } from "@tolem/core/messenger/Messenger"
import { Effect, Layer } from "effect"
import { remotely } from "../Network.ts"
import type { World } from "../World.ts"
import { type NoticeContent, readNotice } from "./NoticeContent.ts"

/** A message that a server has handed over. */
export interface HandedOver {
  /** The mailbox or the chat. */
  readonly to: string
  /** When its server handed it over, by the simulation's clock. */
  readonly at: number
  readonly content: NoticeContent
  /** Whether the member has it. */
  arrived: boolean
  /** What its server was answered; null: nothing, it had ended by then. */
  answer: SendOutcome["_tag"] | null
}

/** What the carrier does with a message. */
type Mood = "takes" | "takes and loses it" | "may have taken" | "refuses" | "refuses for good" | "asks to wait" | "ends"

const moods: ReadonlyArray<Mood> = [
  "takes",
  "takes",
  "takes",
  "takes and loses it",
  "may have taken",
  "refuses",
  "refuses for good",
  "asks to wait"
]

/** How long a server waits for an answer. A few answers take longer. */
const timeoutMs = 20_000
/** That a person ends the chat. */
const endChance = 0.02
const noticeId = /^notice\./

/** The post. It has trouble until an hour or so after all else is calm: payments wait for a minute to be told. */
export class Post {
  /** Messages to members, in the order in which they were handed over. */
  readonly handedOver: Array<HandedOver> = []
  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** The ports of one server. */
  layer(): Layer.Layer<Mailer | Messenger> {
    return Layer.mergeAll(
      Layer.succeed(Mailer, { send: (letter) => this.letter(letter) }),
      Layer.succeed(Messenger, {
        send: (chatId, text) => this.carry(chatId, text, this.moodOf(true)),
        // No member writes to the bot: their chats are there from the beginning.
        updates: (offset) => Effect.delay(Effect.succeed(Updates.Read({ incoming: [], next: offset })), 80_000),
        name: Effect.succeed("bot")
      })
    )
  }

  /** Letters to customers are carried as well; no rule is about them. */
  private letter({ id, to, text }: Letter): Effect.Effect<HandOver> {
    if (!noticeId.test(id)) return Effect.succeed(HandOver.Taken())
    return Effect.map(this.carry(to, text, this.moodOf(false)), (outcome) =>
      outcome._tag === "Later" || outcome._tag === "Blocked"
        ? HandOver.Rejected({ retryable: true, reason: outcome._tag })
        : outcome
    )
  }

  private moodOf(isChat: boolean): Mood {
    const { simulation, restsAt, calmed } = this.world
    if (calmed && simulation.nowMs > restsAt - 900_000) return "takes"
    if (isChat && simulation.chance(endChance)) return "ends"
    return simulation.pick(isChat ? moods : moods.filter((mood) => mood !== "asks to wait"))
  }

  private carry(to: string, text: string, mood: Mood): Effect.Effect<SendOutcome> {
    return Effect.suspend(() => {
      const { world } = this
      const { simulation, receiverMachine } = world
      const at = simulation.nowMs
      const message: HandedOver = { to, at, content: readNotice(text), arrived: false, answer: null }
      this.handedOver.push(message)
      world.note("post", `${mood}: ${to}: ${text.split("\n").slice(0, -1).join(" | ")}`)
      const unknown = SendOutcome.Unknown({ reason: "no_answer" })
      return remotely(receiverMachine, world.travel(300, 0.02), this.receive(message, mood)).pipe(
        Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.succeed(unknown) }),
        Effect.tap(({ _tag }) =>
          Effect.sync(() => {
            message.answer = _tag
          })
        )
      )
    })
  }

  private receive(message: HandedOver, mood: Mood): Effect.Effect<SendOutcome> {
    const { simulation } = this.world
    const take = Effect.sync(() => {
      message.arrived = true
    })
    const slowly = simulation.chance(0.3) ? simulation.between(0, 15_000) : simulation.between(0, 500)
    const answer = (outcome: SendOutcome) => Effect.delay(Effect.succeed(outcome), slowly)
    switch (mood) {
      case "takes":
        return Effect.andThen(take, answer(SendOutcome.Taken()))
      case "takes and loses it":
        return Effect.andThen(take, Effect.never)
      case "may have taken": {
        const unknown = answer(SendOutcome.Unknown({ reason: "went_away" }))
        return simulation.chance(0.5) ? Effect.andThen(take, unknown) : unknown
      }
      case "refuses":
        return answer(SendOutcome.Rejected({ retryable: true, reason: "busy" }))
      case "refuses for good":
        return answer(SendOutcome.Rejected({ retryable: false, reason: "no_mailbox" }))
      case "asks to wait":
        return answer(SendOutcome.Later({ waitMs: simulation.between(1000, 20_000) }))
      case "ends":
        return answer(SendOutcome.Blocked({ reason: "blocked" }))
    }
  }
}
