/**
 * Who has a transaction open on a file that has one writer for all: chains of calls and promises of the application are
 * told apart by Node's asynchronous context.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { realpathSync } from "node:fs"
import type { CallChains } from "@tolem/adapter-sql/base/TransactionChains"
import type { SqlConnection } from "effect/sql"
import { inTheWay } from "./Locks.ts"
import { DatabaseSync } from "./NodeSqlite.ts"
import * as StatementWatch from "./StatementWatch.ts"

/** A transaction of which it is known who has it open. */
interface Hold {
  readonly db: DatabaseSync
  readonly file: FileKey
  readonly isOpen: () => boolean
}

/** What stands for a file; a database in memory stands for itself. */
type FileKey = string | DatabaseSync

/** The transactions that the code that runs has open. */
const chain = new AsyncLocalStorage<ReadonlyArray<Hold>>()

/** Those of the process, each until it is found to have ended. */
const holds = new Set<Hold>()

/** Those of the application, one a connection: all that say they have it open have the same. */
const holders = new Map<DatabaseSync, Hold>()

const isOpen = (hold: Hold): boolean => hold.isOpen()

const own = (): ReadonlyArray<Hold> => (chain.getStore() ?? []).filter(isOpen)

const keys = new WeakMap<DatabaseSync, FileKey>()

const keyOf = (db: DatabaseSync): FileKey => {
  const location = keys.has(db) ? null : db.location()
  const key = keys.get(db) ?? (location === null ? db : realpathSync(location))
  keys.set(db, key)
  return key
}

/** Forgets those that have ended. Few are open at once, so that there is little to look at. */
export const forgetEnded = (): void => {
  for (const hold of holds) {
    if (isOpen(hold)) continue
    holds.delete(hold)
    if (holders.get(hold.db) === hold) holders.delete(hold.db)
  }
  if (holders.size === 0) watch.off()
}

/** Sees each transaction of the application end: the next one on its connection begins with a statement. */
const watch = StatementWatch.make(forgetEnded)

const holding = (hold: Hold): ReadonlyArray<Hold> => {
  forgetEnded()
  holds.add(hold)
  return [...own(), hold]
}

/** Whether it is known who has a transaction open on the file of a connection: then it is none who asks beside it. */
export const isHolderKnown = (db: DatabaseSync): boolean => {
  forgetEnded()
  const file = keyOf(db)
  return Array.from(holds).some((hold) => hold.file === file)
}

/** A transaction of the application, until it is found to have ended; then for good, whatever is open there next. */
const noted = (db: DatabaseSync): Hold => {
  let hasEnded = false
  const isOpen = () => {
    hasEnded ||= !db.isOpen || !db.isTransaction
    return !hasEnded
  }
  return { db, file: keyOf(db), isOpen }
}

const noteOf = (isOurs: (db: DatabaseSync) => boolean) => (db: object) => {
  if (!(db instanceof DatabaseSync) || !db.isOpen || !db.isTransaction || !isOurs(db)) return
  forgetEnded()
  if (own().some((hold) => hold.db === db)) return
  const hold = holders.get(db) ?? noted(db)
  holders.set(db, hold)
  watch.on()
  // From here on in what the caller does: they have said BEGIN, not a function that could be run within.
  chain.enterWith(holding(hold))
}

/** The chains around the engine's connection, and around those that the application has to the same file. */
export const make = (db: DatabaseSync, isOurs: (db: DatabaseSync) => boolean): CallChains => {
  const isOfFiber = (ambient: SqlConnection.Connection | undefined) =>
    ambient !== undefined && Reflect.get(ambient, "db") === db && Reflect.get(ambient, "open") === true
  return {
    note: noteOf(isOurs),
    calledWithin: (_, isOpen) => {
      const hold: Hold = { db, file: keyOf(db), isOpen }
      return (call) => chain.run(holding(hold), call)
    },
    refusalOf: ({ writes, ambient }) => {
      const mine = own()
      const isWithin =
        isOfFiber(ambient) ||
        mine.some((hold) => hold.db === db) ||
        (writes && mine.some(({ file }) => file === keyOf(db)))
      return isWithin ? inTheWay("in which this is asked for") : undefined
    }
  }
}
