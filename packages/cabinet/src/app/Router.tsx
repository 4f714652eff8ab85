/** The addresses of the cabinet. */
import type { QueryClient } from "@tanstack/react-query"
import { createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { membershipsNow } from "../api/Session.ts"
import { cabinetPath } from "../browser/Place.ts"
import { preferences } from "../browser/Preferences.ts"
import { Waiting } from "../parts/Skeleton.tsx"
import { Broken } from "../parts/Trouble.tsx"
import { freshnessOf } from "./Changes.ts"
import { Frame } from "./Frame.tsx"
import { filterIn } from "./InvoiceFilter.ts"
import { journalIn } from "./JournalFilter.ts"
import { billsScreen, reconciliationScreen, refundsScreen, reportsScreen } from "./MoneyScreens.ts"
import { clientsScreen, journalScreen } from "./OfficeScreens.ts"
import { operatorRoutes } from "./OperatorRoutes.ts"
import type { Mode } from "./Organization.ts"
import { notificationsScreen } from "./OwnScreens.ts"
import { refundsIn } from "./RefundFilter.ts"
import { statementIn } from "./ReportPeriod.ts"
import { root, textIn } from "./RootRoute.ts"
import { bulkScreen, formsScreen, linksScreen } from "./SellingScreens.ts"
import { Plain } from "./Shell.tsx"
import { subscriptionsIn } from "./SubscriptionFilter.ts"
import { subscriptionsScreen } from "./SubscriptionScreens.ts"
import { developersScreen, invoiceScreen, webhookScreen, webhooksScreen } from "./WebhookScreens.ts"

const isMode = (given: unknown): given is Mode => given === "sandbox" || given === "live"

/** The organization that was looked at last, else the first that is in force. */
const placeToBegin = () => {
  const memberships = membershipsNow()
  const last = memberships.find(({ organizationId }) => organizationId === preferences().organization)
  return last ?? memberships.find(({ status }) => status === "active") ?? memberships[0]
}

/** There, or to the opening of one's first. */
const beginning = (to: "/$organizationId" | "/$organizationId/charge" = "/$organizationId", ref?: string) => {
  const place = placeToBegin()
  return place === undefined
    ? redirect({ to: "/welcome", replace: true, search: ref === undefined ? {} : { ref } })
    : redirect({ to, params: { organizationId: place.organizationId }, replace: true })
}

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw beginning()
  }
})

/** The code of a friend, as an address has it. */
const invited = ({ ref }: Record<string, unknown>): { ref?: string } => {
  // The router reads digits as a number.
  const code = textIn(typeof ref === "number" ? String(ref) : ref)
  return code === undefined ? {} : { ref: code }
}

// Where a person who registers comes from.
const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  validateSearch: invited,
  beforeLoad: ({ search: { ref } }) => {
    throw beginning(undefined, ref)
  }
})

// What an installed application opens its till with.
const till = createRoute({
  getParentRoute: () => root,
  path: "/charge",
  beforeLoad: () => {
    throw beginning("/$organizationId/charge")
  }
})

const plain = createRoute({ getParentRoute: () => root, id: "plain", component: Plain })

const profile = createRoute({
  getParentRoute: () => plain,
  path: "/profile",
  component: lazyRouteComponent(() => import("../screens/Profile.tsx"), "Profile")
})

const welcome = createRoute({
  getParentRoute: () => plain,
  path: "/welcome",
  validateSearch: invited,
  component: lazyRouteComponent(() => import("../screens/Welcome.tsx"), "Welcome")
})

const organization = createRoute({
  getParentRoute: () => root,
  path: "/$organizationId",
  component: Frame,
  // Before anything is read of it: what is read afterwards is told of, and need not be read again.
  beforeLoad: ({ params: { organizationId }, search: { mode }, context: { freshness }, cause }) => {
    const membership = membershipsNow().find((each) => each.organizationId === organizationId)
    if (membership === undefined || membership.status === "archived" || cause === "preload") return
    freshness.follow({ organizationId, mode: mode ?? membership.mode })
  },
  validateSearch: ({ mode }: Record<string, unknown>): { mode?: Mode } => (isMode(mode) ? { mode } : {})
})

const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: "/",
  validateSearch: ({ days }: Record<string, unknown>): { days?: number } =>
    days === 1 || days === 7 || days === 30 ? { days } : {},
  component: lazyRouteComponent(() => import("../screens/Home.tsx"), "Home")
})

const keys = createRoute({
  getParentRoute: () => organization,
  path: "/keys",
  component: lazyRouteComponent(() => import("../screens/Keys.tsx"), "Keys")
})

