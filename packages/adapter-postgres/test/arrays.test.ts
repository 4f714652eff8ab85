/** What PostgreSQL reads of the arrays that batches are sent as. */
import { it } from "@effect/vitest"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import { Effect, Redacted } from "effect"
import { assert, describe } from "vitest"
import { arrayText } from "../../adapter-sql/src/base/Arrays.ts"
import type { Values } from "../../adapter-sql/src/base/Columns.ts"
import { freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const client = Effect.acquireRelease(
  Effect.promise(() => connect(Redacted.value(freshOptions().url))),
  (client) => Effect.promise(() => client.end())
)

/** The elements that it reads. */
const read = async (client: Client, values: Values, type: "text" | "bigint" = "text"): Promise<unknown> => {
  const { rows } = await client.query(`select to_json($1::${type}[])::text as read`, [arrayText(values)])
  return JSON.parse(rows[0]?.read)
}

/** Characters that mean something in JSON, in arrays, or in neither; and some of more than one byte. */
const characters = ["a", "Ә", "€", "😀", '"', "\\", "{", "}", ",", " ", "'", "/", "n", "u0041", "\n", "\t", "\u0001"]

/** Texts of them that are the same in each run. */
const texts = Array.from({ length: 400 }, (_, seed) => {
  let left = Math.imul(seed + 1, 2_654_435_761) >>> 0
  let text = ""
  while (left > 0) {
    text += characters[left % characters.length]
    left = Math.floor(left / characters.length)
  }
  return text
})

describe("an array", () => {
  it.live("is read as it was written, whatever its texts are", () =>
    Effect.gen(function* () {
      const server = yield* client
      const isReadAsIs = (values: Values, type?: "bigint") =>
        Effect.map(
          Effect.promise(() => read(server, values, type)),
          (found) => assert.deepStrictEqual(found, values)
        )
      yield* isReadAsIs(["", " ", "null", "NULL", null, "{}", "[1]", "\u007f\u2028\ufeff\ufffd"])
      yield* isReadAsIs(['{"a":"b\\n"}', "line\r\nline"])
      yield* isReadAsIs(texts)
      for (const text of texts) yield* isReadAsIs([text, null])
      yield* isReadAsIs([0, -1, null, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER], "bigint")
      yield* isReadAsIs([])
    })
  )

  it.live("is refused with half a surrogate pair in it, as with NUL", () =>
    Effect.gen(function* () {
      const server = yield* client
      for (const text of ["\ud83d", "\ude00\ud83d", "\u0000", "a\ud800\nb"]) {
        const error = yield* Effect.flip(Effect.tryPromise(() => read(server, ["fine", text])))
        assert.propertyVal(error.cause, "code", "22021", JSON.stringify(text))
      }
    })
  )
})
