/** Payment links and form hooks of an embedded engine, as promises; see `createEngine`. */
import { Effect } from "effect"
import type { Engine } from "../engine/Engine.ts"
import type { Code } from "../error/ErrorCatalog.ts"
import type { FormHook } from "../formhook/FormHook.ts"
import { hookJson } from "../formhook/HookJson.ts"
import { invoiceObject } from "../invoice/InvoiceJson.ts"
import { linkJson, offerJson } from "../paymentlink/LinkJson.ts"
import type { PaymentLink } from "../paymentlink/PaymentLink.ts"
import type { JsonObject } from "../value/Checks.ts"
import type { Viewer } from "../value/Tenant.ts"

/** Runs an effect; the promise is rejected with what the effect refuses. */
export type RunPromise = <A>(effect: Effect.Effect<A, { readonly code: Code }>) => Promise<A>

/** What a merchant does with payment links. */
export const paymentLinksOf = ({ paymentLinks, settings }: Engine["Service"], scope: Viewer, run: RunPromise) => {
  const object = (link: PaymentLink) => linkJson(link, settings)
  return {
    /** Adds a link: `{ title, slug?, description?, amount?, successUrl?, failUrl? }`. */
    create: (request: JsonObject) => run(Effect.map(paymentLinks.create(scope, request), object)),
    /** All links, oldest first. */
    list: () => run(Effect.map(paymentLinks.list(scope), (links) => links.map(object))),
    get: (id: string) => run(Effect.map(paymentLinks.get(scope, id), object)),
    /** Changes what is given; the rest stays. `{ status: "paused" }` pauses. */
    patch: (id: string, changes: JsonObject) => run(Effect.map(paymentLinks.patch(scope, id, changes), object)),
    /** Removes a link. Its invoices stay payable. */
    remove: (id: string) => run(paymentLinks.remove(scope, id))
  }
}

/** What a merchant does with form hooks. */
export const formHooksOf = ({ formHooks, settings }: Engine["Service"], scope: Viewer, run: RunPromise) => {
  const object = (hook: FormHook) => hookJson(hook, settings)
  return {
    /** Adds a hook: `{ name, successUrl?, failUrl? }`. */
    create: (request: JsonObject) => run(Effect.map(formHooks.create(scope, request), object)),
    /** All hooks, oldest first. */
    list: () => run(Effect.map(formHooks.list(scope), (hooks) => hooks.map(object))),
    get: (id: string) => run(Effect.map(formHooks.get(scope, id), object)),
    /** Changes what is given; the rest stays. `{ status: "paused" }` pauses. */
    patch: (id: string, changes: JsonObject) => run(Effect.map(formHooks.patch(scope, id, changes), object)),
    /** Removes a hook. Its invoices stay payable. */
    remove: (id: string) => run(formHooks.remove(scope, id))
  }
}

/** What customers do, whoever the merchant is. */
export const customersOf = ({ paymentLinks, formHooks, settings }: Engine["Service"], run: RunPromise) => ({
  /** What a payment link is for. */
  showLink: (slug: string) => run(Effect.map(paymentLinks.show(slug), offerJson)),
  /** Makes an invoice at a payment link: `{ amount?, customer? }`. It is `new` until its page is opened. */
  payLink: (slug: string, request: JsonObject = {}) =>
    run(Effect.map(paymentLinks.pay(slug, request), (invoice) => invoiceObject(invoice, settings))),
  /** Makes an invoice of the fields that a form has sent. It is `new` until its page is opened. */
  submitForm: (hookId: string, fields: Readonly<Record<string, string>>) =>
    run(Effect.map(formHooks.submit(hookId, Object.entries(fields)), (invoice) => invoiceObject(invoice, settings)))
})
