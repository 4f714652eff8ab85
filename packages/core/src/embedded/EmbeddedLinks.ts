/** Payment links and form hooks of an embedded engine, as promises; see `createEngine`. */
import type { Engine } from "../engine/Engine.ts"
import { hookFace } from "../formhook/HookJson.ts"
import type { HookChanges, HookRequest } from "../formhook/HookRequests.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import { type InvoiceObject, invoiceObject } from "../invoice/InvoiceJson.ts"
import { linkFace, offerJson } from "../paymentlink/LinkJson.ts"
import type { LinkChanges, LinkPayment, LinkRequest } from "../paymentlink/LinkRequests.ts"
import type { LinkOffer } from "../paymentlink/PaymentLinks.ts"
import type { FormHookId, PaymentLinkId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import { faceOf, type RunPromise, shownBy } from "./Faces.ts"

type LinkObject = ReturnType<ReturnType<typeof linkFace>["one"]>
type HookObject = ReturnType<ReturnType<typeof hookFace>["one"]>

/** What a merchant does with payment links: addresses at which customers have invoices made. */
export interface EmbeddedPaymentLinks {
  /** Adds a link. */
  readonly create: (request: LinkRequest) => Promise<LinkObject>
  /** The links that the mode and the cashier see, oldest first. */
  readonly list: () => Promise<{ readonly links: ReadonlyArray<LinkObject> }>
  /** One link. */
  readonly get: (id: PaymentLinkId) => Promise<LinkObject>
  /** Changes what is given; the rest stays. `{ status: "paused" }` pauses. */
  readonly patch: (id: PaymentLinkId, changes: LinkChanges) => Promise<LinkObject>
  /** Removes a link. Its invoices stay, and stay payable. */
  readonly remove: (id: PaymentLinkId) => Promise<void>
}

/** What a merchant does with form hooks: addresses that make invoices of what forms of web sites send. */
export interface EmbeddedFormHooks {
  /** Adds a hook. */
  readonly create: (request: HookRequest) => Promise<HookObject>
  /** The hooks that the mode and the cashier see, oldest first. */
  readonly list: () => Promise<{ readonly hooks: ReadonlyArray<HookObject> }>
  /** One hook. */
  readonly get: (id: FormHookId) => Promise<HookObject>
  /** Changes what is given; the rest stays. `{ status: "paused" }` pauses. */
  readonly patch: (id: FormHookId, changes: HookChanges) => Promise<HookObject>
  /** Removes a hook. Its invoices stay, and stay payable. */
  readonly remove: (id: FormHookId) => Promise<void>
}

/** What customers do, at any merchant. */
export interface EmbeddedCustomers {
  /** What a payment link is for. */
  readonly showLink: (slug: string) => Promise<ReturnType<typeof offerJson>>
  /** Makes an invoice at a payment link. It is `new` until a person asks for its code. */
  readonly payLink: (slug: string, request?: LinkPayment) => Promise<InvoiceObject>
  /** Makes an invoice of the fields that a form has sent. It is `new` until a person asks for its code. */
  readonly submitForm: (hookId: FormHookId, fields: Readonly<Record<string, string>>) => Promise<InvoiceObject>
}

/** What a merchant does with payment links, as promises. */
export const paymentLinksOf = (
  { paymentLinks, settings }: Engine["Service"],
  viewer: Viewer,
  run: RunPromise
): EmbeddedPaymentLinks => {
  const verbs = {
    ...paymentLinks,
    create: (scope: Viewer, request: LinkRequest) => paymentLinks.create(scope, request),
    patch: (scope: Viewer, id: PaymentLinkId, changes: LinkChanges) => paymentLinks.patch(scope, id, changes)
  }
  const shows = {
    ...shownBy(linkFace(settings)),
    show: null,
    look: null,
    behind: null,
    takePlace: null,
    ticket: null,
    pay: null
  }
  return faceOf<EmbeddedPaymentLinks>()(run, viewer)(verbs, shows)
}

/** What a merchant does with form hooks, as promises. */
export const formHooksOf = (
  { formHooks, settings }: Engine["Service"],
  viewer: Viewer,
  run: RunPromise
): EmbeddedFormHooks => {
  const verbs = {
    ...formHooks,
    create: (scope: Viewer, request: HookRequest) => formHooks.create(scope, request),
    patch: (scope: Viewer, id: FormHookId, changes: HookChanges) => formHooks.patch(scope, id, changes)
  }
  const shows = { ...shownBy(hookFace(settings)), show: null, admit: null, submit: null }
  return faceOf<EmbeddedFormHooks>()(run, viewer)(verbs, shows)
}

/** What customers do, as promises. */
export const customersOf = (
  { paymentLinks, formHooks, settings }: Engine["Service"],
  run: RunPromise
): EmbeddedCustomers => {
  const invoice = (made: Invoice) => invoiceObject(made, settings)
  const verbs = {
    showLink: paymentLinks.show,
    payLink: (slug: string, request: LinkPayment = {}) => paymentLinks.pay(slug, request),
    submitForm: (hookId: FormHookId, fields: Readonly<Record<string, string>>) =>
      formHooks.submit(hookId, Object.entries(fields))
  }
  return faceOf<EmbeddedCustomers>()(run)(verbs, {
    showLink: (offer: LinkOffer) => offerJson(offer, settings),
    payLink: invoice,
    submitForm: invoice
  })
}
