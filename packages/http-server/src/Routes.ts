/** Every route of the service, for a listening server and for the web handler alike. */
import { Api } from "@tolem/api/Api"
import { PanelApi } from "@tolem/api/PanelApi"
import type { RateStore } from "@tolem/core/access/RateStore"
import type { Engine } from "@tolem/core/engine/Engine"
import type { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { BacklogStore } from "@tolem/core/measure/BacklogStore"
import type { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { type HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as AccountHttp from "./api/AccountHttp.ts"
import * as EventsHttp from "./api/EventsHttp.ts"
import * as FormHooksHttp from "./api/FormHooksHttp.ts"
import * as InvoicesHttp from "./api/InvoicesHttp.ts"
import * as PartnerHttp from "./api/PartnerHttp.ts"
import * as PaymentLinksHttp from "./api/PaymentLinksHttp.ts"
import * as SubscriptionsHttp from "./api/SubscriptionsHttp.ts"
import * as WebhooksHttp from "./api/WebhooksHttp.ts"
import * as CabinetSite from "./cabinet/CabinetSite.ts"
import * as Docs from "./docs/Docs.ts"
import * as Authentication from "./http/Authentication.ts"
import * as Edge from "./http/Edge.ts"
import { KnownRoutes, recording } from "./http/KnownRoutes.ts"
import { Room } from "./http/Room.ts"
import * as Health from "./operations/Health.ts"
import * as HookPages from "./pages/HookPages.ts"
import * as LinkPages from "./pages/LinkPages.ts"
import * as PageChanges from "./pages/PageChanges.ts"
import * as Pictures from "./pages/Pictures.ts"
import * as Posters from "./pages/Posters.ts"
import * as PublicPages from "./pages/PublicPages.ts"
import * as Previews from "./pages/preview/Previews.ts"
import * as SandboxPages from "./pages/SandboxPages.ts"
import * as SitePages from "./pages/SitePages.ts"
import * as StartPages from "./pages/StartPages.ts"
import * as LoginHttp from "./panel/LoginHttp.ts"
import * as PanelOperatorAccountsHttp from "./panel/operator/PanelOperatorAccountsHttp.ts"
import * as PanelOperatorEarningsHttp from "./panel/operator/PanelOperatorEarningsHttp.ts"
import * as PanelOperatorJournalHttp from "./panel/operator/PanelOperatorJournalHttp.ts"
import * as PanelOperatorOrganizationsHttp from "./panel/operator/PanelOperatorOrganizationsHttp.ts"
import * as PanelOperatorPlatformHttp from "./panel/operator/PanelOperatorPlatformHttp.ts"
import * as PanelAttentionHttp from "./panel/PanelAttentionHttp.ts"
import * as PanelBillingHttp from "./panel/PanelBillingHttp.ts"
import * as PanelBulkHttp from "./panel/PanelBulkHttp.ts"
import * as PanelClientsHttp from "./panel/PanelClientsHttp.ts"
import * as PanelConnectionsHttp from "./panel/PanelConnectionsHttp.ts"
import * as PanelDevelopersHttp from "./panel/PanelDevelopersHttp.ts"
import * as PanelExportsHttp from "./panel/PanelExportsHttp.ts"
import * as PanelInvitationsHttp from "./panel/PanelInvitationsHttp.ts"
import * as PanelInvoicesHttp from "./panel/PanelInvoicesHttp.ts"
import * as PanelJournalHttp from "./panel/PanelJournalHttp.ts"
import * as PanelNoticesHttp from "./panel/PanelNoticesHttp.ts"
import * as PanelOrganizationsHttp from "./panel/PanelOrganizationsHttp.ts"
import * as PanelProfileHttp from "./panel/PanelProfileHttp.ts"
import * as PanelReconciliationHttp from "./panel/PanelReconciliationHttp.ts"
import * as PanelRefundsHttp from "./panel/PanelRefundsHttp.ts"
import * as PanelReportsHttp from "./panel/PanelReportsHttp.ts"
import * as PanelSecurity from "./panel/PanelSecurity.ts"
import * as PanelSubscriptionsHttp from "./panel/PanelSubscriptionsHttp.ts"
import * as PanelWebhooksHttp from "./panel/PanelWebhooksHttp.ts"
import * as SessionsHttp from "./panel/SessionsHttp.ts"

/** What the routes need. */
export type Needs = Engine | InvoiceStore | MerchantStore | RateStore | BacklogStore | SecureRandom.SecureRandom

/** Routes that are added to those of the service: an application's own, say. */
export type More = Layer.Layer<never, never, HttpRouter.HttpRouter | Needs>

const api = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(
    Layer.mergeAll(
      InvoicesHttp.layer,
      SubscriptionsHttp.layer,
      AccountHttp.layer,
      PartnerHttp.layer,
      PaymentLinksHttp.layer,
      FormHooksHttp.layer,
      WebhooksHttp.layer,
      EventsHttp.layer
    )
  ),
  Layer.provide(Authentication.layer)
)

const panel = HttpApiBuilder.layer(PanelApi).pipe(
  Layer.provide(
    Layer.mergeAll(
      LoginHttp.layer,
      SessionsHttp.layer,
      PanelInvoicesHttp.layer,
      PanelOrganizationsHttp.layerMemberships,
      PanelOrganizationsHttp.layer,
      PanelInvitationsHttp.layer,
      PanelInvitationsHttp.layerOwn,
      PanelProfileHttp.layer,
      PanelReportsHttp.layer,
      PanelNoticesHttp.layer,
      PanelBulkHttp.layer,
      PanelExportsHttp.layer,
      PanelAttentionHttp.layer,
      PanelDevelopersHttp.layer,
      PanelClientsHttp.layer,
      PanelJournalHttp.layer,
      PanelBillingHttp.layer,
      PanelReconciliationHttp.layer,
      PanelRefundsHttp.layer,
      PanelConnectionsHttp.layer,
      PanelWebhooksHttp.layer,
      PanelWebhooksHttp.layerLinks,
      PanelWebhooksHttp.layerHooks,
      PanelSubscriptionsHttp.layer,
      PanelOperatorAccountsHttp.layer,
      PanelOperatorOrganizationsHttp.layer,
      PanelOperatorEarningsHttp.layer,
      PanelOperatorJournalHttp.layer,
      PanelOperatorPlatformHttp.layer
    )
  ),
  Layer.provide(
    Layer.mergeAll(
      PanelSecurity.layerSessions,
      PanelSecurity.layerDesks,
      PanelSecurity.layerOperators,
      PanelSecurity.layerGuard
    )
  )
)

/** Parts of the service that may be served apart from the others. */
const parts = {
  /** `/api/v1`. */
  api,
  /** What the cabinet calls. */
  panel,
  /** Pay pages, receipts, payment links, form hooks, and the site's icon. */
  pages: Layer.mergeAll(
    PublicPages.layer,
    PageChanges.layer,
    SandboxPages.layer,
    LinkPages.layer,
    HookPages.layer,
    SitePages.layer,
    StartPages.layer,
    Previews.layer,
    Posters.layer,
    Pictures.layer
  ),
  /** The merchant's cabinet. It calls what `panel` serves. */
  cabinet: CabinetSite.layer,
  /** The OpenAPI document and its page. */
  docs: Docs.layer,
  /** `/health/live`, `/health/ready` and `/metrics`. */
  health: Health.layer
}

/** The name of a part. */
export type Part = keyof typeof parts

type Needed = Needs | Layer.Services<(typeof parts)[Part]>

const all = Object.keys(parts) as ReadonlyArray<Part>

/**
 * The routes of the service, its public pages among them, or `only` some parts, and those of `more`. All of them get
 * the one error shape, the headers of every answer, metrics, and 405 for a wrong method.
 */
export const layer = (
  more: More = Layer.empty,
  only: ReadonlyArray<Part> = all
): Layer.Layer<never, never, HttpRouter.HttpRouter | Health.Draining | Needs> =>
  Layer.mergeAll(more, ...only.map((name): Layer.Layer<never, never, Needed> => parts[name])).pipe(
    Layer.provide(recording),
    Layer.merge(Edge.layer),
    Layer.provide(KnownRoutes.layer),
    Layer.provide(Room.layer),
    Layer.provide(HttpServer.layerServices)
  )
