/** What shares are counted by: an organization in one mode. What one makes happen never delays another for long. */
import type { Mode } from "./Mode.ts"

/** Whom something belongs to. */
export interface Tenant {
  readonly organizationId: string
  readonly mode: Mode
}

/** The tenant as a key. */
export const tenantKey = ({ organizationId, mode }: Tenant): string => `${mode} ${organizationId}`
