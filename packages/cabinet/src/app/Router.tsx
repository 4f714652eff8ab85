/** The addresses of the cabinet. */
import type { QueryClient } from "@tanstack/react-query"
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect
} from "@tanstack/react-router"
import { cabinetPath } from "../browser/Place.ts"
import { Waiting } from "../parts/Skeleton.tsx"
import { Broken, Missing } from "../parts/Trouble.tsx"
import { Shell } from "./Shell.tsx"

interface Context {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Shell, notFoundComponent: Missing })

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/profile", replace: true })
  }
})

// Where a person who registers comes from.
const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  beforeLoad: () => {
    throw redirect({ to: "/", replace: true })
  }
})

const profile = createRoute({
  getParentRoute: () => root,
  path: "/profile",
  component: lazyRouteComponent(() => import("../screens/Profile.tsx"), "Profile")
})

const tree = root.addChildren([home, join, profile])

/** The router of a page. */
export const routerOf = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: cabinetPath,
    context: { queries },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Waiting,
    defaultErrorComponent: Broken,
    scrollRestoration: true
  })

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof routerOf>
  }
}
