/** The route that all others are in. */
import type { QueryClient } from "@tanstack/react-query"
import { createRootRouteWithContext } from "@tanstack/react-router"
import { Missing } from "../parts/Trouble.tsx"
import type { Freshness } from "./Changes.ts"
import { Shell } from "./Shell.tsx"

interface Context {
  readonly queries: QueryClient
  readonly freshness: Freshness
}

/** The route. */
export const root = createRootRouteWithContext<Context>()({ component: Shell, notFoundComponent: Missing })

/** A text of an address. */
export const textIn = (given: unknown): string | undefined =>
  typeof given === "string" && given !== "" ? given : undefined
