/** The cashiers of an organization. */
import type { Answer } from "../../api/Contract.ts"

/** A cashier, as members see them. */
export type Cashier = Answer<"GET /panel/orgs/:organizationId/connections">["connections"][number]
