/** The contract of a partner's clients in the cabinet: the partner API, for members. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Connection } from "./Account.ts"
import { bodyCodes, confirmedCodes, deskCodes, errors } from "./Errors.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import * as Wire from "./Partner.ts"
import { IdempotencyHeader, ofOne, ofOrganization, PageQuery } from "./Requests.ts"

const all = "/orgs/:organizationId/clients"
const one = `${all}/:id` as const
const login = `${one}/connections/:connectionId/login` as const

const codes = [...deskCodes, "partner_required"] as const
const changing = [...confirmedCodes, ...bodyCodes, "partner_required"] as const

const ofCashier = { ...ofOne, params: { ...ofOne.params, connectionId: Schema.String } }

/** Clients of a partner, for members. */
export const clients = HttpApiGroup.make("clients")
  .add(
    HttpApiEndpoint.get("list", all, {
      params: ofOrganization.params,
      query: { ...ofOrganization.query, ...PageQuery },
      success: Wire.PartnerClientPage,
      error: errors(...codes, "invalid_limit", "invalid_offset")
    }).annotateMerge(needs("clients:read", "List the clients, newest first, with statistics and working cashiers")),
    HttpApiEndpoint.post("open", all, {
      ...ofOrganization,
      headers: IdempotencyHeader,
      payload: Wire.PartnerOrganizationCreate,
      success: [Wire.PartnerOrganizationOpened.pipe(HttpApiSchema.status(201)), Wire.PartnerOrganizationReplay],
      error: errors(...changing, "invalid_name", "invalid_phone", "invalid_idn", "invalid_idempotency_key")
    }).annotateMerge(needs("clients:change", "Open a client, with its first sandbox key, which is shown this once")),
    HttpApiEndpoint.get("get", one, {
      ...ofOne,
      success: Wire.PartnerClient,
      error: errors(...codes)
    }).annotateMerge(needs("clients:read", "Read a client with statistics and all its cashiers")),
    HttpApiEndpoint.post("switchMode", `${one}/mode`, {
      ...ofOne,
      payload: Wire.ModeSwitch,
      success: Wire.PartnerOrganization,
      error: errors(...changing, "no_provider")
    }).annotateMerge(needs("clients:change", "Switch the client's mode; live needs a cashier who works")),
    HttpApiEndpoint.post("createKey", `${one}/api-keys`, {
      ...ofOne,
      payload: Wire.PartnerKeyCreate,
      success: Wire.PartnerKey.pipe(HttpApiSchema.status(201)),
      error: errors(...changing, "invalid_name", "invalid_scopes", "too_many_keys")
    }).annotateMerge(needs("clients:change", "Make a key of the client's mode; its text is shown this once")),
    HttpApiEndpoint.post("createConnection", `${one}/connections`, {
      ...ofOne,
      payload: Wire.ConnectionCreate,
      success: Connection.pipe(HttpApiSchema.status(201)),
      error: errors(...changing, "invalid_name")
    }).annotateMerge(needs("clients:change", "Add a cashier of the client, who has yet to log in")),
    HttpApiEndpoint.post("initLogin", login, {
      ...ofCashier,
      success: Wire.LoginProcess,
      error: errors(...changing, "connection_not_found", "provider_error", "no_provider")
    }).annotateMerge(needs("clients:change", "Step 1 of the login of a client's cashier")),
    HttpApiEndpoint.post("sendPhone", `${login}/phone`, {
      ...ofCashier,
      payload: Wire.LoginPhone,
      success: Wire.LoginProcess,
      error: errors(...changing, ...Wire.loginCodes, "invalid_phone", "cashier_number_rejected")
    }).annotateMerge(needs("clients:change", "Step 2: a code is sent to the cashier's phone")),
    HttpApiEndpoint.post("verifyOtp", `${login}/code`, {
      ...ofCashier,
      payload: Wire.LoginCode,
      success: Connection,
      error: errors(...changing, ...Wire.loginCodes, "invalid_code", "too_many_attempts")
    }).annotateMerge(needs("clients:change", "Step 3: with the right code the cashier is active"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
