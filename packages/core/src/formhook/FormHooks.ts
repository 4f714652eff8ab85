/** Use-cases of form hooks: merchants manage them, forms have invoices made at them. */

import { Clock, Context, Data, Effect, Layer, Option } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { Seller } from "../face/MerchantFace.ts"
import * as Sellers from "../face/Sellers.ts"
import { isOpen } from "../invoice/Invoice.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { fingerprintOf } from "../secret/Fingerprint.ts"
import { TextDigest } from "../secret/Sha256.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { type FormHookId, Ids, type InvoiceId } from "../value/Ids.ts"
import { cashierOf, type Viewer } from "../value/Tenant.ts"
import * as Resource from "../work/Resource.ts"
import { type FormFields, formInvoiceRequest, isCaught, isNamed } from "./FormFields.ts"
import { type FormHook, isHookId } from "./FormHook.ts"
import { FormHookSettings } from "./FormHookSettings.ts"
import { FormHookStore } from "./FormHookStore.ts"
import { checkHook, checkHookPatch } from "./HookRequests.ts"

/**
 * No such hook, or one that the caller must not know of: of the other mode, or of another cashier. For forms also one
 * whose merchant is not in force.
 */
export class HookNotFound extends refusal("HookNotFound", "hook_not_found") {}

/** The merchant takes no forms at this address for now. */
export class HookPaused extends refusal("HookPaused", "hook_paused") {}

/** The form is on a site that the hook does not name. */
export class FormRefused extends refusal("FormRefused", "form_refused") {}

/**
 * A program has filled in the field that people do not see: nothing was made. It should be answered as if all went
 * well, with this id, which names nothing.
 */
export class FormCaught extends Data.TaggedError("FormCaught")<{ readonly invoiceId: InvoiceId }> {
  readonly code = "form_refused"
}

/** A hook, and who is paid. */
export interface HookOffer {
  readonly hook: FormHook
  readonly seller: Seller
}

/** What a browser tells of a form; a program tells nothing of it. */
export interface FormVisit {
  /** The site that the form is on; null: not told. `null` as a text is a site that hides its name. */
  readonly site: string | null
  /**
   * Tells one sender from another. If given, what they send again within half a minute makes no second invoice if
   * it says who they are.
   */
  readonly sender: string | null
}

const make = Effect.gen(function* () {
  const store = yield* FormHookStore
  const sellerOf = yield* Sellers.make
  const invoices = yield* Invoices
  const { entering } = yield* SandboxClocks
  const ids = yield* Ids
  const digest = yield* TextDigest
  const settings = yield* FormHookSettings
  const { list, get, patch, remove } = yield* Resource.make({
    store,
    missing: () => new HookNotFound(),
    check: checkHookPatch
  })

  const create = Effect.fn("FormHooks.create")(function* (scope: Viewer, body: unknown) {
    const draft = yield* Effect.fromResult(checkHook(body))
    const { organizationId, mode } = scope
    const now = yield* Clock.currentTimeMillis
    const hook: FormHook = {
      ...draft,
      id: yield* ids.next("hok"),
      organizationId,
      mode,
      connectionId: cashierOf(scope),
      caughtCount: 0,
      createdAt: now,
      updatedAt: now,
      version: 1
    }
    yield* store.add(hook, settings.maxFormHooks)
    return hook
  })

  const show = Effect.fnUntraced(function* (id: FormHookId) {
    const found = isHookId(id) ? yield* store.find(id) : Option.none()
    if (Option.isNone(found)) return yield* new HookNotFound()
    const hook = found.value
    const seller = yield* sellerOf(hook.organizationId)
    if (Option.isNone(seller)) return yield* new HookNotFound()
    const offer: HookOffer = { hook, seller: seller.value }
    return offer
  })

  /** The moments that what is sent again may come in: this one, and the one before it. */
  const momentsOf = Effect.fnUntraced(function* (sender: string) {
    const moment = Math.floor((yield* Clock.currentTimeMillis) / momentMs)
    const name = fingerprintOf([sender], digest)
    return [moment, moment - 1].map((each) => `${each}/${name}`)
  })

  const admit = Effect.fnUntraced(function* (id: FormHookId, fields: FormFields, { site }: FormVisit) {
    const offer = yield* show(id)
    const { hook } = offer
    const { allowedOrigins } = hook
    if (hook.status === "paused") return yield* new HookPaused()
    if (site !== null && allowedOrigins.length > 0 && !allowedOrigins.includes(site)) return yield* new FormRefused()
    if (!isCaught(hook, fields)) return offer
    yield* store.countCaught(hook.id)
    return yield* new FormCaught({ invoiceId: yield* ids.next("inv") })
  })

  const submit = Effect.fn("FormHooks.submit")(function* (
    id: FormHookId,
    fields: FormFields,
    visit: FormVisit = { site: null, sender: null }
  ) {
    const { hook } = yield* admit(id, fields, visit)
    const { organizationId, mode, connectionId } = hook
    const { sender } = visit
    const request = { body: formInvoiceRequest(hook, fields) }
    const caller = { organizationId, mode, connectionId, source: "system" } as const
    const origin = { kind: "form-hook", id: hook.id } as const
    // Of two who send the same without a name, none can be told to be the other.
    const moments = sender === null || !isNamed(fields) ? [] : yield* momentsOf(sender)
    const made = yield* invoices.createWaiting(caller, request, origin, { once: moments })
    // What is over is no answer to what is sent now.
    return isOpen(made.status) ? made : yield* invoices.createWaiting(caller, request, origin)
  })

  return {
    /** Adds a hook: `{ name, successUrl?, failUrl?, status?, allowedOrigins?, honeypot? }`. */
    create: entering(create),
    /** The hooks that the scope sees, oldest first. */
    list,
    /** One hook. */
    get,
    /** Changes the members that `body` has; a `status` pauses or resumes. May be repeated. */
    patch: entering(patch),
    /** Removes a hook. Its invoices stay, and stay payable. */
    remove: entering(remove),
    /** What visitors may know of a hook, paused or not. */
    show,
    /** Refuses what `submit` would refuse whatever stands in the form. */
    admit,
    /**
     * Makes an invoice of what a form has sent, a new one each time unless a browser sends what one person has sent
     * again. Its code is made when its page is opened; until then it is `new`.
     */
    submit
  }
})

/** The use-cases of form hooks, of merchants and of forms. Bodies are of unknown content and checked here. */
export class FormHooks extends Context.Service<FormHooks, Effect.Success<typeof make>>()("@tolem/core/FormHooks") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(FormHooks, make)
}

/** Half of the time in which a form that is sent again counts as the same: a second click, or a page loaded anew. */
const momentMs = 15_000
