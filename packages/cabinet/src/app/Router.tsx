/** The addresses of the cabinet. */
import type { QueryClient } from "@tanstack/react-query"
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect
} from "@tanstack/react-router"
import { sessionState } from "../api/Session.ts"
import { cabinetPath } from "../browser/Place.ts"
import { preferences } from "../browser/Preferences.ts"
import { Waiting } from "../parts/Skeleton.tsx"
import { Broken, Missing } from "../parts/Trouble.tsx"
import { Frame } from "./Frame.tsx"
import type { Mode } from "./Organization.ts"
import { Plain, Shell } from "./Shell.tsx"

interface Context {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Shell, notFoundComponent: Missing })

const isMode = (given: unknown): given is Mode => given === "sandbox" || given === "live"

/** The organization that was looked at last, else the first that is in force, else the person's own screen. */
const beginning = () => {
  const state = sessionState()
  const memberships = state.kind === "in" || state.kind === "over" ? state.session.memberships : []
  const last = memberships.find(({ organizationId }) => organizationId === preferences().organization)
  const place = last ?? memberships.find(({ status }) => status === "active") ?? memberships[0]
  return place === undefined
    ? redirect({ to: "/profile", replace: true })
    : redirect({ to: "/$organizationId", params: { organizationId: place.organizationId }, replace: true })
}

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw beginning()
  }
})

// Where a person who registers comes from.
const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  beforeLoad: () => {
    throw beginning()
  }
})

const plain = createRoute({ getParentRoute: () => root, id: "plain", component: Plain })

const profile = createRoute({
  getParentRoute: () => plain,
  path: "/profile",
  component: lazyRouteComponent(() => import("../screens/Profile.tsx"), "Profile")
})

const organization = createRoute({
  getParentRoute: () => root,
  path: "/$organizationId",
  component: Frame,
  validateSearch: ({ mode }: Record<string, unknown>): { mode?: Mode } => (isMode(mode) ? { mode } : {})
})

const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: "/",
  component: lazyRouteComponent(() => import("../screens/Home.tsx"), "Home")
})

const keys = createRoute({
  getParentRoute: () => organization,
  path: "/keys",
  component: lazyRouteComponent(() => import("../screens/Keys.tsx"), "Keys")
})

const tree = root.addChildren([
  home,
  join,
  plain.addChildren([profile]),
  organization.addChildren([organizationHome, keys])
])

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
