/** The whole page: the login, or the cabinet of a person who is logged in. */
import { lazy, StrictMode, Suspense, useSyncExternalStore } from "react"
import { onSession, readSession, sessionState } from "./api/Session.ts"
import { LoginOver } from "./login/LoginOver.tsx"
import { LoginPage } from "./login/LoginPage.tsx"
import { Away } from "./parts/Away.tsx"
import { Words } from "./parts/Words.tsx"
import { languageNow, type Translation } from "./texts/Translation.ts"
import { workTexts } from "./texts/Work.ts"

const application = () => import("./app/App.tsx")

/** Begins to load what a person who is logged in needs, for one who most likely is: the server is asked meanwhile. */
export const loadAhead = (): void => {
  // What fails now is loaded again, and told of, when it is needed.
  application().catch(() => undefined)
}

// Most of the cabinet with its words: loaded once a person is logged in.
const App = lazy(async () => {
  const words = workTexts(languageNow())
  const { App: loaded } = await application()
  await words
  return { default: loaded }
})

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
