/** The contract of `/form-hooks`: requests, answers, errors and scopes of each endpoint. */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import * as Wire from "./FormHook.ts"
import { kindOf, resource } from "./Resource.ts"

/** What form hooks are to the contract. */
export const hookKind = kindOf({
  body: {
    one: Wire.FormHook,
    made: Wire.FormHook,
    all: Wire.FormHookList,
    create: Wire.FormHookCreate,
    patch: Wire.FormHookPatch
  },
  codes: {
    find: ["forbidden", "hook_not_found"],
    field: ["invalid_name", "invalid_url", "invalid_status", "invalid_allowed_origins", "invalid_honeypot"],
    create: ["too_many_hooks"],
    patch: []
  },
  scopes: { reading: ["invoices:read", "invoices:write"], writing: ["invoices:write"] },
  summaries: {
    list: "List the form hooks of the key's organization and mode",
    create: "Add a form hook; its invoices are new until their page is opened",
    get: "Read a form hook",
    patch: "Change, pause or resume a form hook; absent members stay",
    remove: "Remove a form hook; its invoices stay payable"
  }
})

/** Form hooks. */
export const formHooks = HttpApiGroup.make("formHooks")
  .annotate(OpenApi.Description, "Addresses that HTML forms post to, to have an invoice made.")
  .add(...resource("/form-hooks", hookKind))
