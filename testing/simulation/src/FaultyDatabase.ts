/** A SQLite database in memory whose statements fail now and then, before or after they were carried out. */
import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { Database } from "@tolem/adapter-sqlite/SqliteClient"

/** A database whose statements fail now and then. */
export interface FaultyDatabase extends Database {
  /** Chance that a statement fails. */
  chance: number
  /** Undoes the transaction that is open, if one is. */
  readonly rollback: () => void
  /** How many rows were written so far. */
  readonly changes: () => number
  readonly close: () => void
}

// SQLITE_IOERR: what became of the statement is unknown.
const failure = () => Object.assign(new Error("disk I/O error (simulated)"), { errcode: 10, code: "ERR_SQLITE_ERROR" })

/** An empty database. `next` answers numbers from 0 to below 1. */
export const open = (next: () => number): FaultyDatabase => {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true })
  const written = db.prepare("select total_changes() as rows")
  const trouble = (sql: string) => {
    if (faulty.chance === 0 || /^\s*(ROLLBACK|pragma)/i.test(sql)) return "none"
    const drawn = next()
    if (drawn >= faulty.chance) return "none"
    // A transaction whose BEGIN fails has not begun.
    return drawn < faulty.chance / 2 || /^BEGIN/i.test(sql) ? "before" : "after"
  }

  const prepare = (sql: string): StatementSync => {
    const statement = db.prepare(sql)
    const run =
      <A>(carryOut: (...args: Array<never>) => A) =>
      (...args: Array<never>): A => {
        const when = trouble(sql)
        if (when === "before") throw failure()
        const result = carryOut(...args)
        if (when === "after") throw failure()
        return result
      }
    return new Proxy(statement, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== "function") return member
        return name === "all" || name === "run" ? run(member.bind(target)) : member.bind(target)
      }
    })
  }

  const faulty: FaultyDatabase = {
    chance: 0,
    prepare,
    get isTransaction() {
      return db.isTransaction
    },
    rollback: () => {
      if (db.isTransaction) db.exec("ROLLBACK")
    },
    changes: () => Number(written.get()?.["rows"]),
    close: () => db.close()
  }
  return faulty
}
