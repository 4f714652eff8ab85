/**
 * The cabinet of a person who is logged in: what it asks the server, where its screens are, and what surrounds
 * them.
 */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import type { Session } from "../api/Session.ts"
import { Notices } from "../parts/Notices.tsx"
import { WorkWords } from "../parts/Words.tsx"
import { queriesOf } from "./Queries.ts"
import { routerOf } from "./Router.tsx"
import { SessionContext } from "./SessionContext.ts"
import { StepUp } from "./StepUp.tsx"

/** What a person is shown, ready to be shown. */
export interface Opened {
  readonly queries: QueryClient
  readonly router: ReturnType<typeof routerOf>
}

/** Opens the screen that the address names, for a person who is logged in: nothing of it has to be waited for then. */
export const open = async (): Promise<Opened> => {
  const queries = queriesOf()
  const router = routerOf(queries)
  await router.load()
  return { queries, router }
}

/** The cabinet. */
export const App = ({ session, opened }: { readonly session: Session; readonly opened: Opened }) => {
  const { queries, router } = opened
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <WorkWords>
          <Notices>
            <RouterProvider router={router} />
            <StepUp />
          </Notices>
        </WorkWords>
      </QueryClientProvider>
    </SessionContext>
  )
}
