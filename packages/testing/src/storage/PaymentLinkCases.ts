/** Promises of `PaymentLinkStore`, and of `MerchantStore` about who may be paid. */
import { isInForce } from "@tolem/core/merchant/Merchant"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import { Tiyn } from "@tolem/core/value/Money"
import type { Viewer } from "@tolem/core/value/Tenant"
import { Effect, Option, Result } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { accountOf, freshId, organizationOf, paymentLinkOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const shop: Viewer = { organizationId: "org_shop", mode: "sandbox", connectionId: null }

const given = Effect.fnUntraced(function* (members: Partial<PaymentLink> = {}) {
  const link = paymentLinkOf(members)
  yield* PaymentLinkStore.use((store) => store.add(link, 100))
  return link
})

const next = (link: PaymentLink, members: Partial<PaymentLink>): PaymentLink => ({
  ...link,
  ...members,
  updatedAt: link.updatedAt + 1,
  version: link.version + 1
})

/** What every storage must do, of “payment links”. */
export const casesOfLinks = storageSubject("payment links", {
  *"come back as they were written, by id, by slug, and oldest first"() {
    const store = yield* PaymentLinkStore
    const full = yield* given({
      mode: "live",
      connectionId: "con_1",
      slug: "kofe-2",
      title: 'Кофе "екі"',
      description: "Қаймақпен",
      amount: Tiyn(9_999_999_999),
      successUrl: "https://shop.kz/thanks?a=1&b=қ",
      failUrl: "https://shop.kz/sorry#top",
      status: "paused",
      createdAt: startAt + 1,
      updatedAt: startAt + 2,
      version: 7
    })
    const newer = yield* given({ createdAt: startAt + 5 })
    const older = yield* given()
    expectEqual(yield* store.find(full.id), Option.some(full), "one by its id")
    expectEqual(yield* store.findSlug("kofe-2"), Option.some(full), "and by its slug")
    expectEqual(yield* store.findSlug("kofe"), Option.none(), "by all of it")
    expectEqual(yield* store.find(freshId("lnk")), Option.none(), "an unknown one by nothing")
    expectEqual(yield* store.list(shop), [older, newer], "the shop's own in one mode")
    const live: Viewer = { ...shop, mode: "live" }
    expectEqual(yield* store.list(live), [full], "and in the other")
    expectEqual(yield* store.list({ ...live, connectionId: "con_1" }), [full], "those of a cashier")
    expectEqual(yield* store.list({ ...live, connectionId: "con_2" }), [], "and of no other")
    expectEqual(yield* store.list({ ...shop, organizationId: "org_other" }), [], "no other organization's")
  },

  *"are as many as the limit says, by organization and mode"() {
    const store = yield* PaymentLinkStore
    const first = paymentLinkOf()
    yield* store.add(first, 2)
    yield* store.add(paymentLinkOf(), 2)
    expectEqual((yield* Effect.flip(store.add(paymentLinkOf(), 2)))._tag, "TooManyLinks", "the third is refused")
    yield* store.add(paymentLinkOf({ mode: "live" }), 2)
    yield* store.add(paymentLinkOf({ organizationId: "org_other" }), 2)
    expectTrue(yield* store.remove("org_shop", first.id, startAt), "one is removed")
    yield* store.add(paymentLinkOf(), 2)
    expectEqual((yield* store.list(shop)).length, 2, "a removed one leaves its place")
  },

  *"are as many as the limit says, also when added at once"() {
    const store = yield* PaymentLinkStore
    const results = yield* Effect.forEach(
      Array.from({ length: 12 }, () => paymentLinkOf()),
      (link) => Effect.result(store.add(link, 5)),
      { concurrency: "unbounded" }
    )
    expectEqual(results.filter(Result.isSuccess).length, 5, "five are added")
    expectEqual((yield* store.list(shop)).length, 5, "and are there")
  },

  *"have a slug that no other has, also of requests at the same moment"() {
    const store = yield* PaymentLinkStore
    const rivals = Array.from({ length: 8 }, (_, index) =>
      paymentLinkOf({ slug: "tea", organizationId: `org_${index}`, mode: index % 2 === 0 ? "sandbox" : "live" })
    )
    const movers = yield* Effect.forEach([1, 2, 3, 4], () => given())
    const outcome = Effect.match({ onFailure: ({ _tag }: { readonly _tag: string }) => _tag, onSuccess: () => "mine" })
    const adds = rivals.map((link) => outcome(store.add(link, 100)))
    const moves = movers.map((link) => outcome(store.replace(next(link, { slug: "tea" }))))
    const outcomes = yield* Effect.all([...adds, ...moves], { concurrency: "unbounded" })
    const expected = ["mine", ...Array.from({ length: 11 }, () => "SlugTaken")].toSorted()
    expectEqual(outcomes.toSorted(), expected, "one gets it, and the others are told that it is taken")
    expectTrue(Option.isSome(yield* store.findSlug("tea")), "and it leads to one link")
  },

  *"are replaced by the first writer"() {
    const store = yield* PaymentLinkStore
    const link = yield* given({ amount: Tiyn(100), description: "x" })
    const neighbour = yield* given()
    const changes = Array.from({ length: 5 }, (_, index) =>
      next(link, {
        slug: `slug-${index}`,
        title: `Title ${index}`,
        description: null,
        amount: null,
        successUrl: "https://shop.kz/",
        failUrl: "https://shop.kz/no",
        status: "paused"
      })
    )
    const written = yield* Effect.forEach(changes, (change) => store.replace(change), {
      concurrency: "unbounded"
    })
    expectEqual(written.filter((isFirst) => isFirst).length, 1, "one wins")
    const [winner] = changes.filter((_, index) => written[index])
    expectEqual(yield* store.list(shop), [winner!, neighbour], "and is what is stored, its neighbour untouched")
    expectEqual(yield* store.findSlug(link.slug), Option.none(), "the old slug leads nowhere")
    yield* given({ slug: link.slug })
    const strange = { ...next(winner!, {}), organizationId: "org_other" }
    expectTrue(!(yield* store.replace(strange)), "no other organization can")
    yield* store.replace(next(winner!, { amount: Tiyn(250) }))
    expectEqual(Option.getOrThrow(yield* store.find(link.id)).amount, Tiyn(250), "and it can be changed again")
  },

  *"leave their slug when they are removed, by their own organization only"() {
    const store = yield* PaymentLinkStore
    const link = yield* given({ slug: "tea" })
    expectTrue(!(yield* store.remove("org_other", link.id, startAt)), "a stranger finds none to remove")
    expectTrue(yield* store.remove("org_shop", link.id, startAt + 5), "its owner does")
    expectTrue(!(yield* store.remove("org_shop", link.id, startAt + 5)), "once")
    expectEqual(yield* store.find(link.id), Option.none(), "it is gone")
    expectEqual(yield* store.findSlug("tea"), Option.none(), "from its address too")
    expectTrue(!(yield* store.replace(next(link, {}))), "it cannot be changed")
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
