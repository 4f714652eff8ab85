/** The five endpoints of the contract that things of one kind have in the cabinet too, for the members who may. */
import type { Code } from "@tolem/core/error/ErrorCatalog"
import type { Permission } from "@tolem/core/merchant/Permission"
import type { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import { needs } from "./PanelSecurity.ts"
import { ofOne, ofOrganization } from "./Requests.ts"
import type { ResourceContract } from "./Resource.ts"

/** Who may read them, and who may change them. */
export interface Permissions {
  readonly reading: Permission
  readonly writing: Permission
}

/** The endpoints `list`, `create`, `get`, `patch` and `remove` of an organization's things at `path`. */
export const deskResource = <
  const Path extends `/${string}`,
  One extends Schema.Top,
  Made extends Schema.Top,
  All extends Schema.Top,
  Create extends Schema.Top,
  Patch extends Schema.Top,
  const Find extends Code,
  const Field extends Code,
  const New extends Code,
  const Change extends Code = never
>(
  path: Path,
  { body, codes, summaries }: ResourceContract<One, Made, All, Create, Patch, Find, Field, New, Change>,
  { reading, writing }: Permissions
) => {
  const all = `/orgs/:organizationId${path}` as const
  const one = `${all}/:id` as const
  return [
    HttpApiEndpoint.get("list", all, {
      ...ofOrganization,
      success: body.all,
      error: errors(...deskCodes)
    }).annotateMerge(needs(reading, summaries.list)),
    HttpApiEndpoint.post("create", all, {
      ...ofOrganization,
      payload: body.create,
      success: body.made.pipe(HttpApiSchema.status(201)),
      error: errors(...changingCodes, ...codes.field, ...codes.create)
    }).annotateMerge(needs(writing, summaries.create)),
    HttpApiEndpoint.get("get", one, {
      ...ofOne,
      success: body.one,
      error: errors(...deskCodes, ...codes.find)
    }).annotateMerge(needs(reading, summaries.get)),
    HttpApiEndpoint.patch("patch", one, {
      ...ofOne,
      payload: body.patch,
      success: body.one,
      error: errors(...changingCodes, ...codes.find, ...codes.field, ...codes.patch)
    }).annotateMerge(needs(writing, summaries.patch)),
    HttpApiEndpoint.delete("remove", one, {
      ...ofOne,
      success: HttpApiSchema.NoContent,
      error: errors(...deskCodes, "cross_site_request", ...codes.find)
    }).annotateMerge(needs(writing, summaries.remove))
  ] as const
}
