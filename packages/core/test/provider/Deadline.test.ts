import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import { Answer, refused } from "../../src/provider/Answer.ts"
import * as Deadline from "../../src/provider/Deadline.ts"
import type { Calls } from "../../src/provider/PaymentProvider.ts"

const no = () => Effect.succeed(refused("other"))
const refusing: Calls = {
  createQr: no,
  createPush: no,
  stateByReference: no,
  stateByOurs: no,
  cancel: no,
  refund: no,
  refundState: no,
  listOperations: no,
  initLogin: no,
  sendPhone: no,
  verifyOtp: no,
  checkSession: no
}

const session = Redacted.make("the session")

describe("a call under a deadline", () => {
  it.effect("is unknown when nobody answers in time, and not before", () =>
    Effect.gen(function* () {
      const calls = Deadline.within({ ...refusing, checkSession: () => Effect.never }, 8000)
      const call = yield* Effect.forkChild(calls.checkSession(session), { startImmediately: true })
      yield* TestClock.adjust(7999)
      assert.isUndefined(call.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(call), Answer.Unknown({ reason: "timeout" }))
    })
  )

  it.effect("is unknown when the adapter dies, and the log says which call it was and no secret", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const dying = (given: unknown) => Effect.die(new Error(`no such thing as ${given}`))
      const calls = Deadline.within({ ...refusing, checkSession: dying })
      assert.deepStrictEqual(yield* calls.checkSession(session), Answer.Unknown({ reason: "defect" }))
      assert.strictEqual(lines.length, 1)
      assert.include(lines[0], "checkSession")
      assert.notInclude(lines[0], Redacted.value(session))
    }).pipe(
      Effect.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])),
      Effect.provideService(References.MinimumLogLevel, "Error")
    )
  })

  it.effect("is unknown when the adapter throws before it begins", () =>
    Effect.gen(function* () {
      const throwing = () => {
        throw new Error("not even an effect")
      }
      const calls = Deadline.within({ ...refusing, initLogin: throwing })
      assert.deepStrictEqual(yield* calls.initLogin(), Answer.Unknown({ reason: "defect" }))
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("passes on what the provider says", () =>
    Effect.gen(function* () {
      const calls = Deadline.within(refusing)
      assert.deepStrictEqual(yield* calls.stateByOurs({ session, ours: "inv_1" }), refused("other"))
    })
  )
})
