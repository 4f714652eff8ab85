/**
 * `HttpApiBuilder.group` whose requests carry little. The library merges all services that a group was built with into
 * the context of each of its requests: of the hundred of this server a copy of each map, for handlers that hold what
 * they need already. Here a request is given the group's middleware alone, and has the services of the server as it is.
 */
import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

type Build = (handlers: never) => Effect.Effect<unknown, unknown, unknown>

interface Group {
  readonly endpoints: Readonly<Record<string, { readonly middlewares: Iterable<{ readonly key: string }> }>>
}

type Grouping = (
  api: { readonly groups: Readonly<Record<string, Group>> },
  identifier: string,
  build: Build
) => Layer.Layer<never>

// Its types say what the handlers need and answer, and stay what they are.
const whole: unknown = HttpApiBuilder.group
const grouping = whole as Grouping

const lean: Grouping = (api, identifier, build) =>
  Layer.effectContext(
    Effect.contextWith((services: Context.Context<never>) => {
      const layer = grouping(api, identifier, (handlers) => Effect.provideContext(build(handlers), services))
      const kept = new Set<string>([Layer.CurrentMemoMap.key])
      for (const endpoint of Object.values(api.groups[identifier]?.endpoints ?? {}))
        for (const { key } of endpoint.middlewares) kept.add(key)
      const few = new Map([...services.mapUnsafe].filter(([key]) => kept.has(key)))
      return Effect.flatMap(Effect.scope, (scope) =>
        Effect.updateContext(Layer.buildWithScope(layer, scope), () => Context.makeUnsafe<never>(few))
      )
    })
  )

const typed: unknown = lean

/** See `HttpApiBuilder.group`. */
export const apiGroup = typed as typeof HttpApiBuilder.group
