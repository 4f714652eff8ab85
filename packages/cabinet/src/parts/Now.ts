/** The time, for what is shown of it. */
import { useEffect, useState } from "react"
import { now, repeatedly } from "../browser/Clock.ts"

/** Now, told anew as often as `everyMs` says; null: not any more. */
export const useNow = (everyMs: number | null): number => {
  const [at, setAt] = useState(now)
  useEffect(() => {
    if (everyMs === null) return undefined
    setAt(now())
    return repeatedly(everyMs, () => setAt(now()))
  }, [everyMs])
  return at
}
