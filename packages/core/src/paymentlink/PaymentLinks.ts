/** Use-cases of payment links: merchants manage them, customers have invoices made at them. */

import { Clock, Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { refusal } from "../error/Refusal.ts"
import { FieldRefused } from "../error/Refusals.ts"
import type { Seller } from "../face/MerchantFace.ts"
import * as Sellers from "../face/Sellers.ts"
import { LinkSoldOut, noTotals } from "../invoice/changes/LinkShare.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { linkForm } from "../picture/Picture.ts"
import * as PictureFiles from "../picture/PictureFiles.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { isObject } from "../value/Checks.ts"
import { Ids } from "../value/Ids.ts"
import { cashierOf, type Viewer } from "../value/Tenant.ts"
import * as KeyedLock from "../work/KeyedLock.ts"
import * as Resource from "../work/Resource.ts"
import { linkFaults } from "./LinkForm.ts"
import { checkLink, checkLinkPatch, checkLinkSound, linkInvoiceRequest } from "./LinkRequests.ts"
import { isSlug, obstacleOf, type PaymentLink, slugBytes, slugOf } from "./PaymentLink.ts"
import { PaymentLinkSettings } from "./PaymentLinkSettings.ts"
import { PaymentLinkStore } from "./PaymentLinkStore.ts"
import { placeShareOf } from "./PlaceShare.ts"

/** No such link, or one that the caller must not know of: of the other mode, or of another cashier. */
export class LinkNotFound extends refusal("LinkNotFound", "link_not_found") {}

/** Payments at this address are impossible: there is no such link, or its merchant is not in force. */
export class LinkInvalid extends refusal("LinkInvalid", "link_invalid") {}

/** The merchant has paused payments at this address. */
export class LinkPaused extends refusal("LinkPaused", "link_paused") {}

/** Payments at this address have not begun. */
export class LinkNotOpen extends refusal("LinkNotOpen", "link_not_open") {}

/** Payments at this address have ended. */
export class LinkClosed extends refusal("LinkClosed", "link_closed") {}

const obstacles = {
  link_paused: LinkPaused,
  link_not_open: LinkNotOpen,
  link_closed: LinkClosed,
  link_sold_out: LinkSoldOut
}

/** A link that can be paid, and who is paid. */
export interface LinkOffer {
  readonly link: PaymentLink
  readonly seller: Seller
}

/** A link of a merchant who is in force, and why it cannot be paid now; null: it can. */
export interface LinkSight extends LinkOffer {
  readonly refusal: LinkPaused | LinkNotOpen | LinkClosed | LinkSoldOut | null
}

const make = Effect.gen(function* () {
  const store = yield* PaymentLinkStore
  const sellerOf = yield* Sellers.make
  const invoices = yield* Invoices
  const { entering, within } = yield* SandboxClocks
  const ids = yield* Ids
  const random = yield* SecureRandom.SecureRandom
  const files = yield* PictureFiles.make
  const turns = yield* KeyedLock.make
  const settings = yield* PaymentLinkSettings
  const { list, get, change, remove } = yield* Resource.make({
    store,
    missing: () => new LinkNotFound(),
    check: (body) => checkLinkPatch(body, settings),
    sound: checkLinkSound
  })

  const patch = Effect.fnUntraced(function* (scope: Viewer, id: PaymentLink["id"], body: unknown) {
    // Nothing is drawn for a link that is not there, or beside what is refused.
    yield* get(scope, id)
    const changes = yield* Effect.fromResult(checkLinkPatch(body, settings))
    const drawn = yield* pictureIn(scope, body)
    const picture = PictureFiles.namedOf(drawn)
    const wanted: Partial<PaymentLink> = picture === undefined ? changes : { ...changes, picture }
    const link = yield* change(scope, id, Effect.succeed(wanted), (next) => store.replace(next, drawn ?? null))
    // What it sells depends on its sums, which the write sets right.
    return link.maxPayments === null ? link : yield* get(scope, link.id)
  })

  const pictureIn = ({ organizationId }: Viewer, body: unknown) =>
    files.wanted(organizationId, isObject(body) ? body["picture"] : undefined, linkForm)

  const create = Effect.fn("PaymentLinks.create")(function* (scope: Viewer, body: unknown) {
    const draft = yield* Effect.fromResult(checkLink(body, settings))
    const drawn = (yield* pictureIn(scope, body)) ?? null
    const { organizationId, mode } = scope
    const now = yield* Clock.currentTimeMillis
    const id = yield* ids.next("lnk")
    const attempt = Effect.gen(function* () {
      const link: PaymentLink = {
        ...draft,
        picture: PictureFiles.namedOf(drawn),
        id,
        organizationId,
        mode,
        connectionId: cashierOf(scope),
        slug: draft.slug ?? slugOf(yield* random.randomBytes(slugBytes)),
        createdAt: now,
        updatedAt: now,
        version: 1,
        totals: noTotals
      }
      yield* store.add(link, settings.maxPaymentLinks, drawn)
      return link
    })
    const isMadeUp = draft.slug === null
    return yield* Effect.retry(attempt, { times: maxSlugs, while: ({ _tag }) => isMadeUp && _tag === "SlugTaken" })
  })

  const look = Effect.fnUntraced(function* (slug: string) {
    const found = isSlug(slug) ? yield* store.findSlug(slug) : Option.none()
    return Option.isSome(found) ? yield* sightOf(found.value) : yield* new LinkInvalid()
  })

  const sightOf = Effect.fnUntraced(function* (link: PaymentLink) {
    const seller = yield* sellerOf(link.organizationId)
    if (Option.isNone(seller)) return yield* new LinkInvalid()
    const now = yield* within(link.organizationId, link.mode)(Clock.currentTimeMillis)
    const obstacle = obstacleOf(link, now)
    const refusal = obstacle === null ? null : new obstacles[obstacle]()
    const sight: LinkSight = { link, seller: seller.value, refusal }
    return sight
  })

  const behind = Effect.fnUntraced(function* ({ origin, organizationId }: Invoice) {
    const found = origin?.kind === "payment-link" ? yield* store.find(origin.id) : Option.none()
    if (Option.isNone(found) || found.value.organizationId !== organizationId) return Option.none<LinkSight>()
    return yield* sightOf(found.value).pipe(
      Effect.asSome,
      Effect.catchTag("LinkInvalid", () => Effect.succeedNone)
    )
  })

  const takePlace = Effect.fn("PaymentLinks.takePlace")(function* (
    link: PaymentLink,
    invoiceId: Invoice["id"],
    visitor: string
  ) {
    const { id: linkId, maxPayments, organizationId, mode } = link
    if (maxPayments === null) return true
    const askedAt = yield* Clock.currentTimeMillis
    const now = yield* within(organizationId, mode)(Clock.currentTimeMillis)
    const share = placeShareOf(maxPayments, link, settings)
    // In the database they would wait for each other with a connection each.
    return yield* turns(`${linkId} ${visitor}`)(
      store.takePlace({ ...share, linkId, invoiceId, visitor, now, askedAt, freshMs })
    )
  })

  const show = Effect.fnUntraced(function* (slug: string) {
    const { refusal, ...offer } = yield* look(slug)
    return refusal === null ? (offer as LinkOffer) : yield* refusal
  })

  const pay = Effect.fn("PaymentLinks.pay")(function* (slug: string, body: unknown, ticket: string | null = null) {
    const { link, refusal } = yield* look(slug)
    // What was sent before finds its invoice whether a place is left or not: the write tells.
    if (refusal !== null && refusal._tag !== "LinkSoldOut") return yield* refusal
    if (!isObject(body)) return yield* new FieldRefused({ code: "invalid_json" })
    const [fault] = linkFaults(link, body, settings)
    if (fault !== undefined) return yield* new FieldRefused({ code: fault.code })
    const { organizationId, mode, connectionId } = link
    const caller = { organizationId, mode, connectionId, source: "system" } as const
    const now = yield* within(organizationId, mode)(Clock.currentTimeMillis)
    const options = {
      once: ticket !== null && ticketForm.test(ticket) ? [ticket] : [],
      waitingMs: waitingMsOf(link, now, settings)
    }
    const request = { body: linkInvoiceRequest(link, body) }
    return yield* invoices.createWaiting(caller, request, { kind: "payment-link", id: link.id }, options)
  })

  return {
    /** Adds a link; see `LinkRequest`. */
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
    /** The link that an invoice was made at, if it is still there and its merchant is in force. */
    behind,
    /**
     * Whether a visitor, by their network, may have the code of this invoice made now: one visitor holds few places
     * of a link that takes so many payments only. Asked before each code of such an invoice; may be repeated.
     */
    takePlace,
    /** A text for one rendering of the form of a link; see `pay`. */
    ticket: Effect.map(random.randomBytes(slugBytes), slugOf),
    /**
     * Makes an invoice of `{ amount?, customer?, comment? }`, a new one each time; with a `ticket` only once
     * for what is
     * sent with it. Its code is made when its page is opened; until then it is `new`.
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

/** How long an invoice of the link waits: it outlives the link only for as long as it takes to pay. */
const waitingMsOf = ({ closesAt }: PaymentLink, now: number, { closingMs, waitingMs }: PaymentLinkSettings): number => {
  const usual = waitingMs["payment-link"]
  return closesAt === null ? usual : Math.min(usual, Math.max(closingMs, closesAt - now))
}

/** What `ticket` makes. */
const ticketForm = /^[0-9a-z]{16}$/

/** How long a code may be on its way before its invoice says so. */
const freshMs = 30_000

/** Times that another slug is made up: one of 80 random bits is hardly ever taken. */
const maxSlugs = 3
