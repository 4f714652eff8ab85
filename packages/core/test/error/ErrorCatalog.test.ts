import { describe, it } from "@effect/vitest"
import { assert } from "vitest"
import { console } from "../../src/error/ConsoleErrors.ts"
import { catalog, entry, isCode } from "../../src/error/ErrorCatalog.ts"
import { invoices } from "../../src/error/InvoiceErrors.ts"
import { merchants } from "../../src/error/MerchantErrors.ts"
import { organizations } from "../../src/error/OrganizationErrors.ts"
import { requests } from "../../src/error/RequestErrors.ts"

type CodesByStatus = Readonly<Record<number, ReadonlyArray<string>>>

/** The Errors table of the interface specification, by status; written out here, so that the catalogue cannot drift. */
const published: CodesByStatus = {
  400: ["provider_session_not_configured", "connection_not_active", "invalid_code"],
  401: ["unauthorized"],
  403: [
    "insufficient_scope",
    "forbidden",
    "account_blocked",
    "not_sandbox",
    "not_live",
    "tariff_inactive",
    "partner_required",
    "channel_forbidden"
  ],
  404: ["connection_not_found", "invoice_not_found", "endpoint_not_found", "subscription_not_found"],
  409: [
    "provider_session_expired",
    "no_provider",
    "connection_has_keys",
    "invoice_not_open",
    "invoice_changed",
    "invoice_not_refundable",
    "refund_pending_unknown",
    "refund_state_conflict",
    "subscription_closed",
    "slug_taken",
    "too_many_links",
    "challenge_used"
  ],
  410: ["organization_inactive", "hook_paused", "link_invalid", "link_paused", "challenge_expired"],
  422: [
    "invalid_api_key",
    "invalid_amount",
    "amount_too_small",
    "amount_too_large",
    "amount_must_be_whole_tenge",
    "invalid_phone",
    "phone_required",
    "invalid_kind",
    "invalid_url",
    "invalid_refund_amount",
    "invalid_events",
    "webhook_url_requires_https",
    "webhook_url_requires_domain",
    "webhook_url_tunnel_forbidden",
    "too_many_endpoints",
    "invalid_interval",
    "invalid_every",
    "invalid_retry",
    "invalid_misfire",
    "invalid_max_runs"
  ],
  429: ["tariff_limit_reached", "tariff_daily_burst", "request_rate_limited", "rate_limited", "too_many_attempts"],
  502: [
    "cashier_number_rejected",
    "invoice_create_failed",
    "provider_error",
    "refund_failed",
    "refund_unknown",
    "cancel_failed"
  ],
  503: ["no_channel"]
}

/** What the published table lacks and this service answers besides. */
const added: CodesByStatus = {
  400: ["invalid_json"],
  404: [
    "route_not_found",
    "delivery_not_found",
    "link_not_found",
    "hook_not_found",
    "work_kind_not_found",
    "account_not_found",
    "organization_not_found"
  ],
  405: ["method_not_allowed"],
  409: ["too_many_hooks", "transaction_not_open", "transaction_in_the_way", "earnings_changed"],
  413: ["payload_too_large"],
  415: ["unsupported_media_type"],
  422: [
    "invalid_description",
    "invalid_external_order_id",
    "invalid_customer",
    "invalid_email",
    "invalid_metadata",
    "invalid_idempotency_key",
    "invalid_status",
    "invalid_limit",
    "invalid_offset",
    "invalid_from",
    "invalid_to",
    "invalid_mode",
    "invalid_day_of_month",
    "invalid_start_at",
    "invalid_next_run_at",
    "invalid_name",
    "invalid_slug",
    "invalid_title",
    "invalid_scopes",
    "invalid_reason",
    "invalid_invoices",
    "invalid_months",
    "invalid_look_reason",
    "invalid_payout_note"
  ],
  500: ["internal_error"],
  503: ["service_unavailable"]
}

/** Under 500, only these pass by waiting; every other one needs another request or a settled cause. */
const passing = [
  "transaction_in_the_way",
  "too_many_exports",
  "too_many_waiting",
  "request_rate_limited",
  "rate_limited",
  "request_timeout"
]

/** From 500 on, only these must not be repeated: a second refund could pay twice. */
const dangerous = ["refund_unknown"]

const expected = [published, added].flatMap((table) =>
  Object.entries(table).flatMap(([status, codes]) => codes.map((code) => ({ code, status: Number(status) })))
)

const cyrillic = /\p{Script=Cyrillic}/u

describe("the error catalogue", () => {
  it.each(expected)("answers $code with $status", ({ code, status }) => {
    assert.strictEqual(isCode(code) ? entry(code).status : undefined, status)
  })

  it("has each code in one table only", () => {
    const codes = [requests, invoices, merchants, organizations, console].flatMap((table) => Object.keys(table))
    assert.deepStrictEqual(
      codes.filter((code, index) => codes.indexOf(code) !== index),
      []
    )
    assert.sameMembers(Object.keys(catalog), codes)
  })

  it("knows no code by what every object inherits", () => {
    for (const text of ["toString", "__proto__", "constructor", "", "Unauthorized"]) assert.isFalse(isCode(text))
  })
})

describe.each(Object.entries(catalog))("%s", (code, { status, retryable, kk, ru, en }) => {
  it("is a machine code with a status for errors", () => {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.isTrue(Number.isInteger(status) && status >= 400 && status <= 599, `status ${status}`)
  })

  it("says whether to send the request again", () => {
    assert.strictEqual(retryable, status >= 500 && status !== 501 ? !dangerous.includes(code) : passing.includes(code))
  })

  it("speaks Kazakh, Russian and English", () => {
    assert.match(kk, cyrillic)
    assert.match(ru, cyrillic)
    assert.notMatch(en, cyrillic)
    assert.notStrictEqual(kk, ru)
  })

  it("speaks in short sentences that end", () => {
    for (const text of [kk, ru, en]) {
      assert.match(text, /^\S.*\S\.$/)
      assert.isAtMost(text.length, 100)
    }
  })
})
