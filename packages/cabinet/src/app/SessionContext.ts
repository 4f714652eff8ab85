/** Who is logged in, for what is inside of the cabinet. */
import { createContext, use } from "react"
import type { Session } from "../api/Session.ts"

/** Given by the cabinet itself. */
export const SessionContext = createContext<Session | null>(null)

/** The person's session. */
export const useSession = (): Session => {
  const session = use(SessionContext)
  if (session === null) throw new Error("no one is logged in here")
  return session
}
