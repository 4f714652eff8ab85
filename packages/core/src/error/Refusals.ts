/** Refusals that more than one feature answers. Each carries its catalogue code. */

import { Data } from "effect"
import type { Code } from "./ErrorCatalog.ts"
import { refusal } from "./Refusal.ts"

/** A member of a request breaks its rule. Nothing was changed. */
export class FieldRefused<C extends Code = Code> extends Data.TaggedError("FieldRefused")<{ readonly code: C }> {}

/** The resource belongs to another organization; or what an idempotency key has made, to another cashier. */
export class Forbidden extends refusal("Forbidden", "forbidden") {}

/** The member's role does not go as far, or not in this mode. */
export class InsufficientRole extends refusal("InsufficientRole", "insufficient_role") {}

/** What is asked for takes a code that its owner was sent some minutes ago at most. Nothing was done. */
export class FreshCodeRequired extends refusal("FreshCodeRequired", "fresh_code_required") {}

/** The owner's account is blocked. */
export class AccountBlocked extends refusal("AccountBlocked", "account_blocked") {}

/** The organization is archived. */
export class OrganizationInactive extends refusal("OrganizationInactive", "organization_inactive") {}

/** No such invoice, or one that the caller must not know of: of the other mode, or of another cashier. */
export class InvoiceNotFound extends refusal("InvoiceNotFound", "invoice_not_found") {}

/** The action exists in the sandbox only. */
export class NotSandbox extends refusal("NotSandbox", "not_sandbox") {}

/** The organization works in its sandbox: nothing new is begun at the provider. What exists there goes on. */
export class NotLive extends refusal("NotLive", "not_live") {}

/** The organization has no cashier to create live invoices with. */
export class ProviderSessionNotConfigured extends refusal(
  "ProviderSessionNotConfigured",
  "provider_session_not_configured"
) {}

/** The provider cannot be asked about the invoice. */
export class NoProvider extends refusal("NoProvider", "no_provider") {}

/** The organization has no such connection. */
export class ConnectionNotFound extends refusal("ConnectionNotFound", "connection_not_found") {}
