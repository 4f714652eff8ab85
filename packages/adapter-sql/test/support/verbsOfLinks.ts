/** Verbs of payment links and form hooks, called with fixed values. */
import { FormHookStore } from "@tolem/core/formhook/FormHookStore"
import { FormRefusalStore } from "@tolem/core/formhook/FormRefusalStore"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import { formHookOf, paymentLinkOf, startAt } from "@tolem/testing/fixtures"
import { formRefusalOf, refusedFormsOf } from "@tolem/testing/storage/FormRefusalCases"
import { Effect } from "effect"

const shop = { organizationId: "org_shop", mode: "sandbox" as const }

const link = paymentLinkOf({ id: "lnk_1", slug: "tea" })
const hook = formHookOf({ id: "hok_1" })
const picture = {
  id: "1".repeat(40),
  organizationId: "org_shop",
  contentType: "image/jpeg",
  bytes: new Uint8Array([1, 2, 3]),
  width: 3,
  height: 2,
  createdAt: startAt
} as const
const pictured = paymentLinkOf({
  id: "lnk_2",
  slug: "milk",
  picture: { name: picture.id, width: 3, height: 2 }
})
const taking = {
  linkId: "lnk_1",
  invoiceId: "inv_1",
  visitor: "10.0.0.1",
  mostBeside: 0,
  restMs: 1000,
  now: startAt,
  askedAt: startAt,
  freshMs: 1000
} as const
const ofCashier = { ...shop, connectionId: "con_1" }

export const links = Effect.map(PaymentLinkStore, (store) => ({
  "add a link": store.add(link, 10),
  "find a link": store.find("lnk_1"),
  "find a slug": store.findSlug("tea"),
  "list links": store.list({ ...shop, connectionId: null }),
  "list links of a cashier": store.list(ofCashier),
  "replace a link": store.replace({ ...link, version: 2 }),
  "add a link with a picture": store.add({ ...pictured, picture: null }, 10, picture),
  "show another picture": store.replace({ ...pictured, version: 2 }, picture),
  "take a place": store.takePlace(taking),
  "forget takers": store.forgetTakers(startAt, 250),
  "lend the sweep over links": store.lendSweep(startAt, startAt + 5000, 9000),
  "sweep over links": store.sweep(
    { after: "", isWhole: true, until: startAt + 5000 },
    { limit: 1, until: startAt + 6000, nextAt: startAt + 7000 }
  ),
  "sweep over links that sell out": store.sweep(
    { after: "lnk_1", isWhole: false, until: startAt + 6000 },
    { limit: 2, until: startAt + 6000, nextAt: startAt + 7000 }
  ),
  "remove a link": store.remove("org_shop", "lnk_1", startAt)
}))

export const hooks = Effect.map(FormHookStore, (store) => ({
  "add a hook": store.add(hook, 10),
  "find a hook": store.find("hok_1"),
  "list hooks": store.list({ ...shop, connectionId: null }),
  "list hooks of a cashier": store.list(ofCashier),
  "count a caught form": store.countCaught("hok_1"),
  "replace a hook": store.replace({ ...hook, version: 2 }),
  "remove a hook": store.remove("org_shop", "hok_1", startAt)
}))

const ofHook = { organizationId: "org_shop", hookId: "hok_1", since: startAt } as const

export const formRefusals = Effect.map(FormRefusalStore, (store) => ({
  "add refused forms": store.add([refusedFormsOf([formRefusalOf()])], 20),
  "list refused forms": store.list({ ...ofHook, reason: null, limit: 100 }),
  "list forms refused for a reason": store.list({ ...ofHook, reason: "invalid_amount", limit: 100 }),
  "counts of refused forms": store.counts(ofHook),
  "forget refused forms": store.forget(startAt, 200)
}))
