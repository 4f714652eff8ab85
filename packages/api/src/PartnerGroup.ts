/** The contract of `/partner`: requests, answers and errors of each endpoint. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Connection } from "./Account.ts"
import { accessCodes, bodyCodes, errors } from "./Errors.ts"
import * as Wire from "./Partner.ts"
import * as Requests from "./Requests.ts"
import { requires } from "./Security.ts"

const base = "/partner/organizations"
const partnerCodes = [...accessCodes, "partner_required"] as const
const clientCodes = [...partnerCodes, "forbidden"] as const
const ConnectionParams = { id: Schema.String, connectionId: Schema.String }
const login = `${base}/:id/connections/:connectionId/provider` as const

/** What partners do for the organizations that they have opened. */
export const partner = HttpApiGroup.make("partner")
  .annotate(OpenApi.Description, "For partners, who open organizations for their clients.")
  .add(
    HttpApiEndpoint.post("open", base, {
      headers: Requests.IdempotencyHeader,
      payload: Wire.PartnerOrganizationCreate,
      success: [Wire.PartnerOrganizationOpened.pipe(HttpApiSchema.status(201)), Wire.PartnerOrganizationReplay],
      error: errors(
        ...partnerCodes,
        ...bodyCodes,
        "invalid_name",
        "invalid_phone",
        "invalid_idn",
        "invalid_idempotency_key"
      )
    })
      .annotate(OpenApi.Summary, "Open a client: an organization in the sandbox, with a trial of 7 days")
      .annotate(
        OpenApi.Description,
        "The owner's account is made if their phone is new; the partner's owner becomes a developer of the client. " +
          "`apiKey` is the client's first sandbox key, shown this once: 200 answers the client that the same " +
          "idempotency key has opened before, without it."
      ),
    HttpApiEndpoint.get("list", base, {
      query: Requests.PageQuery,
      success: Wire.PartnerClientPage,
      error: errors(...partnerCodes, "invalid_limit", "invalid_offset")
    }).annotate(OpenApi.Summary, "List the clients, newest first, with statistics and working cashiers"),
    HttpApiEndpoint.get("get", `${base}/:id`, {
      params: Requests.IdParam,
      success: Wire.PartnerClient,
      error: errors(...clientCodes)
    }).annotate(OpenApi.Summary, "Read a client with statistics and all its cashiers"),
    HttpApiEndpoint.post("switchMode", `${base}/:id/mode`, {
      params: Requests.IdParam,
      payload: Wire.ModeSwitch,
      success: Wire.PartnerOrganization,
      error: errors(...clientCodes, ...bodyCodes, "invalid_mode", "no_provider")
    }).annotate(OpenApi.Summary, "Switch the client's mode; live needs a cashier who works"),
    HttpApiEndpoint.post("createKey", `${base}/:id/api-keys`, {
      params: Requests.IdParam,
      payload: Wire.PartnerKeyCreate,
      success: Wire.PartnerKey.pipe(HttpApiSchema.status(201)),
      error: errors(...clientCodes, ...bodyCodes, "invalid_name", "invalid_scopes", "too_many_keys")
    }).annotate(OpenApi.Summary, "Make a key of the client's mode; its text is shown this once"),
    HttpApiEndpoint.post("createConnection", `${base}/:id/connections`, {
      params: Requests.IdParam,
      payload: [Wire.ConnectionCreate, HttpApiSchema.NoContent],
      success: Connection.pipe(HttpApiSchema.status(201)),
      error: errors(...clientCodes, ...bodyCodes, "invalid_name")
    }).annotate(OpenApi.Summary, "Add a cashier, who has yet to log in"),
    HttpApiEndpoint.post("initLogin", `${login}/init`, {
      params: ConnectionParams,
      success: Wire.LoginProcess,
      error: errors(...clientCodes, ...bodyCodes, "connection_not_found", "provider_error", "no_provider")
    }).annotate(OpenApi.Summary, "Step 1 of a cashier's login"),
    HttpApiEndpoint.post("sendPhone", `${login}/send-phone`, {
      params: ConnectionParams,
      payload: Wire.LoginPhone,
      success: Wire.LoginProcess,
      error: errors(...clientCodes, ...bodyCodes, ...Wire.loginCodes, "invalid_phone", "cashier_number_rejected")
    }).annotate(OpenApi.Summary, "Step 2: a code is sent to the cashier's phone"),
    HttpApiEndpoint.post("verifyOtp", `${login}/verify-otp`, {
      params: ConnectionParams,
      payload: Wire.LoginCode,
      success: Connection,
      error: errors(...clientCodes, ...bodyCodes, ...Wire.loginCodes, "invalid_code", "too_many_attempts")
    }).annotate(OpenApi.Summary, "Step 3: with the right code the cashier is active"),
    HttpApiEndpoint.get("earnings", "/partner/earnings", {
      success: Wire.Earnings,
      error: errors(...partnerCodes)
    }).annotate(OpenApi.Summary, "Read the referral code, and what was earned by those who came with it")
  )
  .annotateEndpointsMerge(requires("partner:manage"))
