/** What a simulation is made of that this package does not have: a database, a provider's bank, cryptography. */
import type { Platform, Stores } from "@tolem/core/engine/Engine"
import type { Abilities } from "@tolem/core/provider/Abilities"
import type { Calls } from "@tolem/core/provider/PaymentProvider"
import type { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Machine, Simulation } from "./Simulation.ts"

/** What the simulated customer, or the bank, does to a payment. */
export type Deed = "scan" | "pay" | "refuse" | "fail" | "refund"

/** A payment as the bank knows it. */
export interface BankPayment {
  readonly reference: string
  /** Our id of the invoice. */
  readonly ours: string
  readonly amount: number
  readonly paid: boolean
  readonly refunds: ReadonlyArray<{ readonly ours: string | null; readonly amount: number }>
}

/** The provider: its counter, and its back door. Instants are milliseconds. */
export interface Bank {
  /** Performed at the time of the calling fiber, at once. */
  readonly calls: Calls
  /** What it can do; in some histories it makes another payment or refund each time it is asked. */
  readonly can: Abilities
  readonly payments: (now: number) => ReadonlyArray<BankPayment>
  /** Does it if it can be done. */
  readonly act: (reference: string, deed: Deed, now: number) => void
  /** The next call meets some fault. */
  readonly disturb: (simulation: Simulation) => void
  /** No call meets a fault any more. */
  readonly calm: () => void
  /** Every cashier has to log in again. */
  readonly loseSessions: () => void
  /** What every cashier receives. */
  readonly code: string
}

/** The parts that a simulation is made of. */
export interface Parts {
  /** One server's stores over the one database of the simulation, and its client, which the application uses, too. */
  readonly stores: (machine: Machine) => Layer.Layer<Stores | SqlClient.SqlClient, unknown>
  /** Chance that a statement of the database fails, before or after it was carried out. */
  readonly troubleStorage: (chance: number) => void
  readonly bank: Bank
  /** Cryptography that is computed at once, and random bytes of the simulation's seed. */
  readonly platform: Layer.Layer<Platform>
  /** Frees what is not memory. */
  readonly close: () => void
}

/** Makes the parts of one simulation. */
export type MakeParts = (simulation: Simulation) => Parts
