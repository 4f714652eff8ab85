/** Refusals that more than one feature answers. Each carries its catalogue code. */
import { Data } from "effect"
import type { Code } from "./ErrorCatalog.ts"

/** A member of a request breaks its rule. Nothing was changed. */
export class FieldRefused<C extends Code = Code> extends Data.TaggedError("FieldRefused")<{ readonly code: C }> {}

/** The resource belongs to another organization; or what an idempotency key has made, to another cashier. */
export class Forbidden extends Data.TaggedError("Forbidden") {
  readonly code = "forbidden"
}

/** The owner's account is blocked. */
export class AccountBlocked extends Data.TaggedError("AccountBlocked") {
  readonly code = "account_blocked"
}

/** The organization is archived. */
export class OrganizationInactive extends Data.TaggedError("OrganizationInactive") {
  readonly code = "organization_inactive"
}

/** No such invoice, or one that the caller must not know of: of the other mode, or of another cashier. */
export class InvoiceNotFound extends Data.TaggedError("InvoiceNotFound") {
  readonly code = "invoice_not_found"
}

/** The action exists in the sandbox only. */
export class NotSandbox extends Data.TaggedError("NotSandbox") {
  readonly code = "not_sandbox"
}

/** The organization works in its sandbox: nothing new is begun at the provider. What exists there goes on. */
export class NotLive extends Data.TaggedError("NotLive") {
  readonly code = "not_live"
}

/** The organization has no cashier to create live invoices with. */
export class ProviderSessionNotConfigured extends Data.TaggedError("ProviderSessionNotConfigured") {
  readonly code = "provider_session_not_configured"
}

/** The provider cannot be asked about the invoice. */
export class NoProvider extends Data.TaggedError("NoProvider") {
  readonly code = "no_provider"
}

/** The organization has no such connection. */
export class ConnectionNotFound extends Data.TaggedError("ConnectionNotFound") {
  readonly code = "connection_not_found"
}
