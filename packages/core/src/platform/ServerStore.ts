/** Port: the rows that servers keep of themselves. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { Server } from "./Server.ts"

/** Port: servers. */
export class ServerStore extends Context.Service<
  ServerStore,
  {
    /** Adds the server's row, or writes over it. What is lost with the power is lost. May be repeated. */
    readonly tell: (server: Server) => Effect.Effect<void, StorageError>
    /** Those seen last, at most `limit`. */
    readonly list: (limit: number) => Effect.Effect<ReadonlyArray<Server>, StorageError>
    /** Forgets those not seen since `before`, `limit` at most. Answers how many. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@tolem/core/ServerStore") {}
