/** Port: where payment links are kept. Each verb is one atomic step. */

import { Context, type Effect, type Option } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { StoredPicture } from "../picture/PictureStore.ts"
import type { InvoiceId, OrganizationId, PaymentLinkId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import type { PaymentLink } from "./PaymentLink.ts"
import type { PlaceShare } from "./PlaceShare.ts"

/** The organization has as many links in this mode as it may. */
export class TooManyLinks extends refusal("TooManyLinks", "too_many_links") {}

/** Another link of the service has this slug. Nothing was written. */
export class SlugTaken extends refusal("SlugTaken", "slug_taken") {}

/** A visitor who wants the code of an invoice that was made at a link. */
export interface PlaceTaking extends PlaceShare {
  readonly linkId: PaymentLinkId
  readonly invoiceId: InvoiceId
  /** Their network, see `Network.ts`. */
  readonly visitor: string
  /** The time of the link's mode, and the real one. */
  readonly now: number
  readonly askedAt: number
  readonly freshMs: number
}

/** A sweep over the sums of links that is under way. */
export interface LinkSweep {
  /** The id of the last link that was looked at. */
  readonly after: string
  /** Whether links that take any number of payments are looked at as well. */
  readonly isWhole: boolean
  /** Until when it is lent: with this it is known whose it is. */
  readonly until: number
}

/** Port: payment links. Removed links are kept, but no verb finds them, and their slugs are free. */
export class PaymentLinkStore extends Context.Service<
  PaymentLinkStore,
  {
    /**
     * Adds a link, with its picture, if its organization has fewer than `limit` in its mode; exact under concurrency.
     */
    readonly add: (
      link: PaymentLink,
      limit: number,
      picture?: StoredPicture | null
    ) => Effect.Effect<void, TooManyLinks | SlugTaken | StorageError>
    /** The link with this id, whichever organization owns it: the caller decides what may be seen. */
    readonly find: (id: PaymentLinkId) => Effect.Effect<Option.Option<PaymentLink>, StorageError>
    /** The link with this slug. */
    readonly findSlug: (slug: string) => Effect.Effect<Option.Option<PaymentLink>, StorageError>
    /** Links of the organization in its mode, and of one cashier if the scope has one, oldest first. */
    readonly list: (scope: Viewer) => Effect.Effect<ReadonlyArray<PaymentLink>, StorageError>
    /**
     * Writes the link if the stored one has the version before, and sets its sums right if it takes so many payments
     * only. `picture` is the one that is new in it; one that it has no more goes, unless another link shows it. False
     * if it was changed or removed since.
     */
    readonly replace: (
      link: PaymentLink,
      picture?: StoredPicture | null
    ) => Effect.Effect<boolean, SlugTaken | StorageError>
    /**
     * Notes that a visitor is about to have the code of an invoice made at a link, and answers true, if their share
     * allows it; may be repeated. Two at once of one visitor take turns. Their codes that can be paid and are not
     * count, and for `freshMs` what was only noted.
     */
    readonly takePlace: (taking: PlaceTaking) => Effect.Effect<boolean, StorageError>
    /** Forgets what was noted before this real instant, `limit` rows at most, and answers how many it was. */
    readonly forgetTakers: (before: number, limit: number) => Effect.Effect<number, StorageError>
    /**
     * Lends the sweep over the sums of links until `until`, if it is due at `now`, to one who asks. From the first
     * time on, for `wholeMs`, it is over all links, and afterwards over those that take so many payments only.
     */
    readonly lendSweep: (
      now: number,
      until: number,
      wholeMs: number
    ) => Effect.Effect<Option.Option<LinkSweep>, StorageError>
    /**
     * Sets right the sums of the next `limit` links, which servers of an earlier version may have moved otherwise or
     * not at all, and extends the loan to `until`; at the end the sweep falls due at `nextAt`. Null: it has ended, or
     * another has it.
     */
    readonly sweep: (
      lent: LinkSweep,
      step: { readonly limit: number; readonly until: number; readonly nextAt: number }
    ) => Effect.Effect<LinkSweep | null, StorageError>
    /** Removes a link of this organization, and its picture unless another link shows it. False if there is none. */
    readonly remove: (
      organizationId: OrganizationId,
      id: PaymentLinkId,
      now: number
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/PaymentLinkStore") {}
