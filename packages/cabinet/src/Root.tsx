/** The whole page: the login, or the cabinet of a person who is logged in. */
import { lazy, StrictMode, Suspense, useSyncExternalStore } from "react"
import { onSession, readSession, sessionState } from "./api/Session.ts"
import { LoginOver } from "./login/LoginOver.tsx"
import { LoginPage } from "./login/LoginPage.tsx"
import { Away } from "./parts/Away.tsx"
import { Words } from "./parts/Words.tsx"
import type { Translation } from "./texts/Translation.ts"

// Most of the cabinet: loaded once a person is logged in.
const App = lazy(() => import("./app/App.tsx").then(({ App }) => ({ default: App })))

const Content = () => {
  const state = useSyncExternalStore(onSession, sessionState)
  switch (state.kind) {
    case "unknown":
      return null
    case "away":
      return <Away onAgain={() => void readSession()} />
    case "out":
      return <LoginPage />
    default:
      return (
        <>
          <Suspense fallback={null}>
            <App session={state.session} />
          </Suspense>
          {state.kind === "over" && <LoginOver />}
        </>
      )
  }
}

/** The page in a language. */
export const Root = ({ translation }: { readonly translation: Translation }) => (
  <StrictMode>
    <Words first={translation}>
      <Content />
    </Words>
  </StrictMode>
)
