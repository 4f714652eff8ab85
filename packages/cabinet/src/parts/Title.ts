/** The title of the page in the browser. */
import { useEffect } from "react"

/** Names the page after its screen for as long as that is shown. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Tölem`
  }, [title])
}
