/** Port: where payment links are kept. Each verb is one atomic step. */

import { Context, type Effect, type Option } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { OrganizationId, PaymentLinkId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import type { PaymentLink } from "./PaymentLink.ts"

/** The organization has as many links in this mode as it may. */
export class TooManyLinks extends refusal("TooManyLinks", "too_many_links") {}

/** Another link of the service has this slug. Nothing was written. */
export class SlugTaken extends refusal("SlugTaken", "slug_taken") {}

/** Port: payment links. Removed links are kept, but no verb finds them, and their slugs are free. */
export class PaymentLinkStore extends Context.Service<
  PaymentLinkStore,
  {
    /** Adds a link if its organization has fewer than `limit` in its mode; exact under concurrency. */
    readonly add: (link: PaymentLink, limit: number) => Effect.Effect<void, TooManyLinks | SlugTaken | StorageError>
    /** The link with this id, whichever organization owns it: the caller decides what may be seen. */
    readonly find: (id: PaymentLinkId) => Effect.Effect<Option.Option<PaymentLink>, StorageError>
    /** The link with this slug. */
    readonly findSlug: (slug: string) => Effect.Effect<Option.Option<PaymentLink>, StorageError>
    /** Links of the organization in its mode, and of one cashier if the scope has one, oldest first. */
    readonly list: (scope: Viewer) => Effect.Effect<ReadonlyArray<PaymentLink>, StorageError>
    /**
     * Writes the link if the stored one has the version before, and sets its sums right if it takes so many payments
     * only. False if it was changed or removed since.
     */
    readonly replace: (link: PaymentLink) => Effect.Effect<boolean, SlugTaken | StorageError>
    /**
     * Sets right the sums of links that servers of an earlier version have moved otherwise, or not at all: of `limit`
     * links behind the id `after`. Answers where to go on; null: that were all. Does no harm where they are right.
     */
    readonly mendTotals: (after: string, limit: number) => Effect.Effect<string | null, StorageError>
    /** Removes a link of this organization. False if there is none. */
    readonly remove: (
      organizationId: OrganizationId,
      id: PaymentLinkId,
      now: number
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/PaymentLinkStore") {}
