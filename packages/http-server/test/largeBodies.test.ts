/** Large requests that come together leave the event loop to others in between. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { afterEach, describe, expect, it, vi } from "vitest"
import { maxBulkBytes, readJson } from "../src/http/Bodies.ts"

afterEach(() => void vi.restoreAllMocks())

const request = (bytes: number) =>
  HttpServerRequest.fromWeb(
    new Request("http://x/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "x".repeat(bytes) })
    })
  )

/** In which turn of the event loop each of five bodies was parsed. */
const turnsOf = async (bytes: number): Promise<ReadonlyArray<number>> => {
  let turn = 0
  let running = true
  const count = () => {
    turn++
    if (running) setImmediate(count)
  }
  setImmediate(count)
  const turns: Array<number> = []
  const parse = JSON.parse
  vi.spyOn(JSON, "parse").mockImplementation((text: string) => {
    if (text.length > bytes) turns.push(turn)
    return parse(text)
  })
  const bodies = Array.from({ length: 5 }, () => readJson(request(bytes), maxBulkBytes))
  const read = await Effect.runPromise(Effect.all(bodies, { concurrency: "unbounded" }))
  running = false
  expect(turns).toHaveLength(5)
  expect(read.map(({ object }) => String(object["text"]).length)).toEqual(Array.from({ length: 5 }, () => bytes))
  return turns
}

describe("large bodies", () => {
  it("are parsed in a turn of the event loop each", async () => {
    expect(new Set(await turnsOf(100_000)).size).toBe(5)
  })

  it("hold up no small ones", async () => {
    expect(new Set(await turnsOf(100)).size).toBeLessThan(5)
  })
})
