/** Payment links and form hooks of an embedded engine, as promises; see `createEngine`. */
import { Effect } from "effect"
import type { Engine } from "../engine/Engine.ts"
import type { FormHook } from "../formhook/FormHook.ts"
import type { FormHooks } from "../formhook/FormHooks.ts"
import { hookJson } from "../formhook/HookJson.ts"
import type { HookChanges, HookRequest } from "../formhook/HookRequests.ts"
import { invoiceObject } from "../invoice/InvoiceJson.ts"
import { linkJson, offerJson } from "../paymentlink/LinkJson.ts"
import type { LinkChanges, LinkPayment, LinkRequest } from "../paymentlink/LinkRequests.ts"
import type { PaymentLink } from "../paymentlink/PaymentLink.ts"
import type { PaymentLinks } from "../paymentlink/PaymentLinks.ts"
import type { Viewer } from "../value/Tenant.ts"
import { bound, type Complete, type RunPromise } from "./Promises.ts"

/** What a merchant does with payment links. */
export const paymentLinksOf = ({ paymentLinks, settings }: Engine["Service"], viewer: Viewer, run: RunPromise) => {
  const verb = bound(viewer, run)
  const show = (link: PaymentLink) => linkJson(link, settings)
  const create: (request: LinkRequest) => Promise<LinkObject> = verb(paymentLinks.create, show)
  const patch: (id: string, changes: LinkChanges) => Promise<LinkObject> = verb(paymentLinks.patch, show)
  return {
    /** Adds a link. */
    create,
    /** All links, oldest first. */
    list: verb(paymentLinks.list, (links) => links.map(show)),
    get: verb(paymentLinks.get, show),
    /** Changes what is given; the rest stays. `{ status: "paused" }` pauses. */
    patch,
    /** Removes a link. Its invoices stay payable. */
    remove: verb(paymentLinks.remove, () => undefined)
  } satisfies Complete<PaymentLinks["Service"], "show" | "pay">
}

type LinkObject = ReturnType<typeof linkJson>

/** What a merchant does with form hooks. */
export const formHooksOf = ({ formHooks, settings }: Engine["Service"], viewer: Viewer, run: RunPromise) => {
  const verb = bound(viewer, run)
  const show = (hook: FormHook) => hookJson(hook, settings)
  const create: (request: HookRequest) => Promise<HookObject> = verb(formHooks.create, show)
  const patch: (id: string, changes: HookChanges) => Promise<HookObject> = verb(formHooks.patch, show)
  return {
    /** Adds a hook. */
    create,
    /** All hooks, oldest first. */
    list: verb(formHooks.list, (hooks) => hooks.map(show)),
    get: verb(formHooks.get, show),
    /** Changes what is given; the rest stays. `{ status: "paused" }` pauses. */
    patch,
    /** Removes a hook. Its invoices stay payable. */
    remove: verb(formHooks.remove, () => undefined)
  } satisfies Complete<FormHooks["Service"], "submit">
}

type HookObject = ReturnType<typeof hookJson>

/** What customers do, at any merchant. */
export const customersOf = ({ paymentLinks, formHooks, settings }: Engine["Service"], run: RunPromise) => ({
  /** What a payment link is for. */
  showLink: (slug: string) => run(Effect.map(paymentLinks.show(slug), offerJson)),
  /** Makes an invoice at a payment link: `{ amount?, customer? }`. It is `new` until its page is opened. */
  payLink: (slug: string, request: LinkPayment = {}) =>
    run(Effect.map(paymentLinks.pay(slug, request), (invoice) => invoiceObject(invoice, settings))),
  /** Makes an invoice of the fields that a form has sent. It is `new` until its page is opened. */
  submitForm: (hookId: string, fields: Readonly<Record<string, string>>) =>
    run(Effect.map(formHooks.submit(hookId, Object.entries(fields)), (invoice) => invoiceObject(invoice, settings)))
})
