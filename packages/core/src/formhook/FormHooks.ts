/** Use-cases of form hooks: merchants manage them, forms have invoices made at them. */

import { Clock, Context, Effect, Layer, Option } from "effect"
import { refusal } from "../error/Refusal.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { isInForce } from "../merchant/Merchant.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { type FormHookId, Ids } from "../value/Ids.ts"
import { cashierOf, type Viewer } from "../value/Tenant.ts"
import * as Resource from "../work/Resource.ts"
import { type FormFields, formInvoiceRequest } from "./FormFields.ts"
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

const make = Effect.gen(function* () {
  const store = yield* FormHookStore
  const merchants = yield* MerchantStore
  const invoices = yield* Invoices
  const { entering } = yield* SandboxClocks
  const ids = yield* Ids
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
      createdAt: now,
      updatedAt: now,
      version: 1
    }
    yield* store.add(hook, settings.maxFormHooks)
    return hook
  })

  const submit = Effect.fn("FormHooks.submit")(function* (id: FormHookId, fields: FormFields) {
    const found = isHookId(id) ? yield* store.find(id) : Option.none()
    if (Option.isNone(found)) return yield* new HookNotFound()
    const hook = found.value
    const { organizationId, mode, connectionId } = hook
    const seller = Option.filter(yield* merchants.owned(organizationId), isInForce)
    if (Option.isNone(seller)) return yield* new HookNotFound()
    if (hook.status === "paused") return yield* new HookPaused()
    const caller = { organizationId, mode, connectionId, source: "system" } as const
    const origin = { kind: "form-hook", id: hook.id } as const
    return yield* invoices.createWaiting(caller, { body: formInvoiceRequest(hook, fields) }, origin)
  })

  return {
    /** Adds a hook: `{ name, successUrl?, failUrl?, status? }`. */
    create: entering(create),
    /** The hooks that the scope sees, oldest first. */
    list,
    /** One hook. */
    get,
    /** Changes the members that `body` has; a `status` pauses or resumes. May be repeated. */
    patch: entering(patch),
    /** Removes a hook. Its invoices stay, and stay payable. */
    remove: entering(remove),
    /**
     * Makes an invoice of what a form has sent, a new one each time. Its code is made when its page is opened; until
     * then it is `new`.
     */
    submit
  }
})

/** The use-cases of form hooks, of merchants and of forms. Bodies are of unknown content and checked here. */
export class FormHooks extends Context.Service<FormHooks, Effect.Success<typeof make>>()("@tolem/core/FormHooks") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(FormHooks, make)
}
