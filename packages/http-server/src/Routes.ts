/** Every route of the service, for a listening server and for the web handler alike. */
import { Api } from "@tolem/api/Api"
import { PanelApi } from "@tolem/api/PanelApi"
import type { Engine } from "@tolem/core/Engine"
import type { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { RateStore } from "@tolem/core/ratelimit/RateStore"
import { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { type HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as AccountHttp from "./AccountHttp.ts"
import * as Authentication from "./Authentication.ts"
import * as Docs from "./Docs.ts"
import * as Edge from "./Edge.ts"
import * as FormHooksHttp from "./FormHooksHttp.ts"
import * as Health from "./Health.ts"
import * as InvoicesHttp from "./InvoicesHttp.ts"
import { KnownRoutes, recording } from "./KnownRoutes.ts"
import * as LoginHttp from "./LoginHttp.ts"
import * as PanelOrganizationsHttp from "./PanelOrganizationsHttp.ts"
import * as PanelSecurity from "./PanelSecurity.ts"
import * as PartnerHttp from "./PartnerHttp.ts"
import * as PaymentLinksHttp from "./PaymentLinksHttp.ts"
import * as PublicForms from "./PublicForms.ts"
import * as PublicPages from "./pages/PublicPages.ts"
import { Room } from "./Room.ts"
import * as SessionsHttp from "./SessionsHttp.ts"
import * as SubscriptionsHttp from "./SubscriptionsHttp.ts"
import * as WebhooksHttp from "./WebhooksHttp.ts"

/** What the routes need. */
export type Needs = Engine | InvoiceStore | MerchantStore | RateStore | SecureRandom.SecureRandom

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
      WebhooksHttp.layer
    )
  ),
  Layer.provide(Authentication.layer)
)

const panel = HttpApiBuilder.layer(PanelApi).pipe(
  Layer.provide(Layer.mergeAll(LoginHttp.layer, SessionsHttp.layer, PanelOrganizationsHttp.layer)),
  Layer.provide(Layer.merge(PanelSecurity.layerSessions, PanelSecurity.layerGuard))
)

/**
 * The routes of the service, its public pages among them, and those of `more`. All of them get the one error shape,
 * the headers of every answer, metrics, and 405 for a wrong method.
 */
export const layer = (
  more: More = Layer.empty
): Layer.Layer<never, never, HttpRouter.HttpRouter | Health.Draining | Needs> =>
  Layer.mergeAll(api, panel, Docs.layer, Health.layer, PublicPages.layer, PublicForms.layer, more).pipe(
    Layer.provide(recording),
    Layer.merge(Edge.layer),
    Layer.provide(KnownRoutes.layer),
    Layer.provide(Room.layer),
    Layer.provide(HttpServer.layerServices)
  )
