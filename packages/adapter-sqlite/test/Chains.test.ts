/** Who is known to have a transaction open on a connection of the application, however the application ends it. */
import { AsyncResource } from "node:async_hooks"
import { DatabaseSync, StatementSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Chains from "../src/Chains.ts"

let engine: DatabaseSync
let database: DatabaseSync
let chains: ReturnType<typeof Chains.make>
beforeEach(() => {
  engine = new DatabaseSync(":memory:")
  database = new DatabaseSync(":memory:")
  chains = Chains.make(engine, (db) => db === database)
})
afterEach(() => {
  for (const db of [engine, database]) if (db.isOpen) db.close()
})

/** Calls something as a request of its own does. */
const asAnother = <A>(call: () => A): A => new AsyncResource("request").runInAsyncScope(call)

/** Those of a request that has the application's connection as the engine's own: it would wait for itself. */
const isWithin = () => Chains.make(database, () => true).refusalOf({ writes: true, ambient: undefined }) !== undefined

const surfaces = [DatabaseSync.prototype, StatementSync.prototype]
const members = () => surfaces.map((surface) => Object.values(Object.getOwnPropertyDescriptors(surface)))

/** What runs a statement that was prepared before any transaction was known. */
const ways: Record<string, (database: DatabaseSync, sql: string) => () => unknown> = {
  "a prepared statement": (db, sql) => {
    const statement = db.prepare(sql)
    return () => statement.run()
  },
  "rows asked for": (db, sql) => {
    const statement = db.prepare(sql)
    return () => statement.all()
  },
  "one row asked for": (db, sql) => {
    const statement = db.prepare(sql)
    return () => statement.get()
  },
  "an iterator": (db, sql) => {
    const statement = db.prepare(sql)
    return () => Array.from(statement.iterate())
  },
  exec: (db, sql) => () => db.exec(sql)
}

describe("a transaction that its owner ends", () => {
  for (const [name, way] of Object.entries(ways)) {
    it(`with ${name} is not taken for the next one there`, () => {
      const [before, names] = [members(), Object.getOwnPropertyNames(database)]
      const [begin, commit] = [way(database, "begin immediate"), way(database, "commit")]
      asAnother(() => {
        begin()
        chains.note(database)
        expect(isWithin()).toBe(true)
        commit()
        asAnother(begin)
        expect(isWithin()).toBe(false)
        expect(Chains.isHolderKnown(database)).toBe(false)
        asAnother(() => chains.note(database))
        expect(isWithin()).toBe(false)
        expect(Chains.isHolderKnown(database)).toBe(true)
        commit()
      })
      Chains.forgetEnded()
      expect(Chains.isHolderKnown(database)).toBe(false)
      expect(Object.getOwnPropertyNames(database)).toEqual(names)
      expect(members()).toEqual(before)
    })
  }

  it("leaves nothing behind, however often another follows in the same calls or in others", () => {
    const before = members()
    const [begin, commit] = [database.prepare("begin immediate"), database.prepare("commit")]
    let wrong = 0
    const transaction = () => {
      begin.run()
      chains.note(database)
      if (!isWithin()) wrong++
      commit.run()
      if (isWithin()) wrong++
    }
    for (let count = 0; count < 10_000; count++) asAnother(transaction)
    asAnother(() => {
      for (let count = 0; count < 1_000; count++) transaction()
    })
    database.exec("select 1")
    expect(wrong).toBe(0)
    expect(Object.hasOwn(database, "exec")).toBe(false)
    expect(Object.hasOwn(database, "prepare")).toBe(false)
    expect(members()).toEqual(before)
  })

  it("by closing the connection has ended it", () => {
    asAnother(() => {
      database.exec("begin")
      chains.note(database)
      database.close()
      database.open()
      database.exec("begin")
      expect(isWithin()).toBe(false)
    })
  })
})

describe("a transaction that is open", () => {
  it("is that of all who have said so", () => {
    database.exec("begin")
    const held = Array.from({ length: 2 }, () =>
      asAnother(() => {
        chains.note(database)
        return AsyncResource.bind(isWithin)
      })
    )
    expect(held.map((ask) => ask())).toEqual([true, true])
    database.exec("commit")
    expect(held.map((ask) => ask())).toEqual([false, false])
  })

  it("stays known if a statement in it fails", () => {
    asAnother(() => {
      database.exec("begin")
      chains.note(database)
      expect(() => database.exec("no statement")).toThrow("syntax error")
      expect(isWithin()).toBe(true)
      database.exec("rollback")
      expect(isWithin()).toBe(false)
    })
  })

  it("lets what others have put around a method stay, and is not put around it again", () => {
    const found = DatabaseSync.prototype.exec
    let calls = 0
    asAnother(() => {
      database.exec("begin")
      chains.note(database)
      const inner = DatabaseSync.prototype.exec
      const others = function (this: DatabaseSync, sql: string) {
        calls++
        inner.call(this, sql)
      }
      DatabaseSync.prototype.exec = others
      try {
        database.exec("commit")
        for (let count = 0; count < 3; count++) {
          database.exec("begin")
          chains.note(database)
          expect(DatabaseSync.prototype.exec).toBe(others)
          database.exec("commit")
          expect(isWithin()).toBe(false)
        }
        expect(calls).toBe(7)
      } finally {
        DatabaseSync.prototype.exec = inner
      }
      database.exec("begin")
      chains.note(database)
      database.exec("commit")
    })
    expect(DatabaseSync.prototype.exec).toBe(found)
  })
})
