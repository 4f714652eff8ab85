/** The addresses of the console of those who run the platform. */
import { createRoute, redirect } from "@tanstack/react-router"
import { consoleJournalIn } from "./JournalFilter.ts"
import { consoleScreen, platformJournalScreen } from "./OperatorScreens.ts"
import { root, textIn } from "./RootRoute.ts"

const operator = createRoute({ getParentRoute: () => root, path: "/operator", component: consoleScreen("Operator") })

const home = createRoute({
  getParentRoute: () => operator,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/operator/people", replace: true })
  }
})

const searched = ({ search }: Record<string, unknown>): { search?: string } => {
  // The router reads digits as a number.
  const text = textIn(typeof search === "number" ? String(search) : search)
  return text === undefined ? {} : { search: text }
}

const screen = <const P extends string>(path: P, name: Parameters<typeof consoleScreen>[0]) =>
  createRoute({ getParentRoute: () => operator, path, validateSearch: searched, component: consoleScreen(name) })

const people = screen("/people", "People")
const person = screen("/people/$accountId", "People")
const merchants = screen("/merchants", "Merchants")
const merchant = screen("/merchants/$merchantId", "Merchants")
const tariffs = screen("/tariffs", "Tariffs")
const earnings = screen("/earnings", "Earnings")
const earner = screen("/earnings/$accountId", "Earnings")
const look = screen("/looks", "Look")
const health = screen("/health", "Health")
const work = screen("/work", "Work")
const kind = screen("/work/$kind", "Work")
const journal = createRoute({
  getParentRoute: () => operator,
  path: "/journal",
  validateSearch: consoleJournalIn,
  component: platformJournalScreen()
})

/** All of them. */
export const operatorRoutes = operator.addChildren([
  home,
  people,
  person,
  merchants,
  merchant,
  tariffs,
  earnings,
  earner,
  look,
  health,
  work,
  kind,
  journal
])
