/** Port: everything that is sealed at rest, seen as texts of one key or another. */
import { Context, type Effect } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"

/** What sealing anew has done. */
export interface ResealReport {
  /** Texts and rows that the newest key has sealed now. */
  readonly count: number
  /** Rows whose texts none of the keys opens; they stay as they are. */
  readonly unreadable: ReadonlyArray<string>
}

/** What the beginning of seals has done. */
export interface SealsBegun {
  /** Invoices that were sealed by it. */
  readonly sealed: number
  /** Orders, earnings and records of the audit log that were chained by it. */
  readonly chained: number
  /** False: everything had to be sealed before already, and nothing was done. */
  readonly begun: boolean
}

/** Port: seals stored secrets anew with the current key. */
export class SealedTexts extends Context.Service<
  SealedTexts,
  {
    /**
     * Seals with the newest key whatever an older one has sealed, a row at a time and only if the row still holds that
     * text. Servers may run meanwhile; a second call finds nothing to do.
     */
    readonly sealAnew: Effect.Effect<ResealReport, StorageError>
    /**
     * Seals every invoice of a database that is older than seals, chains every order, earning and record of the audit
     * log of one that is older than chains, and records that from now on each has to be.
     * Once only: what is wrong afterwards stays wrong. No server of a version without seals may run any more.
     */
    readonly beginSeals: (now: number, audit: AuditRecord) => Effect.Effect<SealsBegun, StorageError>
  }
>()("@tolem/core/SealedTexts") {}
