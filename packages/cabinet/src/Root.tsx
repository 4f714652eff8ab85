/** The whole page: the login, or the cabinet of a person who is logged in. */
import { StrictMode, useEffect, useState, useSyncExternalStore } from "react"
import { onSession, readSession, type Session, sessionState } from "./api/Session.ts"
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

const load = async () => {
  const words = workTexts(languageNow())
  const { App, open } = await application()
  const [opened] = await Promise.all([open(), words])
  return { App, opened }
}

type Loaded = Awaited<ReturnType<typeof load>>

/**
 * Most of the cabinet with its words: loaded once a person is logged in. Without `Suspense`: React shows nothing new
 * within 300 ms of a fallback, though all of this is here after 50.
 */
const Cabinet = ({ session }: { readonly session: Session }) => {
  const [loaded, setLoaded] = useState<Loaded | { readonly error: unknown } | null>(null)
  useEffect(() => {
    let isOver = false
    const become = (next: typeof loaded) => {
      if (!isOver) setLoaded(next)
    }
    load().then(become, (error: unknown) => become({ error }))
    return () => {
      isOver = true
    }
  }, [])
  if (loaded === null) return null
  if ("error" in loaded) throw loaded.error
  return <loaded.App session={session} opened={loaded.opened} />
}

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
          <Cabinet session={state.session} />
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
