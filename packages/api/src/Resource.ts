/** The five endpoints that payment links, form hooks and webhook endpoints have alike. */
import type { Code } from "@tolem/core/error/ErrorCatalog"
import type { KeyScope } from "@tolem/core/merchant/Merchant"
import type { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { accessCodes, bodyCodes, errors } from "./Errors.ts"
import { IdParam } from "./Requests.ts"
import { does } from "./Security.ts"

/** What one kind of thing has of its own. */
export interface ResourceContract<One, Made, All, Create, Patch, Find, Field, New, Change> {
  readonly body: {
    readonly one: One
    /** What a create answers. */
    readonly made: Made
    readonly all: All
    readonly create: Create
    readonly patch: Patch
  }
  /** Why one is not found, why a member of a body is refused, and why a create or a patch is refused besides. */
  readonly codes: {
    readonly find: ReadonlyArray<Find>
    readonly field: ReadonlyArray<Field>
    readonly create: ReadonlyArray<New>
    readonly patch: ReadonlyArray<Change>
  }
  readonly scopes: { readonly reading: ReadonlyArray<KeyScope>; readonly writing: ReadonlyArray<KeyScope> }
  readonly summaries: { readonly [Verb in "list" | "create" | "get" | "patch" | "remove"]: string }
}

/** A kind of thing as it is declared, for keys and for the cabinet alike. */
export const kindOf = <
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
  contract: ResourceContract<One, Made, All, Create, Patch, Find, Field, New, Change>
) => contract

/** The endpoints `list`, `create`, `get`, `patch` and `remove` of the things at `path`. */
export const resource = <
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
  { body, codes, scopes, summaries }: ResourceContract<One, Made, All, Create, Patch, Find, Field, New, Change>
) => {
  const onePath = `${path}/:id` as const
  return [
    HttpApiEndpoint.get("list", path, { success: body.all, error: errors(...accessCodes) }).annotateMerge(
      does(summaries.list, ...scopes.reading)
    ),
    HttpApiEndpoint.post("create", path, {
      payload: body.create,
      success: body.made.pipe(HttpApiSchema.status(201)),
      error: errors(...accessCodes, ...bodyCodes, ...codes.field, ...codes.create)
    }).annotateMerge(does(summaries.create, ...scopes.writing)),
    HttpApiEndpoint.get("get", onePath, {
      params: IdParam,
      success: body.one,
      error: errors(...accessCodes, ...codes.find)
    }).annotateMerge(does(summaries.get, ...scopes.reading)),
    HttpApiEndpoint.patch("patch", onePath, {
      params: IdParam,
      payload: body.patch,
      success: body.one,
      error: errors(...accessCodes, ...bodyCodes, ...codes.find, ...codes.field, ...codes.patch)
    }).annotateMerge(does(summaries.patch, ...scopes.writing)),
    HttpApiEndpoint.delete("remove", onePath, {
      params: IdParam,
      success: HttpApiSchema.NoContent,
      error: errors(...accessCodes, ...codes.find)
    }).annotateMerge(does(summaries.remove, ...scopes.writing))
  ] as const
}
