/** What the person may do in the organization that is looked at, so that they are shown nothing else. */
import { type Organization, useHere, useOrganization } from "./Organization.ts"

/** Something that may be allowed. */
export type Permission = keyof Organization["permissions"]

/** How far it may go; see the table of permissions. */
export type Reach = NonNullable<Organization["permissions"][Permission]>

/** How far the person may go with a permission in the mode that is looked at; null: not at all, or not known yet. */
export const useMay = (): ((permission: Permission) => Reach | null) => {
  const { mode } = useHere()
  const { data } = useOrganization()
  return (permission) => {
    const reach = data?.permissions[permission] ?? null
    return reach === "sandbox" && mode !== "sandbox" ? null : reach
  }
}
