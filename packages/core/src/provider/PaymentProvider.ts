/**
 * Port: the payment system that live invoices are paid through.
 *
 * Every call ends within the adapter's deadline and never fails: see `Answer`. An adapter makes each call once and
 * repeats none by itself, since only the engine knows what may be repeated. Everything that moves money carries a
 * reference of ours, and the same reference makes the same thing once, however often and however concurrently it is
 * called; so a call that came to `Unknown` is resolved by asking, or repeated as it was. A provider that promises less
 * says so: see `Abilities`.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { LoginProcessId } from "../value/Ids.ts"
import type { Tiyn } from "../value/Money.ts"
import type { Abilities } from "./Abilities.ts"
import type { Answer } from "./Answer.ts"
import type { OperationPage } from "./Operation.ts"
import type { MadeRefund, Payment } from "./Payment.ts"

/** A cashier's login at the provider: a secret, sealed at rest. What is in it only the adapter knows. */
export type ProviderSession = Redacted.Redacted<string>

/** An invoice to be made at the provider. */
export interface QrRequest {
  readonly session: ProviderSession
  /** Our id of the invoice. */
  readonly ours: string
  readonly amount: Tiyn
  /** Shown to the customer. */
  readonly description: string | null
}

/** The same, pushed into the customer's app. */
export interface PushRequest extends QrRequest {
  /** The customer's, 7XXXXXXXXXX. */
  readonly phone: string
}

/** A refund to be made. */
export interface ProviderRefund {
  readonly session: ProviderSession
  /** The provider's reference of the payment. */
  readonly reference: string
  /** Our id of the refund. */
  readonly ours: string
  readonly amount: Tiyn
}

/** A payment by the provider's reference. */
export interface ByReference {
  readonly session: ProviderSession
  readonly reference: string
}

/** A payment or a refund by our id. */
export interface ByOurs {
  readonly session: ProviderSession
  readonly ours: string
}

/** A part of the list of a cashier's operations. Instants are milliseconds. */
export interface OperationsRequest {
  readonly session: ProviderSession
  /** The first instant, and the first behind the last. */
  readonly from: number
  readonly until: number
  /** The `next` of the page before; null: from the beginning. */
  readonly after: string | null
  /** The most operations that are wanted, 1 to `maxPageOperations`. */
  readonly limit: number
}

/** A login that has begun. */
export interface LoginProcess {
  readonly processId: LoginProcessId
  /** The instant, in milliseconds, after which it must begin anew. */
  readonly expiresAt: number
}

/** The verbs of the port. */
export interface Calls {
  /** Makes a QR code. Accepted: it can be paid, or, where `ours` was used before, this is what became of it. */
  readonly createQr: (request: QrRequest) => Effect.Effect<Answer<Payment>>
  /** Pushes into the customer's app; otherwise as `createQr`. */
  readonly createPush: (request: PushRequest) => Effect.Effect<Answer<Payment>>
  /** Refused with `not_found` where this cashier has no such payment. */
  readonly stateByReference: (request: ByReference) => Effect.Effect<Answer<Payment>>
  /**
   * Refused with `not_found` if the provider has not taken the create. One that is still under way may yet be
   * taken, so this says nothing final until the create's own deadline is long past.
   */
  readonly stateByOurs: (request: ByOurs) => Effect.Effect<Answer<Payment>>
  /** Withdraws a push. Accepted where it is withdrawn, before too; refused with `not_open` where it is too late. */
  readonly cancel: (request: ByReference) => Effect.Effect<Answer<Payment>>
  /** Accepted: the money is on its way back, once for each `ours`. */
  readonly refund: (request: ProviderRefund) => Effect.Effect<Answer<MadeRefund>>
  /** Refused with `not_found` if the refund was not made; the reservation of `stateByOurs` holds here too. */
  readonly refundState: (request: ByOurs) => Effect.Effect<Answer<MadeRefund>>
  /**
   * The payments that the merchant of the cashier was paid and the refunds that were made within a time, also those
   * made in
   * its own app: each once, by their instants. Only of providers that say so, see `Abilities`.
   */
  readonly listOperations: (request: OperationsRequest) => Effect.Effect<Answer<OperationPage>>
  /** Begins a cashier's login. */
  readonly initLogin: () => Effect.Effect<Answer<LoginProcess>>
  /** Has a code sent to the cashier's phone. Refused with `number_rejected` if the phone is no cashier's. */
  readonly sendPhone: (request: {
    readonly processId: LoginProcessId
    readonly phone: string
  }) => Effect.Effect<Answer<void>>
  /** Ends the login with the code that the cashier received. */
  readonly verifyOtp: (request: {
    readonly processId: LoginProcessId
    readonly otp: Redacted.Redacted<string>
  }) => Effect.Effect<Answer<ProviderSession>>
  /** Accepted: the session still works. */
  readonly checkSession: (session: ProviderSession) => Effect.Effect<Answer<void>>
}

/** Name of a call. */
export type Call = keyof Calls

/** Port: a payment system as live invoices see it. */
export class PaymentProvider extends Context.Service<
  PaymentProvider,
  Calls & {
    /** For people, in logs and pages. */
    readonly name: string
    /** What it can do; absent: everything. Asked whenever it matters, so it must be quick. */
    readonly can?: Effect.Effect<Abilities>
  }
>()("@tolem/core/PaymentProvider") {}
