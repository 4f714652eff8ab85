/** Faces of use-cases: complete, typed, and shown by their tables. */
import { Effect } from "effect"
import { expect, expectTypeOf, it } from "vitest"
import { type Complete, faceOf, type RunPromise } from "../../src/embedded/Faces.ts"

it("a verb that a table forgets does not compile", async () => {
  type Verbs = Complete<{ pay: (id: string) => Effect.Effect<number>; stop: () => Effect.Effect<void> }>
  expectTypeOf<{ pay: (answer: number) => string; stop: null }>().toExtend<Verbs>()
  expectTypeOf<{ pay: (answer: number) => string }>().not.toExtend<Verbs>()
  expectTypeOf<{ pay: (answer: string) => string; stop: null }>().not.toExtend<Verbs>()
  const verbs = { pay: (_owner: string, id: string) => Effect.succeed(id.length), stop: () => Effect.void }
  const face = faceOf(Effect.runPromise as RunPromise, "me")
  expectTypeOf<{ pay: () => void }>().not.toExtend<Complete<typeof verbs>>()
  const shown = face(verbs, { pay: (length: number) => ({ length }), stop: null })
  expectTypeOf(shown.pay).toEqualTypeOf<(id: string) => Promise<{ length: number }>>()
  expect(Object.keys(shown)).toEqual(["pay"])
  expect(await shown.pay("four")).toEqual({ length: 4 })
})
