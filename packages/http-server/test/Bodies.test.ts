import { Readable } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { HttpServerError, type HttpServerRequest } from "effect/http"
import { maxBytes, readBytes } from "../src/http/Bodies.ts"
import { RequestState } from "../src/http/RequestState.ts"

/** A request of 20 000 bytes, and the way to give it room for them. */
const waiting = Effect.gen(function* () {
  const room = yield* Deferred.make<void>()
  const source = new Readable({ read() {} })
  const given: unknown = {
    headers: { "content-length": "20000" },
    source,
    arrayBuffer: Effect.suspend(() =>
      Effect.fail(
        new HttpServerError.HttpServerError({
          reason: new HttpServerError.RequestParseError({ request: given as HttpServerRequest.HttpServerRequest })
        })
      )
    )
  }
  const state: unknown = { room: { forBody: () => Deferred.await(room) } }
  const reading = readBytes(given as HttpServerRequest.HttpServerRequest, maxBytes).pipe(
    Effect.provideService(RequestState, state as RequestState),
    Effect.uninterruptible
  )
  return { source, reading: yield* Effect.forkChild(reading), giveRoom: Deferred.succeed(room, undefined) }
})

describe("a body that waits for room", () => {
  it.effect("is read once there is room", () =>
    Effect.gen(function* () {
      const { source, reading, giveRoom } = yield* waiting
      yield* Effect.yieldNow
      for (let i = 0; i < 20; i++) source.push(Buffer.alloc(1000, "x"))
      source.push(null)
      yield* giveRoom
      assert.strictEqual((yield* Fiber.join(reading)).byteLength, 20_000)
    })
  )

  it.effect("ends with the client that leaves meanwhile", () =>
    Effect.gen(function* () {
      const { source, reading, giveRoom } = yield* waiting
      yield* Effect.yieldNow
      yield* Effect.promise(() => new Promise<void>((resolve) => void source.destroy().once("close", resolve)))
      yield* giveRoom
      assert.isTrue(Exit.isFailure(yield* Fiber.await(reading)))
    })
  )
})
