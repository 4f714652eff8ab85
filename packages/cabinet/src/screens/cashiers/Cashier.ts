/** The cashiers of an organization. */
import { useQuery } from "@tanstack/react-query"
import type { Answer } from "../../api/Contract.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"

/** A cashier, as members are shown them. */
export type Cashier = Answer<"GET /panel/orgs/:organizationId/connections">["connections"][number]

const none: ReadonlyArray<Cashier> = []

/** Those that are the person's to see, for screens that do without them too; none until they are read. */
export const useCashiers = (): ReadonlyArray<Cashier> => {
  const may = useMay()
  const given = useGiven()
  const isAllowed = may("connections:read") !== null
  const { data } = useQuery({
    ...reading("GET /panel/orgs/:organizationId/connections", given),
    enabled: isAllowed
  })
  return data?.connections ?? none
}
