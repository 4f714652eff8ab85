/** Promises of `PaymentLinkStore`, and of `MerchantStore` about who may be paid. */
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { isInForce } from "@tolem/core/merchant/Merchant"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import { namedOf } from "@tolem/core/picture/PictureFiles"
import { PictureStore, type StoredPicture } from "@tolem/core/picture/PictureStore"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { accountOf, creationOf, freshId, organizationOf, paymentLinkOf, startAt } from "../fixtures.ts"
import { casesOfKept, nextOf } from "./KeptCases.ts"
import { storageSubject } from "./StorageCase.ts"

const given = Effect.fnUntraced(function* (members: Partial<PaymentLink> = {}, picture: StoredPicture | null = null) {
  const link = paymentLinkOf(members)
  yield* PaymentLinkStore.use((store) => store.add(link, 100, picture))
  return link
})

const pictureOf = (digit: string): StoredPicture => ({
  id: digit.repeat(40),
  organizationId: "org_shop",
  contentType: "image/jpeg",
  bytes: new TextEncoder().encode(digit),
  width: 3,
  height: 2,
  createdAt: startAt
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

    *"have pictures, which go with the last link that shows them, and not with a logo"() {
      const [links, pictures] = [yield* PaymentLinkStore, yield* PictureStore]
      const isKept = ({ id }: StoredPicture) => Effect.map(pictures.find(id), Option.isSome)
      const [tea, milk] = [pictureOf("a"), pictureOf("b")]
      const link = paymentLinkOf({ picture: namedOf(tea) })
      yield* links.add(link, 100, tea)
      expectEqual(yield* links.find(link.id), Option.some(link), "a link has its picture")
      expectEqual(yield* pictures.find(tea.id), Option.some(tea), "which is kept with it")
      const other = paymentLinkOf({ picture: namedOf(tea) })
      yield* links.add(other, 100, tea)
      const changed = nextOf(link, { picture: namedOf(milk) })
      expectTrue(yield* links.replace(changed, milk), "a link gets another picture")
      expectTrue((yield* isKept(tea)) && (yield* isKept(milk)), "and the one that another link shows stays")
      expectTrue(!(yield* links.replace(changed, milk)), "a change that came too late changes nothing")
      yield* links.remove("org_shop", other.id, startAt)
      expectTrue(!(yield* isKept(tea)), "the picture of the last link that showed it goes with the link")
      expectTrue(yield* links.replace(nextOf(changed, { title: "Tea" })), "a change that says nothing of the picture")
      expectTrue(yield* isKept(milk), "keeps it")
      const rivals = [links.remove("org_shop", link.id, startAt), given({ picture: namedOf(milk) }, milk)] as const
      yield* Effect.all(rivals, { concurrency: "unbounded" })
      expectTrue(yield* isKept(milk), "what goes with one link and comes with another at the same moment is there")
    },

    *"lend their places to a visitor only as far as their share goes"() {
      const [links, invoices] = [yield* PaymentLinkStore, yield* InvoiceStore]
      const { id: linkId } = yield* given({ maxPayments: 9 })
      const invoiceOf = Effect.fnUntraced(function* (members: Partial<Invoice>) {
        const creation = creationOf({ origin: { kind: "payment-link", id: linkId }, ...members })
        yield* invoices.insertMany([creation])
        return creation.invoice.id
      })
      const taking = {
        linkId,
        visitor: "10.0.0.1",
        mostBeside: 0,
        restMs: 0,
        now: startAt,
        askedAt: startAt,
        freshMs: 9
      }
      const open = yield* invoiceOf({ status: "pending" })
      const waiting = yield* invoiceOf({ status: "new", stage: "waits" })
      expectTrue(yield* links.takePlace({ ...taking, invoiceId: open }), "the first has a place")
      expectTrue(yield* links.takePlace({ ...taking, invoiceId: open }), "and has it again")
      expectTrue(!(yield* links.takePlace({ ...taking, invoiceId: waiting })), "no other beside it")
      expectTrue(yield* links.takePlace({ ...taking, invoiceId: waiting, mostBeside: 1 }), "but for a larger share")
      expectTrue(yield* links.takePlace({ ...taking, invoiceId: open, visitor: "10.0.0.2" }), "others have their own")
      const third = yield* invoiceOf({ status: "expired", updatedAt: startAt })
      expectTrue(!(yield* links.takePlace({ ...taking, invoiceId: third })), "what is on its way counts")
      const later = { ...taking, askedAt: startAt + 9, visitor: "10.0.0.1" }
      expectTrue(yield* links.takePlace({ ...later, invoiceId: third }), "for a short while")
      const rest = { ...later, visitor: "10.0.0.1", invoiceId: waiting, now: startAt + 50, askedAt: startAt + 50 }
      expectTrue(!(yield* links.takePlace({ ...rest, restMs: 51 })), "who has let one lapse leaves places to others")
      expectTrue(yield* links.takePlace({ ...rest, restMs: 50 }), "for as long as is said")
      const forgotten = []
      for (const limit of [2, 2, 2]) forgotten.push(yield* links.forgetTakers(startAt + 51, limit))
      expectEqual(forgotten, [2, 1, 0], "as many as are asked for at once")
      expectTrue(yield* links.takePlace({ ...rest, restMs: 51 }), "what is forgotten counts no more")
    },

    *"are swept by one at a time, in steps, from where it was left"() {
      const store = yield* PaymentLinkStore
      for (const maxPayments of [null, 1, 2]) yield* given({ maxPayments })
      const lend = (at: number) => store.lendSweep(at, at + 10, 100)
      const lends = yield* Effect.all([lend(1), lend(1), lend(1)], { concurrency: "unbounded" })
      const [lent] = lends.flatMap(Option.toArray)
      expectEqual(lends.filter(Option.isSome).length, 1, "it is lent to one")
      const first = yield* store.sweep(lent!, { limit: 2, until: 20, nextAt: 1000 })
      expectTrue(first?.isWhole === true, "who looks at two links of three")
      expectTrue(Option.isNone(yield* lend(19)), "and keeps it")
      const [taken] = Option.toArray(yield* lend(20))
      expectEqual(taken?.after, first?.after, "until they are gone: then another goes on where they were")
      expectEqual(yield* store.sweep(first!, { limit: 2, until: 30, nextAt: 1000 }), null, "and they may not")
      expectEqual(yield* store.sweep(taken!, { limit: 2, until: 30, nextAt: 1000 }), null, "until all were looked at")
      expectTrue(Option.isNone(yield* lend(999)), "it falls due again")
      const [next] = Option.toArray(yield* lend(1000))
      expectEqual([next?.after, next?.isWhole], ["", false], "and is then over links that sell out")
      const last = yield* store.sweep(next!, { limit: 3, until: 2000, nextAt: 3000 })
      expectEqual(last, null, "of which there are two")
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
