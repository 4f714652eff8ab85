/** Parts of a screen that are loaded when they are first shown. */
import { type ComponentType, useEffect, useState } from "react"

type State<P> = { readonly Part: ComponentType<P> } | { readonly error: unknown }

const Nothing = () => null

/**
 * A component that is loaded once, when it is first shown; `Before` stands in its place until then. What cannot be
 * loaded is thrown to what shows errors around it, and loaded again the next time. Without `Suspense`: React shows
 * nothing new within 300 ms of a fallback, though a dialog is mostly here after 20.
 */
export const loadedPart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  Before: ComponentType<P> = Nothing
): ComponentType<P> => {
  let loaded: State<P> | null = null
  return (props) => {
    const [state, setState] = useState(loaded)
    useEffect(() => {
      if (loaded !== null) return setState(loaded)
      let isOver = false
      const become = (next: State<P>) => {
        if (!isOver) setState(next)
      }
      load().then(
        (Part) => {
          loaded = { Part }
          become(loaded)
        },
        (error: unknown) => become({ error })
      )
      return () => {
        isOver = true
      }
    }, [])
    if (state === null) return <Before {...props} />
    if ("error" in state) throw state.error
    return <state.Part {...props} />
  }
}
