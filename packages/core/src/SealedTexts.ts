/** Port: everything that is sealed at rest, seen as texts of one key or another. */
import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** What sealing anew has done. */
export interface Resealed {
  /** Texts that the newest key has sealed now. */
  readonly count: number
  /** Rows whose texts none of the keys opens; they stay as they are. */
  readonly unreadable: ReadonlyArray<string>
}

/** See the file's head. */
export class SealedTexts extends Context.Service<
  SealedTexts,
  {
    /**
     * Seals with the newest key whatever an older one has sealed, a row at a time and only if the row still holds that
     * text. Servers may run meanwhile; a second call finds nothing to do.
     */
    readonly sealAnew: Effect.Effect<Resealed, StorageError>
  }
>()("@tolem/core/SealedTexts") {}
