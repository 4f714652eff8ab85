/** The contract of cashiers in the cabinet. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Connection } from "./Account.ts"
import { bodyCodes, changingCodes, confirmedCodes, deskCodes, errors } from "./Errors.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ConnectionCreate, LoginCode, LoginPhone, LoginProcess, loginCodes } from "./Partner.ts"
import { ofOne, ofOrganization } from "./Requests.ts"

const all = "/orgs/:organizationId/connections"
const one = `${all}/:id` as const

const ConnectionList = Schema.Struct({ connections: Schema.Array(Connection) }).annotate({
  identifier: "PanelConnectionList"
})

const ConnectionPatch = Schema.Struct({
  disabled: Schema.optionalKey(Schema.Boolean),
  isDefault: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "PanelConnectionPatch", examples: [{ isDefault: true }] })

/** Cashiers, for members. They are the organization's, whatever the mode. */
export const connections = HttpApiGroup.make("connections")
  .add(
    HttpApiEndpoint.get("list", all, {
      ...ofOrganization,
      success: ConnectionList,
      error: errors(...deskCodes)
    }).annotateMerge(needs("connections:read", "List the cashiers that are the member's to see, oldest first")),
    HttpApiEndpoint.post("create", all, {
      ...ofOrganization,
      payload: ConnectionCreate,
      success: Connection.pipe(HttpApiSchema.status(201)),
      error: errors(...changingCodes, "invalid_name")
    }).annotateMerge(needs("connections:change", "Add a cashier, who has yet to log in")),
    HttpApiEndpoint.patch("change", one, {
      ...ofOne,
      payload: ConnectionPatch,
      success: Connection,
      error: errors(...changingCodes, "connection_not_found", "invalid_disabled", "invalid_request")
    }).annotateMerge(
      needs("connections:change", "Disable or enable a cashier, or make them the default one; one at a time")
    ),
    HttpApiEndpoint.delete("remove", one, {
      ...ofOne,
      success: HttpApiSchema.NoContent,
      error: errors(...deskCodes, "cross_site_request", "connection_not_found", "connection_has_keys")
    }).annotateMerge(needs("connections:change", "Remove a cashier, if no key is bound to them")),
    HttpApiEndpoint.post("initLogin", `${one}/login`, {
      ...ofOne,
      success: LoginProcess,
      error: errors(...confirmedCodes, ...bodyCodes, "connection_not_found", "provider_error", "no_provider")
    }).annotateMerge(needs("connections:login", "Step 1 of a cashier's login: it lives for ten minutes")),
    HttpApiEndpoint.post("sendPhone", `${one}/login/phone`, {
      ...ofOne,
      payload: LoginPhone,
      success: LoginProcess,
      error: errors(...confirmedCodes, ...bodyCodes, ...loginCodes, "invalid_phone", "cashier_number_rejected")
    }).annotateMerge(needs("connections:login", "Step 2: a code is sent to the cashier's phone")),
    HttpApiEndpoint.post("verifyOtp", `${one}/login/code`, {
      ...ofOne,
      payload: LoginCode,
      success: Connection,
      error: errors(...confirmedCodes, ...bodyCodes, ...loginCodes, "invalid_code", "too_many_attempts")
    }).annotateMerge(needs("connections:login", "Step 3: with the right code the cashier is active"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
