import { Effect, Fiber, Latch, Layer } from "effect"
import { Digest } from "effect/crypto"
import { expect, it } from "vitest"
import { linkForm } from "../../src/picture/Picture.ts"
import * as PictureFiles from "../../src/picture/PictureFiles.ts"
import { PictureMaker } from "../../src/picture/PictureMaker.ts"

it("gives organizations turns, however many files one of them sends", async () => {
  const begun: Array<number> = []
  const told = await Effect.gen(function* () {
    const gate = yield* Latch.make()
    const maker = Layer.mock(PictureMaker, {
      remake: (file) =>
        Effect.sync(() => void begun.push(file[0] ?? 0)).pipe(
          Effect.andThen(gate.await),
          Effect.as({ bytes: file, width: 1, height: 1, contentType: "image/jpeg" as const })
        )
    })
    const files = yield* Effect.provide(PictureFiles.make, maker)
    const send = (id: string, first: number) =>
      Effect.forkChild(files.drawn(id, new Uint8Array([first]), linkForm), { startImmediately: true })
    const many = yield* Effect.forEach(Array.from({ length: 10 }), () => send("org_a", 1))
    const one = yield* send("org_b", 2)
    const waiting = [...begun]
    yield* gate.open
    yield* Fiber.joinAll([...many, one])
    return waiting
  }).pipe(Effect.provide(Digest.layerWebCrypto), Effect.runPromise)
  expect(told).toEqual([1, 1])
  // The other organization is among the next two.
  expect(begun.slice(2, 4)).toContain(2)
  expect(begun).toHaveLength(11)
})
