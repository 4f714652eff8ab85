/** Removes what has a screen of its own. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useRouter } from "@tanstack/react-router"
import { useNotify } from "../parts/Notices.tsx"
import { useForget, useGiven } from "./Places.ts"
import { readingsOf } from "./Removed.ts"
import { modeAlone } from "./Sections.tsx"

/** How something is removed that has a screen. */
interface Removing {
  readonly id: string
  readonly remove: () => Promise<unknown>
  /** What is said of it afterwards. */
  readonly notice: string
  /** The screen with all of its kind, and the beginning of the calls that read them. */
  readonly list: "/$organizationId/webhooks" | "/$organizationId/links" | "/$organizationId/forms"
  readonly calls: string
}

/**
 * The removal. What is being read at that moment is given up: its answer could be that it is not there. Those who are
 * still at the screen afterwards are led to the list.
 */
export const useRemoval = ({ id, remove, notice, list, calls }: Removing) => {
  const queries = useQueryClient()
  const { params } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const navigate = useNavigate()
  const router = useRouter()
  const placeNow = () => router.state.location.pathname
  return useMutation({
    meta: { removes: id },
    mutationFn: remove,
    onMutate: async () => {
      await queries.cancelQueries(readingsOf(id))
      return placeNow()
    },
    onSuccess: async (_answer, _given, place) => {
      notify({ title: notice })
      if (placeNow() === place) await navigate({ to: list, params, search: modeAlone })
      await forget(calls)
    }
  })
}
