/** Who may see what, decided in one place: `isWithin` for lists, and this for what was found by its id. Pure. */
import { Result } from "effect"
import { isWithin, type Viewer } from "../value/Tenant.ts"
import { Forbidden } from "./Refusals.ts"

/**
 * What was found, if the viewer may see it. What is of another organization is `Forbidden`; what is of the other mode,
 * or of another cashier than the viewer's, is refused as if it were not there.
 */
export const visibleTo = <Thing extends Viewer, E>(
  viewer: Viewer,
  found: Thing | undefined,
  missing: () => E
): Result.Result<Thing, Forbidden | E> => {
  if (found === undefined) return Result.fail(missing())
  if (found.organizationId !== viewer.organizationId) return Result.fail(new Forbidden())
  return isWithin(viewer, found) ? Result.succeed(found) : Result.fail(missing())
}
