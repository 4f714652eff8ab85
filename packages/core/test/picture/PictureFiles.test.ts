import { Effect, Exit, Fiber, Latch, Layer } from "effect"
import { Digest } from "effect/crypto"
import { expect, it } from "vitest"
import { linkForm } from "../../src/picture/Picture.ts"
import * as PictureFiles from "../../src/picture/PictureFiles.ts"
import { PictureMaker } from "../../src/picture/PictureMaker.ts"

/** Sends files of organizations while none is drawn, then has all drawn; answers what became of each. */
const sending = (files: ReadonlyArray<readonly [organizationId: string, mark: number]>) =>
  Effect.gen(function* () {
    const begun: Array<number> = []
    const gate = yield* Latch.make()
    const maker = Layer.mock(PictureMaker, {
      remake: (file) =>
        Effect.sync(() => void begun.push(file[0] ?? 0)).pipe(
          Effect.andThen(gate.await),
          Effect.as({ bytes: file, width: 1, height: 1, contentType: "image/jpeg" as const })
        )
    })
    const { drawn } = yield* Effect.provide(PictureFiles.make, maker)
    const sent = yield* Effect.forEach(files, ([id, mark]) =>
      Effect.forkChild(drawn(id, new Uint8Array([mark]), linkForm), { startImmediately: true })
    )
    const waiting = [...begun]
    yield* gate.open
    const exits = yield* Effect.forEach(sent, Fiber.await)
    const again = yield* Effect.exit(drawn(files[0]![0], new Uint8Array([0]), linkForm))
    return { begun, waiting, outcomes: exits.map(Exit.isSuccess), again: Exit.isSuccess(again) }
  }).pipe(Effect.provide(Digest.layerWebCrypto), Effect.runPromise)

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

it("gives organizations turns, however many files one of them sends", async () => {
  const { begun, waiting } = await sending([...times(8, ["org_a", 1] as const), ["org_b", 2]])
  expect(waiting).toEqual([1, 1])
  // The other organization is among the next two.
  expect(begun.slice(2, 4)).toContain(2)
  expect(begun.filter((mark) => mark > 0)).toHaveLength(9)
})

it("lets so many files wait, of one organization and of all, and asks others to come again", async () => {
  const flood = await sending([...times(20, ["org_a", 1] as const), ["org_b", 2]])
  expect(flood.outcomes).toEqual([...times(8, true), ...times(12, false), true])
  expect(flood.again).toBe(true)
  const many = await sending(Array.from({ length: 80 }, (_, n) => [`org_${n}`, 1] as const))
  expect(many.outcomes.filter((isDrawn) => isDrawn)).toHaveLength(64)
})
