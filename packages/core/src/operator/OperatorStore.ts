/** Port: who runs the platform. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { Account } from "../merchant/Merchant.ts"
import type { AccountId } from "../value/Ids.ts"

/** A person who runs the platform. It is no role of an organization. */
export interface Operator {
  readonly accountId: AccountId
  readonly grantedAt: number
  /** Who made them one: the name of a user at the command line; null: not known. */
  readonly grantedBy: string | null
}

/** An operator, with their account. */
export interface KnownOperator extends Operator {
  readonly account: Account
}

/** Port: who runs the platform. Audit records are written with what they tell of, and only then. */
export class OperatorStore extends Context.Service<
  OperatorStore,
  {
    /** Makes an account an operator. False, and nothing is written, if it is one or if there is no such account. */
    readonly add: (operator: Operator, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Ends that. False, and nothing is written, if it is none. */
    readonly remove: (accountId: AccountId, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** The operator with this account. */
    readonly find: (accountId: AccountId) => Effect.Effect<Option.Option<Operator>, StorageError>
    /** Operators, oldest first, at most `limit`. */
    readonly list: (limit: number) => Effect.Effect<ReadonlyArray<KnownOperator>, StorageError>
  }
>()("@tolem/core/OperatorStore") {}
