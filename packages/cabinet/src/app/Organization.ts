/** The organization that the address names, in the mode that is looked at. */
import { useQuery } from "@tanstack/react-query"
import { useParams, useSearch } from "@tanstack/react-router"
import type { Answer } from "../api/Contract.ts"
import { reading } from "./Queries.ts"
import { useSession } from "./SessionContext.ts"

/** An organization, as its members are shown it. */
export type Organization = Answer<"GET /panel/orgs/:organizationId">

/** What is looked at: the sandbox, where no money moves, or what is live. */
export type Mode = Organization["mode"]

/** What is known of it at once, and how it is called in calls; null outside of any. */
export const usePlace = () => {
  const { organizationId } = useParams({ strict: false })
  const { mode } = useSearch({ strict: false })
  const membership = useSession().memberships.find((each) => each.organizationId === organizationId)
  if (organizationId === undefined || membership === undefined) return null
  return { ...membership, mode: mode ?? membership.mode }
}

/** The same inside of its screens. */
export const useHere = () => {
  const place = usePlace()
  if (place === null) throw new Error("this screen is an organization's")
  return place
}

/** Everything of it, once it is read. */
export const useOrganization = () => {
  const { organizationId, mode } = useHere()
  return useQuery(reading("GET /panel/orgs/:organizationId", { params: { organizationId }, query: { mode } }))
}
