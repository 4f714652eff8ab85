/** Faces of use-cases: complete, typed, and shown by their tables. */
import { Effect } from "effect"
import { expect, expectTypeOf, it } from "vitest"
import { type Complete, faceOf, nothing, type RunPromise, same } from "../../src/embedded/Faces.ts"
import { queried } from "../../src/embedded/Filters.ts"
import type { EmbeddedEngine, EmbeddedMerchant } from "../../src/index.ts"

it("a verb that a table or the interface forgets does not compile", async () => {
  type Verbs = Complete<{ pay: (id: string) => Effect.Effect<number>; stop: () => Effect.Effect<void> }>
  expectTypeOf<{ pay: (answer: number) => string; stop: null }>().toExtend<Verbs>()
  expectTypeOf<{ pay: (answer: number) => string }>().not.toExtend<Verbs>()
  expectTypeOf<{ pay: (answer: string) => string; stop: null }>().not.toExtend<Verbs>()
  const verbs = { pay: (_owner: string, id: string) => Effect.succeed(id.length), stop: () => Effect.void }
  interface Declared {
    readonly pay: (id: string) => Promise<{ length: number }>
  }
  const face = faceOf<Declared>()(Effect.runPromise as RunPromise, "me")
  expectTypeOf<{ pay: () => void }>().not.toExtend<Complete<typeof verbs>>()
  const shown = face(verbs, { pay: (length: number) => ({ length }), stop: null })
  expectTypeOf(shown.pay).toEqualTypeOf<(id: string) => Promise<{ length: number }>>()
  const undeclared = face(verbs, { pay: (length: number) => ({ length }), stop: nothing })
  expectTypeOf(undeclared).not.toExtend<Declared>()
  expect(Object.keys(shown)).toEqual(["pay"])
  expect(await shown.pay("four")).toEqual({ length: 4 })
})

it("a verb that is shown as it is answers what its use-case does", () => {
  const face = faceOf<{ count: unknown }>()(Effect.runPromise as RunPromise)
  const shown = face({ count: (_: string) => Effect.succeed(1) }, { count: same })
  expectTypeOf(shown.count).toEqualTypeOf<(of: string) => Promise<number>>()
})

type IsUnknown<A> = unknown extends A ? true : never
type Answer<Verb> = Verb extends (...request: never) => Promise<infer A> ? A : null
/** Verbs of the faces that answer nobody knows what. */
type Untyped<Faces> = {
  [Name in keyof Faces]: { [Verb in keyof Faces[Name]]: IsUnknown<Answer<Faces[Name][Verb]>> }[keyof Faces[Name]]
}[keyof Faces]
type Faces = Omit<EmbeddedEngine & EmbeddedMerchant, "host" | "mode" | "organizationId">
/** What lists are asked for with. */
type Asked =
  | Parameters<EmbeddedMerchant["invoices"]["list"]>[0]
  | Parameters<EmbeddedMerchant["subscriptions"]["list"]>[0]
  | Parameters<EmbeddedMerchant["webhooks"]["deliveries"]>[1]
  | Parameters<EmbeddedEngine["organizations"]["list"]>[0]
  | Parameters<EmbeddedEngine["accounts"]["list"]>[0]
  | Parameters<EmbeddedEngine["partners"]["clients"]>[1]
type Members<One> = One extends object ? One[keyof One] : never

it("no verb answers what is unknown, and no list is filtered by it", () => {
  expectTypeOf<Untyped<{ sample: { list: () => Promise<unknown> } }>>().not.toBeNever()
  expectTypeOf<Untyped<Faces>>().toBeNever()
  expectTypeOf<Members<Asked>>().toExtend<string | number | boolean | ReadonlyArray<string> | null | undefined>()
})

it("lists are filtered by what there is", () => {
  type InvoiceList = EmbeddedMerchant["invoices"]["list"]
  expectTypeOf<{ status: ["paid", "failed"]; limit: 10 }>().toExtend<Parameters<InvoiceList>[0]>()
  expectTypeOf<{ status: "payed" }>().not.toExtend<Parameters<InvoiceList>[0]>()
  expectTypeOf<{ limit: "10" }>().not.toExtend<Parameters<InvoiceList>[0]>()
  expectTypeOf<ReturnType<EmbeddedEngine["organizations"]["deleteKey"]>>().toEqualTypeOf<Promise<boolean>>()
  expectTypeOf<ReturnType<EmbeddedEngine["organizations"]["setStatus"]>>().toEqualTypeOf<Promise<boolean>>()
  expect(queried({ status: ["paid", "failed"], limit: 10 })).toEqual({ status: "paid,failed", limit: 10 })
  expect(queried({ status: "paid" })).toEqual({ status: "paid" })
})
