/** The compiler holds handlers to the contract: what it must refuse here fails the check of types if it is let in. */
import { errors } from "@tolem/api/Errors"
import { FieldRefused, InvoiceNotFound } from "@tolem/core/error/Refusals"
import { textOf } from "@tolem/core/value/RawJson"
import { Effect, Layer, Schema } from "effect"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { expect, expectTypeOf, it } from "vitest"
import { type Handler, serving } from "../src/http/Contract.ts"
import { json, nothing, object } from "../src/http/Responses.ts"

const Tea = Schema.Struct({ leaves: Schema.Int, name: Schema.NullOr(Schema.String) })
const read = HttpApiEndpoint.get("read", "/teas", { success: Tea, error: errors("invoice_not_found") })
const brew = HttpApiEndpoint.post("brew", "/teas", { success: Tea, error: errors("invalid_name", "invalid_url") })
const Api = HttpApi.make("teas").add(HttpApiGroup.make("teas").add(read, brew))

type Read = Handler<typeof read>
type Brew = Handler<typeof brew>

const tea = { leaves: 3, name: null }
const right = {
  read: () => Effect.succeed(object(tea)),
  text: () => Effect.succeed(json(textOf(tea))),
  code: () => Effect.fail(new InvoiceNotFound()),
  member: () => Effect.fail(new FieldRefused({ code: "invalid_name" }))
}
const wrong = {
  type: () => Effect.succeed(object({ leaves: "3", name: null })),
  missing: () => Effect.succeed(object({ leaves: 3 })),
  unknown: () => Effect.succeed(object({ ...tea, sugar: 1 })),
  text: () => Effect.succeed(json(textOf({ leaves: 3 }))),
  nothing: () => Effect.succeed(nothing)
}

it("a handler answers the body that its endpoint announces, and refuses with its codes", () => {
  expectTypeOf(right.read).toExtend<Read>()
  expectTypeOf(right.text).toExtend<Read>()
  expectTypeOf(right.code).toExtend<Read>()
  expectTypeOf(right.member).toExtend<Brew>()
  expectTypeOf(wrong.type).not.toExtend<Read>()
  expectTypeOf(wrong.missing).not.toExtend<Read>()
  expectTypeOf(wrong.unknown).not.toExtend<Read>()
  expectTypeOf(wrong.text).not.toExtend<Read>()
  expectTypeOf(wrong.nothing).not.toExtend<Read>()
  expectTypeOf(right.code).not.toExtend<Brew>()
  expectTypeOf(right.member).not.toExtend<Read>()
  expectTypeOf<string>().not.toExtend<Parameters<typeof json>[0]>()
})

it("each endpoint has a handler, and those that write are not cut in two by a client that hangs up", () => {
  const registered: Array<readonly [name: string, isUninterruptible: boolean]> = []
  const layer = HttpApiBuilder.group(Api, "teas", (handlers) => {
    type Wanted = Parameters<typeof serving<(typeof handlers)["~EndpointsByIdentifier"], { read: Read; brew: Brew }>>[1]
    expectTypeOf({ read: right.read }).not.toExtend<Wanted>()
    const served = serving(handlers, { read: right.read, brew: right.member })
    for (const [name, { uninterruptible }] of Object.entries<{ uninterruptible: boolean }>(
      Object.fromEntries(Object.getOwnPropertyDescriptor(served, "handlers")?.value ?? [])
    )) {
      registered.push([name, uninterruptible])
    }
    return served
  })
  Effect.runSync(Effect.scoped(Layer.build(layer)))
  expect(registered).toEqual([
    ["read", false],
    ["brew", true]
  ])
})
