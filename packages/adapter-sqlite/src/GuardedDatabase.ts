/**
 * The open database as code of the application is given it inside of a transaction: itself, for as long as the
 * transaction is open. What a handler that was given up does later must not get into another one's transaction.
 */
import type { DatabaseSync } from "node:sqlite"
import { ended, type TransactionFace } from "@tolem/adapter-sql/base/Transactions"
import { isSynchronous } from "@tolem/core/feed/ReactionStore"

/** The same of a connection that the application uses, too: no other statement has a turn before its end. */
export const sharedFaceOf: TransactionFace = (connection, isOpen) =>
  new Proxy(guarded<DatabaseSync>(Reflect.get(connection, "db"), isOpen), {
    get: (target, name) => name === isSynchronous || Reflect.get(target, name)
  })

/** The connection of the transaction. */
export const faceOf: TransactionFace = (connection, isOpen): DatabaseSync =>
  guarded<DatabaseSync>(Reflect.get(connection, "db"), isOpen)

const guarded = <Target extends object>(target: Target, isOpen: () => boolean): Target =>
  new Proxy(target, {
    get: (_, name) => {
      if (!isOpen()) throw ended()
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>) => {
        if (!isOpen()) throw ended()
        const answer: unknown = Reflect.apply(member, target, args)
        // A prepared statement reaches the database, too.
        return typeof answer === "object" && answer !== null && name === "prepare" ? guarded(answer, isOpen) : answer
      }
    }
  })
