/** The organization that a first start makes, so that a newcomer has a key to try the service with. */
import { Engine } from "@tolem/core/engine/Engine"
import { KeyScope, referralCodeOf } from "@tolem/core/merchant/Merchant"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Organizations } from "@tolem/core/merchant/Organizations"
import { linkUrl } from "@tolem/core/paymentlink/LinkJson"
import { Clock, Effect, Option, type Redacted } from "effect"

/** Its id is the same everywhere, so that a later start can still name it. */
export const id = "org_demo"

const name = "Demo shop"
/** The phone that its owner logs in with. */
export const phone = "77000000000"

/** What `open` found or made. `key` is there when this call has made the organization. */
export interface OpenShop {
  readonly key: Option.Option<Redacted.Redacted>
  /** Whether the organization is there at all: an operator's own database has none. */
  readonly exists: boolean
  /** Where a customer of it can pay; none if its merchant has removed or paused what this made. */
  readonly payAt: Option.Option<string>
}

const scope = { organizationId: id, mode: "sandbox", connectionId: null } as const

/** A link, unlike an invoice, can be paid at any time, and as often as one likes. */
const offer = { title: "Two coffees", description: "A sandbox: no money moves", amount: 1500 }

const addressOf = Effect.gen(function* () {
  const { paymentLinks, settings } = yield* Engine
  const links = yield* paymentLinks.list(scope)
  const active = Option.fromUndefinedOr(links.find(({ status }) => status === "active"))
  return Option.map(active, ({ slug }) => linkUrl(slug, settings))
})

/** Makes the organization with a sandbox key and a payment link in a database that has no organization yet. */
export const open = Effect.gen(function* () {
  const store = yield* MerchantStore
  if ((yield* store.organizationCount) > 0) {
    const exists = Option.isSome(yield* store.organization(id))
    return { key: Option.none(), exists, payAt: exists ? yield* addressOf : Option.none() } satisfies OpenShop
  }
  const createdAt = yield* Clock.currentTimeMillis
  const { settings } = yield* Engine
  const { catalogue, enforced, trialMs } = settings.tariffs
  yield* store.addOrganization(
    {
      id,
      name,
      legalName: null,
      idn: null,
      mode: "sandbox",
      tariff: catalogue[0]?.code ?? "trial",
      tariffUntil: enforced ? createdAt + trialMs : null,
      status: "active",
      ownerId: "acc_demo",
      referredBy: null,
      partnerId: null,
      createdAt
    },
    {
      id: "acc_demo",
      phone,
      name: "Demo owner",
      email: null,
      status: "active",
      referralCode: referralCodeOf("acc_demo"),
      createdAt
    }
  )
  const request = { organizationId: id, mode: "sandbox" as const, name: "first start", scopes: KeyScope.literals }
  const { text } = yield* Organizations.use((organizations) => organizations.createKey(request))
  const { paymentLinks } = yield* Engine
  yield* paymentLinks.create(scope, offer)
  return { key: Option.some(text), exists: true, payAt: yield* addressOf } satisfies OpenShop
})
