/** Payment links and form hooks of an embedded engine, as promises; see `createEngine`. */
import type { Engine } from "../engine/Engine.ts"
import { hookFace } from "../formhook/HookJson.ts"
import type { HookChanges, HookRequest } from "../formhook/HookRequests.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import { invoiceObject } from "../invoice/InvoiceJson.ts"
import { linkFace, offerJson } from "../paymentlink/LinkJson.ts"
import type { LinkChanges, LinkPayment, LinkRequest } from "../paymentlink/LinkRequests.ts"
import type { FormHookId, PaymentLinkId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import { faceOf, type RunPromise, shownBy } from "./Faces.ts"

/** What a merchant does with payment links. */
export const paymentLinksOf = ({ paymentLinks, settings }: Engine["Service"], viewer: Viewer, run: RunPromise) => {
  const verbs = {
    ...paymentLinks,
    /** Adds a link. */
    create: (scope: Viewer, request: LinkRequest) => paymentLinks.create(scope, request),
    /** Changes what is given; the rest stays. `{ status: "paused" }` pauses. */
    patch: (scope: Viewer, id: PaymentLinkId, changes: LinkChanges) => paymentLinks.patch(scope, id, changes)
  }
  const shows = { ...shownBy(linkFace(settings)), show: null, look: null, behind: null, ticket: null, pay: null }
  return faceOf(run, viewer)(verbs, shows)
}

/** What a merchant does with form hooks. */
export const formHooksOf = ({ formHooks, settings }: Engine["Service"], viewer: Viewer, run: RunPromise) => {
  const verbs = {
    ...formHooks,
    /** Adds a hook. */
    create: (scope: Viewer, request: HookRequest) => formHooks.create(scope, request),
    /** Changes what is given; the rest stays. `{ status: "paused" }` pauses. */
    patch: (scope: Viewer, id: FormHookId, changes: HookChanges) => formHooks.patch(scope, id, changes)
  }
  const shows = { ...shownBy(hookFace(settings)), show: null, admit: null, submit: null }
  return faceOf(run, viewer)(verbs, shows)
}

/** What customers do, at any merchant. */
export const customersOf = ({ paymentLinks, formHooks, settings }: Engine["Service"], run: RunPromise) => {
  const invoice = (made: Invoice) => invoiceObject(made, settings)
  const verbs = {
    /** What a payment link is for. */
    showLink: paymentLinks.show,
    /** Makes an invoice at a payment link. It is `new` until a person asks for its code. */
    payLink: (slug: string, request: LinkPayment = {}) => paymentLinks.pay(slug, request),
    /** Makes an invoice of the fields that a form has sent. It is `new` until a person asks for its code. */
    submitForm: (hookId: FormHookId, fields: Readonly<Record<string, string>>) =>
      formHooks.submit(hookId, Object.entries(fields))
  }
  return faceOf(run)(verbs, { showLink: offerJson, payLink: invoice, submitForm: invoice })
}
