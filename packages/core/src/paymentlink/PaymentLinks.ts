/** Use-cases of payment links: merchants manage them, customers have invoices made at them. */

import { Clock, Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { refusal } from "../error/Refusal.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { isInForce } from "../merchant/Merchant.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { Ids } from "../value/Ids.ts"
import { cashierOf, type Viewer } from "../value/Tenant.ts"
import * as Resource from "../work/Resource.ts"
import { checkLink, checkLinkPatch, linkInvoiceRequest } from "./LinkRequests.ts"
import { isSlug, type PaymentLink, slugBytes, slugOf } from "./PaymentLink.ts"
import { PaymentLinkSettings } from "./PaymentLinkSettings.ts"
import { PaymentLinkStore } from "./PaymentLinkStore.ts"

/** No such link, or one that the caller must not know of: of the other mode, or of another cashier. */
export class LinkNotFound extends refusal("LinkNotFound", "link_not_found") {}

/** Payments at this address are impossible: there is no such link, or its merchant is not in force. */
export class LinkInvalid extends refusal("LinkInvalid", "link_invalid") {}

/** The merchant has paused payments at this address. */
export class LinkPaused extends refusal("LinkPaused", "link_paused") {}

/** A link that can be paid, and the name of who is paid. */
export interface LinkOffer {
  readonly link: PaymentLink
  readonly sellerName: string
}

/** A link of a merchant who is in force, and why it cannot be paid now; null: it can. */
export interface LinkSight extends LinkOffer {
  readonly refusal: LinkPaused | null
}

const make = Effect.gen(function* () {
  const store = yield* PaymentLinkStore
  const merchants = yield* MerchantStore
  const invoices = yield* Invoices
  const { entering } = yield* SandboxClocks
  const ids = yield* Ids
  const random = yield* SecureRandom.SecureRandom
  const settings = yield* PaymentLinkSettings
  const { list, get, patch, remove } = yield* Resource.make({
    store,
    missing: () => new LinkNotFound(),
    check: (body) => checkLinkPatch(body, settings)
  })

  const create = Effect.fn("PaymentLinks.create")(function* (scope: Viewer, body: unknown) {
    const draft = yield* Effect.fromResult(checkLink(body, settings))
    const { organizationId, mode } = scope
    const now = yield* Clock.currentTimeMillis
    const id = yield* ids.next("lnk")
    const attempt = Effect.gen(function* () {
      const link: PaymentLink = {
        ...draft,
        id,
        organizationId,
        mode,
        connectionId: cashierOf(scope),
        slug: draft.slug ?? slugOf(yield* random.randomBytes(slugBytes)),
        createdAt: now,
        updatedAt: now,
        version: 1
      }
      yield* store.add(link, settings.maxPaymentLinks)
      return link
    })
    const isMadeUp = draft.slug === null
    return yield* Effect.retry(attempt, { times: maxSlugs, while: ({ _tag }) => isMadeUp && _tag === "SlugTaken" })
  })

  const look = Effect.fnUntraced(function* (slug: string) {
    const found = isSlug(slug) ? yield* store.findSlug(slug) : Option.none()
    if (Option.isNone(found)) return yield* new LinkInvalid()
    const link = found.value
    const seller = Option.filter(yield* merchants.owned(link.organizationId), isInForce)
    if (Option.isNone(seller)) return yield* new LinkInvalid()
    const refusal = link.status === "paused" ? new LinkPaused() : null
    const sight: LinkSight = { link, sellerName: seller.value.organization.name, refusal }
    return sight
  })

  const show = Effect.fnUntraced(function* (slug: string) {
    const { refusal, ...offer } = yield* look(slug)
    return refusal === null ? (offer as LinkOffer) : yield* refusal
  })

  const pay = Effect.fn("PaymentLinks.pay")(function* (slug: string, body: unknown, ticket: string | null = null) {
    const { link } = yield* show(slug)
    const request = yield* Effect.fromResult(linkInvoiceRequest(link, body))
    const { organizationId, mode, connectionId } = link
    const caller = { organizationId, mode, connectionId, source: "system" } as const
    const once = ticket !== null && ticketForm.test(ticket) ? [ticket] : []
    return yield* invoices.createWaiting(caller, { body: request }, { kind: "payment-link", id: link.id }, once)
  })

  return {
    /** Adds a link: `{ title, slug?, description?, amount?, successUrl?, failUrl?, status? }`. */
    create: entering(create),
    /** The links that the scope sees, oldest first. */
    list,
    /** One link. */
    get,
    /** Changes the members that `body` has; a `status` pauses or resumes. May be repeated. */
    patch: entering(patch),
    /** Removes a link. Its invoices stay, and stay payable. */
    remove: entering(remove),
    /** What visitors may know of a link that can be paid. */
    show,
    /** The same of one that cannot be paid now as well, for a page that says so. */
    look,
    /** A text for one rendering of the form of a link; see `pay`. */
    ticket: Effect.map(random.randomBytes(slugBytes), slugOf),
    /**
     * Makes an invoice of `{ amount?, customer? }`, a new one each time; with a `ticket` only once for what is sent
     * with it. Its code is made when its page is opened; until then it is `new`.
     */
    pay
  }
})

/** The use-cases of payment links, of merchants and of visitors. Bodies are of unknown content and checked here. */
export class PaymentLinks extends Context.Service<PaymentLinks, Effect.Success<typeof make>>()(
  "@tolem/core/PaymentLinks"
) {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(PaymentLinks, make)
}

/** What `ticket` makes. */
const ticketForm = /^[0-9a-z]{16}$/

/** Times that another slug is made up: one of 80 random bits is hardly ever taken. */
const maxSlugs = 3
