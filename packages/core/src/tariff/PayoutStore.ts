/** Port: what referrers have still to be paid, and what they were paid. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { Account } from "../merchant/Merchant.ts"
import type { AccountId, EarningId, PayoutId } from "../value/Ids.ts"
import type { Tiyn, TiynSum } from "../value/Money.ts"
import type { Earning } from "./TariffStore.ts"

/** What a referrer was paid at once: the oldest of what was still to be paid, up to one earning. */
export interface Payout {
  readonly id: PayoutId
  readonly accountId: AccountId
  /** The sum of its earnings. */
  readonly amount: Tiyn
  readonly earningCount: number
  /** The newest of its earnings. No two payouts have the same. */
  readonly upTo: EarningId
  /** How it was paid, as the operator tells it. */
  readonly note: string
  readonly paidAt: number
}

/** A payout that is wanted: `amount` is what the operator saw, its earnings are counted when it is written. */
export interface PayoutDraft extends Omit<Payout, "earningCount"> {}

/** A person who has earned something, with the sums of all their earnings. */
export interface Earner {
  readonly account: Account
  readonly accrued: TiynSum
  readonly accruedCount: number
  readonly paidOut: TiynSum
}

/** An earning, with the name of the organization that has paid. */
export interface NamedEarning extends Earning {
  readonly organizationName: string | null
}

/** What is known of an earner at one moment. */
export interface EarnerDetails {
  readonly earner: Earner
  /** Still to be paid, oldest first. */
  readonly accrued: ReadonlyArray<NamedEarning>
  /** Newest first. */
  readonly payouts: ReadonlyArray<Payout>
}

/** Port: payouts of referrers. */
export class PayoutStore extends Context.Service<
  PayoutStore,
  {
    /** Those who have still to be paid something, in the order of their ids, behind `after` where given. */
    readonly earners: (after: AccountId | null, limit: number) => Effect.Effect<ReadonlyArray<Earner>, StorageError>
    /** One person, whether they have earned anything or not; `limit` of what is to be paid, and of payouts. */
    readonly earner: (accountId: AccountId, limit: number) => Effect.Effect<Option.Option<EarnerDetails>, StorageError>
    /**
     * Pays the oldest of what an account has still to be paid, up to one earning, with the audit record, if that is
     * among the oldest `limit` and the sum is `amount`. The same payout again, by amount, note and account, answers the
     * first, also to two callers at once. None: it is not as the operator saw it, and nothing was written.
     */
    readonly pay: (
      draft: PayoutDraft,
      limit: number,
      audit: AuditRecord
    ) => Effect.Effect<Option.Option<Payout>, StorageError>
  }
>()("@tolem/core/PayoutStore") {}
