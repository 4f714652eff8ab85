/**
 * The merchants' receivers: they answer, fail, fall silent, lose their answers, and remember what reached them. A few
 * deliveries end every server that sends them.
 */
import { SendFailure, type WebhookRequest, type WebhookResponse } from "@tolem/core/webhook/sending/WebhookSender"
import { Clock, Effect } from "effect"
import { remotely } from "./Network.ts"
import { CurrentMachine, type Machine } from "./Simulation.ts"
import type { World } from "./World.ts"

/** That a request is the first of an outage. */
const outageChance = 0.08

/** That a delivery ends its servers. */
const fatalChance = 0.1

/** How often each of them may, by what the service promises. */
const maxEnded = 3

interface Attempted {
  readonly delivery: string
  readonly machine: Machine
  /** By the simulation's clock. */
  readonly at: number
}

/** The merchants' receivers of webhooks. */
export class Receivers {
  /** Events that each address has taken, by `address event`. */
  readonly taken = new Set<string>()
  /** Deliveries that end servers, with how many each has ended. */
  readonly fatal = new Map<string, number>()
  private readonly known = new Set<string>()
  private readonly running = new Map<string, Attempted>()
  private readonly newest = new Map<string, number>()
  /** Until when each address is out of order. */
  private readonly outages = new Map<string, number>()
  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** The port's verb: over the network to the receiver, within the request's time. Some `end` the server. */
  send(request: WebhookRequest, end: () => void): Effect.Effect<WebhookResponse, SendFailure> {
    const body = JSON.parse(request.body)
    return Effect.gen({ self: this }, function* () {
      const machine = (yield* CurrentMachine)!
      const startedAt = yield* Clock.currentTimeMillis
      const delivery = String(request.headers["X-Webhook-Delivery"] ?? request.headers["x-webhook-delivery"])
      const attempted = { delivery, machine, at: this.world.simulation.nowMs }
      this.begins(attempted, `${request.url} ${body.invoice.id}`, body.sequence)
      if (this.isFatal(delivery)) return yield* this.strike(delivery, end)
      const durationMs = Effect.map(Clock.currentTimeMillis, (now) => now - startedAt)
      const failed = (reason: SendFailure["reason"]) =>
        Effect.flatMap(durationMs, (ms) =>
          Effect.fail(new SendFailure({ reason, durationMs: ms, status: null, body: null }))
        )
      const answer = remotely(
        this.world.receiverMachine,
        this.world.travel(200, 0.01),
        this.receive(request.url, body.id)
      )
      return yield* answer.pipe(
        Effect.flatMap((status) =>
          status === null
            ? failed("connection")
            : Effect.map(durationMs, (ms): WebhookResponse => ({ status, body: "", durationMs: ms }))
        ),
        Effect.timeoutOrElse({ duration: request.timeoutMs, orElse: () => failed("timeout") }),
        Effect.ensuring(
          Effect.sync(() => {
            if (this.running.get(delivery) === attempted) this.running.delete(delivery)
          })
        )
      )
    })
  }

  private isFatal(delivery: string): boolean {
    const { simulation, calmed } = this.world
    if (!this.known.has(delivery) && !calmed && simulation.chance(fatalChance)) this.fatal.set(delivery, 0)
    this.known.add(delivery)
    return this.fatal.has(delivery)
  }

  private strike(delivery: string, end: () => void): Effect.Effect<never> {
    const { simulation } = this.world
    const ending = Effect.sync(() => {
      const ended = (this.fatal.get(delivery) ?? 0) + 1
      this.fatal.set(delivery, ended)
      this.world.note("receiver", `${delivery} ends its server, number ${ended}`)
      if (ended > maxEnded) this.world.violate(`${delivery} has ended ${ended} servers`)
      end()
    })
    return Effect.andThen(Effect.sleep(simulation.between(0, 2000)), Effect.andThen(ending, Effect.never))
  }

  private receive(url: string, event: string): Effect.Effect<number | null> {
    return Effect.suspend((): Effect.Effect<number | null> => {
      const { simulation, calmed } = this.world
      const mood = calmed ? 1 : simulation.next()
      if (!calmed && this.isOut(url)) return Effect.succeed(simulation.chance(0.5) ? 503 : null)
      if (mood < 0.06) return Effect.succeed(500)
      if (mood < 0.1) return Effect.succeed(null)
      if (mood < 0.12) return Effect.never
      this.taken.add(`${url} ${event}`)
      if (mood < 0.15) return Effect.succeed(null)
      return Effect.delay(Effect.succeed(200), mood < 0.3 ? simulation.between(0, 7000) : simulation.between(0, 100))
    })
  }

  /** For long enough, now and then, that the endpoint is paused. */
  private isOut(url: string): boolean {
    const { simulation } = this.world
    if (simulation.chance(outageChance)) this.outages.set(url, simulation.nowMs + simulation.between(3000, 30_000))
    return (this.outages.get(url) ?? 0) > simulation.nowMs
  }

  private begins(attempted: Attempted, lane: string, sequence: number): void {
    const { delivery } = attempted
    const other = this.running.get(delivery)
    if (other !== undefined && !isOver(other)) this.world.violate(`${delivery} is attempted twice at once`)
    this.running.set(delivery, attempted)
    const newest = this.newest.get(lane) ?? 0
    if (sequence < newest) this.world.violate(`${lane}: ${sequence} is sent after ${newest}`)
    this.newest.set(lane, Math.max(newest, sequence))
  }
}

/** Whether the server of an attempt has crashed, or has stood still since: others take over what it held. */
const isOver = ({ machine: { crashed, frozenAt }, at }: Attempted): boolean =>
  crashed || (frozenAt !== null && frozenAt >= at)
