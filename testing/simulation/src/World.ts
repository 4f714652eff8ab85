/** Everything that one simulation shares. */

import type { ConnectionId, OrganizationId } from "@tolem/core/value/Ids"
import { Cause, Logger } from "effect"
import type { Travel } from "./Network.ts"
import type { Parts } from "./Parts.ts"
import type { Machine, Simulation } from "./Simulation.ts"

/** A merchant's organization in the simulation. */
export interface Shop {
  readonly organizationId: OrganizationId
  readonly connectionId: ConnectionId
  /** What it begins with; it buys more months of it. */
  readonly tariff: string
  readonly tariffUntil: number | null
  /** Whether a referrer earns by that. */
  readonly isReferred: boolean
}

/** What there is outside of the servers, and what is known of it. */
export class World {
  /** Whether everything works by now: the trouble is over, and all must come to rest. */
  calmed = false
  /** Since when. */
  calmedAt = Number.POSITIVE_INFINITY
  /** When nothing is left of it. */
  restsAt = Number.POSITIVE_INFINITY
  readonly simulation: Simulation
  readonly parts: Parts
  readonly bankMachine: Machine
  readonly receiverMachine: Machine
  readonly shops: Array<Shop> = []
  readonly violations: Array<string> = []
  private readonly tell: (line: string) => void

  constructor(simulation: Simulation, parts: Parts, tell: (line: string) => void) {
    this.simulation = simulation
    this.parts = parts
    this.tell = tell
    this.bankMachine = simulation.machine("bank")
    this.receiverMachine = simulation.machine("receiver")
  }

  /** A promise was broken. */
  violate(what: string): void {
    this.violations.push(what)
    this.note("VIOLATION", what)
  }

  /** A line of the history, for a replay. */
  note(who: string, what: string): void {
    const seconds = (this.simulation.nowMs / 1000) % 1_000_000
    this.tell(`${seconds.toFixed(3)} ${who}: ${what}`)
  }

  /** How a call travels: each way takes up to `maxMs`, and is lost with a chance while there is trouble. */
  travel(maxMs: number, loss: number): Travel {
    const { simulation, calmed } = this
    const way = () => (!calmed && simulation.chance(loss) ? null : simulation.between(1, maxMs))
    return { requestMs: way(), answerMs: way() }
  }

  /** Logs of a server become lines of the history: without numbers of fibers, which another run counts otherwise. */
  logger(name: string): Logger.Logger<unknown, void> {
    return Logger.make(({ logLevel, message, cause }) => {
      const texts = Array.isArray(message) ? message : [message]
      const why = cause.reasons.length === 0 ? "" : ` ${Cause.pretty(cause)}`
      this.note(name, `${logLevel} ${texts.map(String).join(" ")}${why}`)
    })
  }
}
