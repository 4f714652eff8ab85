/** Differences, as the server tells of them. */
import type { Answer } from "../../api/Contract.ts"

/** A difference. */
export type Difference = Answer<"GET /panel/orgs/:organizationId/reconciliation/differences">["differences"][number]
