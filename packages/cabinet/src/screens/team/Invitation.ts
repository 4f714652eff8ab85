/** The invitations of an organization. */
import type { Answer } from "../../api/Contract.ts"

/** The call that reads them. */
export const invitations = "GET /panel/orgs/:organizationId/invitations"

/** An invitation, as those see it who see the members. */
export type Invitation = Answer<typeof invitations>["invitations"][number]
