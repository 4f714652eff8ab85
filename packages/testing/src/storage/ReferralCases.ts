/** Promises about who was brought by which referrer, and what that earns. */
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { PartnerStore } from "@tolem/core/partner/PartnerStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf } from "../fixtures.ts"
import { opened } from "./DirectoryCases.ts"
import { storageSubject } from "./StorageCase.ts"

/** What every storage must do, of “referrers”. */
export const casesOfReferrals = storageSubject("referrers", {
  *"bring others, whose first organization names them"() {
    const { owner: referrer } = yield* opened()
    const { referralCode } = referrer
    const merchant = accountOf()
    const first = yield* opened(merchant, {}, { referrer: { code: referralCode } })
    expectEqual(first.organization.referredBy, referrer.id, "the first does")
    const second = yield* opened(merchant, {}, { referrer: { code: referralCode } })
    expectEqual(second.organization.referredBy, null, "the second does not")
    const own = yield* opened(referrer, {}, { referrer: { code: referralCode } })
    expectEqual(own.organization.referredBy, null, "no one brings themselves")
    const stranger = accountOf()
    const strange = yield* Effect.flip(opened(stranger, {}, { referrer: { code: "nobody" } }))
    expectEqual(strange._tag, "InvalidReferralCode", "an unknown code is refused")
    const directory = yield* DirectoryStore
    expectEqual(Option.isNone(yield* directory.account({ phone: stranger.phone })), true, "and nothing is written")
    const store = yield* PartnerStore
    expectEqual(
      (yield* store.earned(referrer.id, null)).referred.map(
        (one) => `${one.organizationId} ${one.accrued} ${one.paidOut}`
      ),
      [`${first.organization.id} 0 0`],
      "it is listed, and has paid nothing yet"
    )
  },

  *"bring a person once, also when they open two organizations at once"() {
    const { owner: referrer } = yield* opened()
    // As requests do: each makes an account of its own for the phone, and one of them is kept.
    const { phone } = accountOf()
    const all = yield* Effect.forEach(
      Array.from({ length: 6 }, () => ({ referrer: { code: referrer.referralCode } })),
      (opening) => opened(accountOf({ phone }), {}, opening),
      { concurrency: "unbounded" }
    )
    const brought = all.filter(({ organization }) => organization.referredBy === referrer.id)
    expectEqual(brought.length, 1, "one of them is the first")
  },

  *"are told their code and those that it has brought"() {
    const { owner: referrer } = yield* opened()
    const { referralCode } = referrer
    const { organization } = yield* opened(accountOf(), {}, { referrer: { code: referralCode } })
    const store = yield* PartnerStore
    const { id: organizationId, name, createdAt } = organization
    const one = { organizationId, name, createdAt, accrued: 0n, paidOut: 0n }
    expectEqual(yield* store.earned(referrer.id, null), { referralCode, referred: [one] }, "one")
    expectEqual(
      yield* store.earned("acc_none", null),
      { referralCode: "", referred: [] },
      "an unknown account has none"
    )
  },

  *"have brought those that their partner organization opens, and see all that it has opened"() {
    const { owner: patron } = yield* opened(accountOf(), { id: "org_patron" })
    const opening = { referrer: { id: patron.id } }
    const client = accountOf()
    const first = yield* opened(client, { partnerId: "org_patron" }, opening)
    const second = yield* opened(client, { partnerId: "org_patron" }, opening)
    const own = yield* opened(patron, { partnerId: "org_patron" }, opening)
    const attached = [first, second, own].map(({ organization }) => organization.referredBy)
    expectEqual(attached, [patron.id, null, null], "the first organization of another")
    const store = yield* PartnerStore
    const idsOf = (partnerId: OrganizationId | null) =>
      Effect.map(store.earned(patron.id, partnerId), ({ referred }) =>
        referred.map(({ organizationId }) => organizationId).toSorted()
      )
    expectEqual(yield* idsOf(null), [first.organization.id], "what was brought")
    const all = [first, second, own].map(({ organization }) => organization.id).toSorted()
    expectEqual(yield* idsOf("org_patron"), all, "and what was opened")
  }
})
