/** Handlers that the compiler holds to the contract: to the bodies of an endpoint's answers, and to its codes. */
import type { Effect } from "effect"
import type { HttpRouter } from "effect/http"
import type { HttpApiBuilder, HttpApiEndpoint } from "effect/http-api"
import type { Registry } from "./ApiGroup.ts"
import { answered, type JsonAnswer, type Refusal } from "./Responses.ts"

type Endpoint = HttpApiEndpoint.Constraint

type CodeOf<Failure> = Failure extends { readonly error: infer Code } ? Code : never

/** A failure whose code the endpoint announces. */
type RefusalOf<One extends Endpoint> = Refusal & { readonly code: CodeOf<One["~Error"]["Type"]> }

/** A handler of the endpoint. It is given what was sent; the query and the headers it reads of the request itself. */
export type Handler<One extends Endpoint, R = unknown> = (
  given: Omit<One["~RequestRaw"], "query" | "headers">
) => Effect.Effect<JsonAnswer<One["~Success"]["Type"]>, RefusalOf<One>, R>

type NeedsOf<One extends Endpoint, R> =
  | HttpApiEndpoint.Middleware<One>
  | HttpApiEndpoint.MiddlewareServices<One>
  | HttpRouter.Request.From<"Requires", HttpApiEndpoint.ExcludeProvided<One, R>>

type Needs<Group extends Record<string, Endpoint>, All> = {
  [Name in keyof Group & keyof All]: All[Name] extends (given: never) => Effect.Effect<unknown, unknown, infer R>
    ? NeedsOf<Group[Name], R>
    : never
}[keyof Group & keyof All]

// The library's types leave out what is behind them.
const isRegistry = (handlers: object): handlers is Registry => "group" in handlers && "handleRaw" in handlers

/**
 * Registers a handler for each endpoint of the group. A client that hangs up does not cut a write in two. Bodies are
 * left to the handlers: core checks them, with its own codes.
 */
export const serving = <
  Group extends Record<string, Endpoint>,
  All extends { readonly [Name in keyof Group]: Handler<Group[Name]> }
>(
  group: HttpApiBuilder.Handlers<never, Group>,
  handlers: All & { readonly [Name in Exclude<keyof All, keyof Group>]: never }
): Served<Group, All> => {
  const registry: object = group
  if (!isRegistry(registry)) throw new TypeError("not the handlers of a group")
  for (const [name, handler] of Object.entries<Handler<Endpoint>>(handlers)) {
    const uninterruptible = registry.group.endpoints[name]?.method !== "GET"
    registry.handleRaw(name, (given) => answered(handler(given)), { uninterruptible })
  }
  return group as Served<Group, All>
}

type Served<Group extends Record<string, Endpoint>, All> = HttpApiBuilder.Handlers<
  Needs<Group, All>,
  Group,
  keyof Group
>
