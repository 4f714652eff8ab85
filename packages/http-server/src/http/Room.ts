/**
 * Room in memory for large answers and large bodies. What is large takes its bytes from a budget that all requests
 * share, and gives them back when the answer was sent: readers that do not read, and senders that do not send, take no
 * more than that.
 */
import { networkOf } from "@tolem/core/access/Network"
import { Engine } from "@tolem/core/engine/Engine"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Context, Data, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as ByteBudget from "./ByteBudget.ts"

/** There was no room in time. Nothing was done. */
export class NoRoom extends Data.TaggedError("NoRoom") {
  readonly code = "service_unavailable"
}

/** Calls `done` once the answer to a request was sent or given up. */
export type OnSent = (request: HttpServerRequest.HttpServerRequest, done: () => void) => void

/** What the server knows of that; by default an answer counts as sent at once. */
export const OnSent = Context.Reference<OnSent>("@tolem/http-server/OnSent", {
  defaultValue: () => (_request, done) => done()
})

/** A request that needs room. */
export interface Claimant {
  readonly request: HttpServerRequest.HttpServerRequest
  /** Whose request it is, once a key or a session said so. */
  organizationId: OrganizationId | undefined
  /** What its answer holds, if it is large. */
  hold: ByteBudget.Hold | undefined
  /** Its answer is the same bytes in memory as that of others, which one more reader takes no more of. */
  isShared: boolean
}

/** Kept apart: of strangers there can be any number, of organizations only as many as were let in. */
interface Budgets {
  readonly merchants: ByteBudget.ByteBudget
  readonly strangers: ByteBudget.ByteBudget
}

/** The room that requests and answers share. */
export class Room extends Context.Service<
  Room,
  {
    readonly forAnswer: (of: Claimant, bytes: number) => Effect.Effect<void, NoRoom>
    readonly forBody: (of: Claimant, bytes: number) => Effect.Effect<void, NoRoom>
    /** Holds as much as the answer really takes, once it is made. */
    readonly settle: (of: Claimant, bytes: number) => Effect.Effect<void, NoRoom>
  }
>()("@tolem/http-server/Room") {
  /** The room that the settings give. */
  static readonly layer: Layer.Layer<Room, never, Engine> = Layer.effect(
    Room,
    Effect.gen(function* () {
      const { room } = (yield* Engine).settings
      const onSent = yield* OnSent
      const { waitMs, maxWaiting, smallBytes, strangersPart } = room
      const budgets = (bytes: number): Budgets => ({
        merchants: ByteBudget.make({ bytes: bytes * (1 - strangersPart), waitMs, maxWaiting }),
        strangers: ByteBudget.make({ bytes: bytes * strangersPart, waitMs, maxWaiting })
      })
      const answers = budgets(room.answerBytes)
      const bodies = budgets(room.bodyBytes)

      const take = ({ merchants, strangers }: Budgets, of: Claimant, bytes: number) =>
        Effect.flatMap((of.organizationId === undefined ? strangers : merchants).take(ownerOf(of), bytes), (taken) => {
          if (Option.isNone(taken)) return Effect.fail(new NoRoom())
          onSent(of.request, taken.value.release)
          return Effect.succeed(taken.value)
        })

      const forAnswer = (of: Claimant, bytes: number) =>
        Effect.map(take(answers, of, bytes), (hold) => {
          of.hold = hold
        })

      return {
        forAnswer,
        forBody: (of, bytes) => (bytes <= smallBytes ? Effect.void : Effect.asVoid(take(bodies, of, bytes))),
        settle: (of, bytes) => {
          if (of.isShared) return Effect.void
          if (of.hold === undefined) return bytes <= smallBytes ? Effect.void : forAnswer(of, bytes)
          of.hold.resize(bytes)
          return Effect.void
        }
      }
    })
  )
}

/** Who shares with all others: an organization, or the network of a stranger. */
const ownerOf = ({ organizationId, request }: Claimant): string =>
  organizationId ?? Option.match(request.remoteAddress, { onNone: () => "unknown", onSome: networkOf })
