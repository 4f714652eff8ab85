/** Addresses of databases, as people write them. */
import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { parse } from "../src/Url.ts"

const address = (text: string) => Result.getOrThrow(parse(text))

describe("an address", () => {
  it("carries the storage's settings, which the driver does not see", () => {
    const { options } = address(
      "postgres://u:p%40ss@db:5433/shop?schema=pay&prefix=t_" +
        "&pool_size=7&statement_timeout=900&prepare=false&sslmode=require"
    )
    const { url, ...settings } = options
    assert.deepStrictEqual(settings, {
      schema: "pay",
      prefix: "t_",
      maxConnections: 7,
      statementTimeoutMs: 900,
      prepare: false
    })
    assert.strictEqual(Redacted.value(url), "postgres://u:p%40ss@db:5433/shop?sslmode=require")
  })

  it("names the database past a pooler, as the same user with the same parameters of libpq", () => {
    const text = "postgres://u:p%40ss@pooler:6432/shop?pooler=transaction&direct=db.example:5433&sslmode=verify-full"
    const { options, shown } = address(text)
    assert.isTrue(options.pooled)
    assert.strictEqual(Redacted.value(options.url), "postgres://u:p%40ss@pooler:6432/shop?sslmode=verify-full")
    const past = Redacted.value(options.directUrl as Redacted.Redacted)
    assert.strictEqual(past, "postgres://u:p%40ss@db.example:5433/shop?sslmode=verify-full")
    assert.strictEqual(shown, "postgres://pooler:6432/shop")
    assert.isUndefined(address("postgres://pooler/shop?pooler=transaction").options.directUrl)
  })

  it("leaves to the defaults what it does not say", () => {
    const { url, ...settings } = address("postgresql://localhost/shop").options
    assert.isTrue(Object.values(settings).every((value) => value === undefined))
    assert.strictEqual(Redacted.value(url), "postgresql://localhost/shop")
  })

  it("is shown without user, password and parameters", () => {
    const text = "postgres://tolem:secret@db.example:5432/shop?password=secret2&schema=pay&options=-c%20x%3Dsecret3"
    const { shown, options } = address(text)
    assert.strictEqual(shown, "postgres://db.example:5432/shop?schema=pay")
    assert.notMatch(JSON.stringify(options), /secret/)
  })

  for (const wrong of [
    "postgres://tolem:secret@:5432",
    "postgres://tolem:secret@",
    "mysql://tolem:secret@db/shop",
    "tolem:secret",
    "postgres://tolem:secret@db/shop?schema=a;drop",
    "postgres://tolem:secret@db/shop?prefix=a.b",
    'postgres://tolem:secret@db/shop?schema="x"',
    "postgres://tolem:secret@db/shop?pool_size=0",
    "postgres://tolem:secret@db/shop?pool_size=secret",
    "postgres://tolem:secret@db/shop?statement_timeout=-1",
    "postgres://tolem:secret@db/shop?statement_timeout=secret",
    "postgres://tolem:secret@db/shop?prepare=maybe",
    "postgres://tolem:secret@db/shop?sslrootcert=ca.crt",
    "postgres://tolem:secret@db/shop?sslmode=prefer&sslrootcert=ca.crt",
    "postgres://tolem:secret@db/shop?sslmode=verify_full",
    "postgres://tolem:secret@db/shop?sslmode=verify-full&sslmode=disable",
    "postgres://tolem:secret@db/shop?sslmode=verify-full&sslcert=secret.crt",
    "postgres://tolem:secret@db/shop?channel_binding=require",
    "postgres://tolem:secret@db/shop?pooler=session",
    "postgres://tolem:secret@db/shop?direct=db:5432",
    "postgres://tolem:secret@db/shop?pooler=transaction&direct=secret@db/x"
  ]) {
    it(`is refused without being repeated: ${wrong}`, () => {
      const result = parse(wrong)
      assert(Result.isFailure(result))
      assert.notMatch(result.failure, /secret/)
    })
  }
})