const charge = createRoute({
  getParentRoute: () => organization,
  path: "/charge",
  validateSearch: ({ invoice, earlier }: Record<string, unknown>): { invoice?: string; earlier?: string } => {
    const [id, before] = [textIn(invoice), textIn(earlier)]
    return { ...(id !== undefined && { invoice: id }), ...(before !== undefined && { earlier: before }) }
  },
  component: lazyRouteComponent(() => import("../screens/Charge.tsx"), "Charge")
})

const invoices = createRoute({
  getParentRoute: () => organization,
  path: "/invoices",
  validateSearch: filterIn,
  component: lazyRouteComponent(() => import("../screens/Invoices.tsx"), "Invoices")
})

const invoice = createRoute({
  getParentRoute: () => organization,
  path: "/invoices/$invoiceId",
  component: invoiceScreen()
})

const cashiers = createRoute({
  getParentRoute: () => organization,
  path: "/cashiers",
  component: lazyRouteComponent(() => import("../screens/Cashiers.tsx"), "Cashiers")
})

const team = createRoute({
  getParentRoute: () => organization,
  path: "/team",
  component: lazyRouteComponent(() => import("../screens/Team.tsx"), "Team")
})

const settings = createRoute({
  getParentRoute: () => organization,
  path: "/settings",
  component: lazyRouteComponent(() => import("../screens/Settings.tsx"), "Settings")
})

const webhooks = createRoute({ getParentRoute: () => organization, path: "/webhooks", component: webhooksScreen() })

const webhook = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks/$endpointId",
  validateSearch: ({ status }: Record<string, unknown>): { status?: string } =>
    status === "pending" || status === "delivered" || status === "failed" ? { status } : {},
  component: webhookScreen()
})

const developers = createRoute({
  getParentRoute: () => organization,
  path: "/developers",
  component: developersScreen()
})

const bulk = createRoute({ getParentRoute: () => organization, path: "/bulk", component: bulkScreen() })

const reports = createRoute({
  getParentRoute: () => organization,
  path: "/reports",
  validateSearch: statementIn,
  component: reportsScreen()
})

const reconciliation = createRoute({
  getParentRoute: () => organization,
  path: "/reconciliation",
  component: reconciliationScreen()
})

const refunds = createRoute({
  getParentRoute: () => organization,
  path: "/refunds",
  validateSearch: refundsIn,
  component: refundsScreen()
})

const tariff = createRoute({ getParentRoute: () => organization, path: "/tariff", component: billsScreen() })

const journal = createRoute({
  getParentRoute: () => organization,
  path: "/journal",
  validateSearch: journalIn,
  component: journalScreen()
})

const clients = createRoute({ getParentRoute: () => organization, path: "/clients", component: clientsScreen() })

const client = createRoute({
  getParentRoute: () => organization,
  path: "/clients/$clientId",
  component: clientsScreen()
})

const links = createRoute({ getParentRoute: () => organization, path: "/links", component: linksScreen() })
const link = createRoute({ getParentRoute: () => organization, path: "/links/$linkId", component: linksScreen() })
const forms = createRoute({ getParentRoute: () => organization, path: "/forms", component: formsScreen() })
const form = createRoute({ getParentRoute: () => organization, path: "/forms/$hookId", component: formsScreen() })

const subscriptions = createRoute({
  getParentRoute: () => organization,
  path: "/subscriptions",
  validateSearch: subscriptionsIn,
  component: subscriptionsScreen()
})

const subscription = createRoute({
  getParentRoute: () => organization,
  path: "/subscriptions/$subscriptionId",
  component: subscriptionsScreen()
})

const notifications = createRoute({
  getParentRoute: () => organization,
  path: "/notifications",
  component: notificationsScreen()
})

const more = createRoute({
  getParentRoute: () => organization,
  path: "/more",
  component: lazyRouteComponent(() => import("../screens/More.tsx"), "More")
})

const tree = root.addChildren([
  home,
  join,
  till,
  plain.addChildren([profile, welcome]),
  operatorRoutes,
  organization.addChildren([
    organizationHome,
    charge,
    invoices,
    invoice,
    bulk,
    reports,
    refunds,
    cashiers,
    team,
    keys,
    webhooks,
    webhook,
    developers,
    reconciliation,
    tariff,
    journal,
    clients,
    client,
    links,
    link,
    forms,
    form,
    subscriptions,
    subscription,
    settings,
    notifications,
    more
  ])
])

/** The router of a page. */
export const routerOf = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: cabinetPath,
    context: { queries, freshness: freshnessOf(queries) },
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
