/**
 * Who has a transaction open on a file that has one writer for all: chains of calls and promises of the application are
 * told apart by Node's asynchronous context.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { realpathSync } from "node:fs"
import type { StatementSync } from "node:sqlite"
import type { CallChains } from "@tolem/adapter-sql/base/TransactionChains"
import type { SqlConnection } from "effect/sql"
import { inTheWay } from "./Locks.ts"
import { DatabaseSync } from "./NodeSqlite.ts"

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

/** Who was last known to have a transaction open on a connection of the application. */
const holders = new WeakMap<DatabaseSync, Hold>()

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
  for (const hold of holds) if (!isOpen(hold)) holds.delete(hold)
}

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

const noteOf = (isOurs: (db: DatabaseSync) => boolean) => (db: object) => {
  if (!(db instanceof DatabaseSync) || !db.isOpen || !db.isTransaction || !isOurs(db)) return
  if (own().some((hold) => hold.db === db)) return
  let hasEnded = false
  const isOpen = () => {
    if (hasEnded) return false
    hasEnded = !db.isOpen || !db.isTransaction || holders.get(db) !== hold
    if (hasEnded) unwatch()
    return !hasEnded
  }
  const hold: Hold = { db, file: keyOf(db), isOpen }
  holders.set(db, hold)
  const unwatch = watch(db, isOpen)
  // From here on in what the caller does: they have said BEGIN, not a function that could be run within.
  chain.enterWith(holding(hold))
}

/**
 * Looks after each statement that the application runs on a connection: SQLite tells of no COMMIT, and the transaction
 * that is open there next may be another one's. Answers what leaves the connection as it was.
 */
const watch = (db: DatabaseSync, look: () => unknown): (() => void) => {
  const ends = [
    lookingAfter(db, "exec", look),
    lookingAfter(db, "prepare", look, (statement) => {
      const end = lookingAfter(statement as StatementSync, "run", () => {
        if (look() === false) end()
      })
    })
  ]
  return () => {
    for (const end of ends) end()
  }
}

const lookingAfter = <Target extends object>(
  target: Target,
  name: keyof Target & string,
  look: () => unknown,
  seen = (_: object) => {}
): (() => void) => {
  const found = Object.getOwnPropertyDescriptor(target, name)
  const call = target[name] as (...args: ReadonlyArray<unknown>) => unknown
  const value = (...args: ReadonlyArray<unknown>): unknown => {
    try {
      const answer = Reflect.apply(call, target, args)
      if (typeof answer === "object" && answer !== null) seen(answer)
      return answer
    } finally {
      look()
    }
  }
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
  return () => {
    if (Reflect.get(target, name) !== value) return
    if (found === undefined) Reflect.deleteProperty(target, name)
    else Object.defineProperty(target, name, found)
  }
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
