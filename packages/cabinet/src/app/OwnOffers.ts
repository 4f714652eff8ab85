/** What the person is asked to become, as it is read. */
import { useQuery } from "@tanstack/react-query"
import type { Answer } from "../api/Contract.ts"
import { reading } from "./Queries.ts"

/** An organization that has invited the person's phone, and as what. */
export type Offer = Answer<"GET /panel/invitations">["invitations"][number]

/** The reading of those that wait for an answer. */
export const offers = reading("GET /panel/invitations", {})

/** How often they are looked at again where a person may wait for one. */
const everyMs = 20_000

/** Those that wait for an answer. `isAwaited`: it looks again by itself. */
export const useOffers = (isAwaited = false): ReadonlyArray<Offer> => {
  const { data } = useQuery({ ...offers, refetchInterval: isAwaited ? everyMs : false })
  return data?.invitations ?? []
}
