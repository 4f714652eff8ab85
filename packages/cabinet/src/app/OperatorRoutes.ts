/** The addresses of the console of those who run the platform. */
import { createRoute, redirect } from "@tanstack/react-router"
import { consoleFrame, lookScreen, merchantsScreen, peopleScreen } from "./OperatorScreens.ts"
import { root, textIn } from "./RootRoute.ts"

const operator = createRoute({ getParentRoute: () => root, path: "/operator", component: consoleFrame() })

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

const people = createRoute({
  getParentRoute: () => operator,
  path: "/people",
  validateSearch: searched,
  component: peopleScreen()
})

const person = createRoute({ getParentRoute: () => operator, path: "/people/$accountId", component: peopleScreen() })

const merchants = createRoute({
  getParentRoute: () => operator,
  path: "/merchants",
  validateSearch: searched,
  component: merchantsScreen()
})

const merchant = createRoute({
  getParentRoute: () => operator,
  path: "/merchants/$merchantId",
  component: merchantsScreen()
})

const look = createRoute({ getParentRoute: () => operator, path: "/looks", component: lookScreen() })

/** All of them. */
export const operatorRoutes = operator.addChildren([home, people, person, merchants, merchant, look])
