/** Addresses of poolers: what goes past them, and what is said if it cannot. A real one: `npm run chaos -- pooler`. */
import { it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { assert, describe, inject } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"

const url = Redacted.make("postgres://tolem@pooler.invalid:6432/shop")

describe("behind a pooler", () => {
  it.effect("migrations are refused without a way past it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Postgres.migrate({ url, pooled: true }))
      assert.strictEqual(error._tag, "SqlError")
      assert.match(String(error._tag === "SqlError" && error.reason.cause), /direct=HOST:PORT/)
    })
  )

  it("the way past it is that of the database itself", () => {
    const directUrl = Redacted.make("postgres://tolem@db.invalid/shop")
    assert.isNull(Connection.direct({ url, pooled: true }))
    assert.deepStrictEqual(Connection.direct({ url, pooled: true, directUrl, statementTimeoutMs: 7 }), {
      url: directUrl,
      pooled: false,
      directUrl,
      statementTimeoutMs: 7
    })
    assert.deepStrictEqual(Connection.direct({ url }), { url })
  })

  it.live("a role without limits of time is warned about, and one that has them is not", () =>
    Effect.gen(function* () {
      const warnings = Effect.fnUntraced(function* (options: string) {
        const logs: Array<string> = []
        const address = Redacted.make(`${inject("postgresUrl")}?options=${encodeURIComponent(options)}`)
        yield* Connection.warnOfNoLimits.pipe(
          Effect.provide(Connection.layer({ url: address, pooled: true })),
          Effect.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))]))
        )
        return logs.join()
      })
      assert.include(yield* warnings(""), "nothing limits lock_timeout and statement_timeout")
      assert.include(yield* warnings("-c statement_timeout=5000"), "nothing limits lock_timeout.")
      assert.strictEqual(yield* warnings("-c statement_timeout=5000 -c lock_timeout=2000"), "")
    })
  )
})
