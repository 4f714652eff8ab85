/** The contract of `/form-hooks`: requests, answers, errors and scopes of each endpoint. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { accessCodes, bodyCodes, errors } from "./Errors.ts"
import * as Wire from "./FormHook.ts"
import * as Requests from "./Requests.ts"
import { requires } from "./Security.ts"

const reading = requires("invoices:read", "invoices:write")
const writing = requires("invoices:write")

const findCodes = ["forbidden", "hook_not_found"] as const

const fieldCodes = ["invalid_name", "invalid_url", "invalid_status"] as const

/** Form hooks. */
export const formHooks = HttpApiGroup.make("formHooks").add(
  HttpApiEndpoint.get("list", "/form-hooks", {
    success: Wire.FormHookList,
    error: errors(...accessCodes)
  })
    .annotateMerge(reading)
    .annotate(OpenApi.Summary, "List the form hooks of the key's organization and mode"),
  HttpApiEndpoint.post("create", "/form-hooks", {
    payload: Wire.FormHookCreate,
    success: Wire.FormHook.pipe(HttpApiSchema.status(201)),
    error: errors(...accessCodes, ...bodyCodes, ...fieldCodes, "too_many_hooks")
  })
    .annotateMerge(writing)
    .annotate(OpenApi.Summary, "Add a form hook; its invoices are new until their page is opened"),
  HttpApiEndpoint.get("get", "/form-hooks/:id", {
    params: Requests.IdParam,
    success: Wire.FormHook,
    error: errors(...accessCodes, ...findCodes)
  })
    .annotateMerge(reading)
    .annotate(OpenApi.Summary, "Read a form hook"),
  HttpApiEndpoint.patch("patch", "/form-hooks/:id", {
    params: Requests.IdParam,
    payload: Wire.FormHookPatch,
    success: Wire.FormHook,
    error: errors(...accessCodes, ...bodyCodes, ...findCodes, ...fieldCodes)
  })
    .annotateMerge(writing)
    .annotate(OpenApi.Summary, "Change, pause or resume a form hook; absent members stay"),
  HttpApiEndpoint.delete("remove", "/form-hooks/:id", {
    params: Requests.IdParam,
    success: HttpApiSchema.NoContent,
    error: errors(...accessCodes, ...findCodes)
  })
    .annotateMerge(writing)
    .annotate(OpenApi.Summary, "Remove a form hook; its invoices stay payable")
)
