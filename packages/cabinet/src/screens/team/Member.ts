/** The members of an organization. */
import type { Answer } from "../../api/Contract.ts"

/** A member, as others of the team see them. */
export type Member = Answer<"GET /panel/orgs/:organizationId/members">["members"][number]
