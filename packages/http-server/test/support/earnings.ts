/** What referrers earn, as if tariffs had been bought. */
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { TariffStore } from "@tolem/core/tariff/TariffStore"
import { Tiyn } from "@tolem/core/value/Money"
import { auditOf, earningOf, ordered, tariffOrderOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Option } from "effect"
import type { Person } from "./people.ts"
import type { Service } from "./service.ts"

/** Lets a person earn amounts of tiyn, one after the other, by an organization; answers the ids of the earnings. */
export const earned = Effect.fnUntraced(function* (
  accountId: string,
  organizationId: string,
  amounts: ReadonlyArray<number>
) {
  const store = yield* TariffStore
  const ids: Array<string> = []
  for (const [index, amount] of amounts.entries()) {
    const merchants = yield* MerchantStore
    const before = Option.getOrThrow(yield* merchants.organization(organizationId))
    const order = yield* ordered(tariffOrderOf(organizationId, { createdAt: before.createdAt + index }), true)
    const now = before.createdAt + 100 + index
    const earning = earningOf(order, { accountId, amount: Tiyn(amount), createdAt: now })
    const audit = auditOf({ action: "tariff.paid", organizationId, subject: order.id })
    yield* store.fulfil({ order, before, after: before, earning, now, audit })
    ids.push(earning.id)
  }
  return ids
})

/** The same at a server. */
export const earn = (
  service: Service,
  { accountId }: Pick<Person, "accountId">,
  organizationId: string,
  amounts: ReadonlyArray<number>
): Promise<ReadonlyArray<string>> => service.run(earned(accountId, organizationId, amounts))
