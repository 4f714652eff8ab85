/**
 * The cabinet of a person who is logged in: what it asks the server, where its screens are, and what surrounds
 * them.
 */
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { useState } from "react"
import type { Session } from "../api/Session.ts"
import { Notices } from "../parts/Notices.tsx"
import { WorkWords } from "../parts/Words.tsx"
import { queriesOf } from "./Queries.ts"
import { routerOf } from "./Router.tsx"
import { SessionContext } from "./SessionContext.ts"
import { StepUp } from "./StepUp.tsx"

/** The cabinet. */
export const App = ({ session }: { readonly session: Session }) => {
  const [queries] = useState(queriesOf)
  const [router] = useState(() => routerOf(queries))
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
