/** What the provider knows of an invoice: values of the port, all facts and no decisions. */
import { Data } from "effect"
import type { Tiyn } from "../value/Money.ts"
import type { Links } from "./SandboxLinks.ts"

/** A refund that the provider has made. `at` in milliseconds. */
export interface MadeRefund {
  /** The provider's own reference. */
  readonly reference: string
  /** The id that we gave it; null if it was made outside of us, in the provider's own app. */
  readonly ours: string | null
  readonly amount: Tiyn
  readonly at: number
}

/** A payment of the customer's money. `at` in milliseconds. */
export interface ProviderReceipt {
  readonly at: number
  /** The provider's reference of the movement of money; one per payment. */
  readonly reference: string
  /** What was really paid. */
  readonly amount: Tiyn
  readonly number: string | null
  /** Address of the provider's own receipt. What is no http or https address is left out by the engine. */
  readonly url: string | null
}

/** How far the customer has come. */
export type Signal = Data.TaggedEnum<{
  /** Nothing has happened yet. */
  Waiting: object
  /** The customer has opened it and has not decided. */
  Scanned: object
  /**
   * The money is with the merchant, or was: `refunds` holds all that went back, ours and others', oldest first. So
   * a first question after a refund still shows the payment.
   */
  Paid: { readonly receipt: ProviderReceipt; readonly refunds: ReadonlyArray<MadeRefund> }
  /** The customer has said no. */
  RefusedByPayer: object
  /** The provider could not take the money. */
  Failed: object
  /** Its time has passed. Money may still come. */
  Expired: object
  /** We have withdrawn it. Money may still come. */
  Cancelled: object
}>
/** Constructors of signals, with `$is` and `$match`. */
export const Signal = Data.taggedEnum<Signal>()

/** An invoice at the provider. Instants are milliseconds. */
export interface Payment {
  /** The provider's reference. */
  readonly reference: string
  /** The id that we gave it; null if the provider does not keep it, and was not asked by it. */
  readonly ours: string | null
  readonly amount: Tiyn
  /** What the customer pays with; null if it was pushed into an app. Of a state it may be null always. */
  readonly links: Links | null
  readonly expiresAt: number
  readonly signal: Signal
  /** The provider's own text of the state, for people. */
  readonly statusText: string
}
