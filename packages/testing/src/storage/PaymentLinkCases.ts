/** Promises of `PaymentLinkStore`, and of `MerchantStore` about who may be paid. */
import { isInForce } from "@tolem/core/merchant/Merchant"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { accountOf, freshId, organizationOf, paymentLinkOf, startAt } from "../fixtures.ts"
import { casesOfKept, nextOf } from "./KeptCases.ts"
import { storageSubject } from "./StorageCase.ts"

const given = Effect.fnUntraced(function* (members: Partial<PaymentLink> = {}) {
  const link = paymentLinkOf(members)
  yield* PaymentLinkStore.use((store) => store.add(link, 100))
  return link
})

/** What every storage must do, of “payment links”. */
export const casesOfLinks = [
  ...casesOfKept("payment links", {
    store: PaymentLinkStore,
    of: paymentLinkOf,
    freshId: () => freshId("lnk"),
    own: { slug: "kofe-2", title: 'Кофе "екі"', description: "Қаймақпен", amount: Tiyn(9_999_999_999) },
    changes: (index) => ({ slug: `slug-${index}`, title: `Title ${index}`, description: null, amount: null }),
    tooMany: "TooManyLinks"
  }),
  ...storageSubject("payment links", {
    *"are found by their slug"() {
      const store = yield* PaymentLinkStore
      const link = yield* given({ slug: "kofe-2", mode: "live" })
      expectEqual(yield* store.findSlug("kofe-2"), Option.some(link), "by all of it")
      expectEqual(yield* store.findSlug("kofe"), Option.none(), "and by no part of it")
    },

    *"have a slug that no other has, also of requests at the same moment"() {
      const store = yield* PaymentLinkStore
      const rivals = Array.from({ length: 8 }, (_, index) =>
        paymentLinkOf({ slug: "tea", organizationId: `org_${index}`, mode: index % 2 === 0 ? "sandbox" : "live" })
      )
      const movers = yield* Effect.forEach([1, 2, 3, 4], () => given())
      const outcome = Effect.match({
        onFailure: ({ _tag }: { readonly _tag: string }) => _tag,
        onSuccess: () => "mine"
      })
      const adds = rivals.map((link) => outcome(store.add(link, 100)))
      const moves = movers.map((link) => outcome(store.replace(nextOf(link, { slug: "tea" }))))
      const outcomes = yield* Effect.all([...adds, ...moves], { concurrency: "unbounded" })
      const expected = ["mine", ...Array.from({ length: 11 }, () => "SlugTaken")].toSorted()
      expectEqual(outcomes.toSorted(), expected, "one gets it, and the others are told that it is taken")
      expectTrue(Option.isSome(yield* store.findSlug("tea")), "and it leads to one link")
    },

    *"leave the slug that they had when they get another"() {
      const store = yield* PaymentLinkStore
      const link = yield* given({ slug: "tea", amount: Tiyn(100) })
      expectTrue(yield* store.replace(nextOf(link, { slug: "coffee", amount: Tiyn(250) })), "it gets another")
      expectEqual(yield* store.findSlug("tea"), Option.none(), "the old slug leads nowhere")
      expectEqual(Option.getOrThrow(yield* store.findSlug("coffee")).amount, Tiyn(250), "the new one to the link")
      yield* given({ slug: "tea" })
    },

    *"leave their slug when they are removed"() {
      const store = yield* PaymentLinkStore
      const link = yield* given({ slug: "tea" })
      expectTrue(yield* store.remove("org_shop", link.id, startAt + 5), "it is removed")
      expectEqual(yield* store.findSlug("tea"), Option.none(), "from its address too")
      const other = yield* given({ slug: "tea", organizationId: "org_other" })
      expectEqual(yield* store.findSlug("tea"), Option.some(other), "another link may have the slug")
    },

    *"are paid to organizations that are in force"() {
      const store = yield* MerchantStore
      const owner = accountOf()
      const organization = organizationOf(owner)
      yield* store.addOrganization(organization, owner)
      const inForce = Effect.map(store.owned(organization.id), Option.exists(isInForce))
      expectEqual(
        yield* store.owned(organization.id),
        Option.some({ organization, ownerStatus: "active" as const }),
        "one is"
      )
      expectTrue(yield* inForce, "which shows")
      yield* store.setStatus({ account: owner.id, status: "blocked" }, startAt)
      expectTrue(!(yield* inForce), "not while its owner is blocked")
      yield* store.setStatus({ account: owner.id, status: "active" }, startAt)
      yield* store.setStatus({ organization: organization.id, status: "archived" }, startAt)
      expectTrue(!(yield* inForce), "nor once it is archived")
      expectEqual(yield* store.owned("org_nobody"), Option.none(), "nor where there is none")
    }
  })
]
