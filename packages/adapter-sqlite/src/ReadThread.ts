/**
 * Long reads in a thread of their own, with a connection that cannot write: `node:sqlite` blocks its thread while it
 * reads, and a search by a part of a text reads all invoices of an organization. One runs at a time, tenants in turn.
 * It sees what was committed before it begins.
 */
import { Worker } from "node:worker_threads"
import type { LongReads } from "@tolem/adapter-sql/base/LongReads"
import * as Batcher from "@tolem/core/work/Batcher"
import { Effect, Exit, type Scope } from "effect"
import { SqlError, type Statement } from "effect/sql"
import { bindable, sqlError } from "./SqliteClient.ts"

/** Settings of the thread. */
export interface ReadThreadOptions {
  /** Path of the file. */
  readonly filename: string
  /** After which a read is given up; the thread is ended with it, and a new one begins with the next read. */
  readonly timeoutMs?: number | undefined
}

/** A merchant who searches millions of invoices waits longer for an answer than any client does. */
const defaultTimeoutMs = 10_000

/** Reads that may wait. Each is a request that holds its connection. */
const capacity = 1_000

/** A thread that starts with the first read and ends with the scope. */
export const make = ({
  filename,
  timeoutMs = defaultTimeoutMs
}: ReadThreadOptions): Effect.Effect<LongReads, never, Scope.Scope> =>
  Effect.gen(function* () {
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => makeThread(filename)),
      (thread) => Effect.sync(() => thread.end("the database was closed"))
    )
    const read = ({ statement: [sql, params] }: Read) =>
      thread.read(sql, params.map(bindable)).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () => {
            thread.end("a read took too long")
            return Effect.fail(failure("StatementTimeoutError", `no answer within ${timeoutMs} ms`))
          }
        })
      )
    const turns = yield* Batcher.make({
      name: "long reads",
      maxSize: 1,
      writers: 1,
      capacity,
      lineOf: ({ line }: Read) => line,
      full: () => failure("LockTimeoutError", "too many long reads wait"),
      runAll: (reads) => Effect.forEach(reads, (each) => Effect.exit(read(each))),
      isolate: () => false
    })
    const run: LongReads = <A extends object>(line: string, select: Statement.Statement<A>) =>
      Effect.map(turns({ line, statement: select.compile() }), (rows) => rows as ReadonlyArray<A>)
    return run
  })

interface Read {
  readonly line: string
  readonly statement: readonly [sql: string, params: ReadonlyArray<unknown>]
}

type Rows = ReadonlyArray<object>
type Answer = { readonly rows: Rows } | { readonly message: string; readonly errcode: number | undefined }

const failure = (reason: "ConnectionError" | "LockTimeoutError" | "StatementTimeoutError", message: string) =>
  new SqlError.SqlError({ reason: new SqlError[reason]({ message, operation: "execute", cause: new Error(message) }) })

const makeThread = (filename: string) => {
  let worker: Worker | undefined
  let asking: ((exit: Exit.Exit<Rows, SqlError.SqlError>) => void) | undefined

  const answer = (exit: Exit.Exit<Rows, SqlError.SqlError>) => {
    const ask = asking
    asking = undefined
    ask?.(exit)
  }
  const lose = (ended: Worker, why: string) => {
    if (worker !== ended) return
    worker = undefined
    answer(Exit.fail(failure("ConnectionError", why)))
  }
  const start = (): Worker => {
    const started = new Worker(`(${work})(require("node:sqlite"), require("node:worker_threads"))`, {
      eval: true,
      workerData: { filename },
      // Flags of the program, as those that load its sources, mean nothing to this thread.
      execArgv: []
    })
    started.unref()
    started.on("message", (message: Answer) => {
      if (worker !== started) return
      answer("rows" in message ? Exit.succeed(message.rows) : Exit.fail(fromThread(message)))
    })
    started.on("error", (error) => lose(started, String(error)))
    started.on("exit", () => lose(started, "the thread of long reads has ended"))
    return started
  }
  return {
    /** One at a time. */
    read: (sql: string, params: ReadonlyArray<unknown>) =>
      Effect.callback<Rows, SqlError.SqlError>((resume) => {
        asking = (exit) => resume(exit)
        worker ??= start()
        worker.postMessage({ sql, params })
      }),
    end: (why: string) => {
      const ended = worker
      if (ended === undefined) return
      lose(ended, why)
      void ended.terminate()
    }
  }
}

const fromThread = ({ message, errcode }: { readonly message: string; readonly errcode: number | undefined }) =>
  sqlError(Object.assign(new Error(message), errcode !== undefined && { errcode }), "execute")

/** What the thread does. It is sent as text, so it may use nothing of this file. */
const work = (
  { DatabaseSync }: typeof import("node:sqlite"),
  { parentPort, workerData }: typeof import("node:worker_threads")
) => {
  const db = new DatabaseSync(workerData.filename, { readOnly: true })
  // What is read is all over the file, and more than a cache of one connection holds.
  db.exec("PRAGMA busy_timeout = 5000; PRAGMA mmap_size = 1073741824")
  parentPort?.on("message", ({ sql, params }) => {
    try {
      parentPort.postMessage({ rows: db.prepare(sql).all(...params) })
    } catch (error) {
      const { message, errcode } = error as Error & { readonly errcode?: number }
      parentPort.postMessage({ message, errcode })
    }
  })
}
