/** The same promises as in `StorageSuiteReads`, of what is shown of organizations, people and partners. */
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { PartnerStore } from "@tolem/core/partner/PartnerStore"
import { TariffStore } from "@tolem/core/tariff/TariffStore"
import { Effect, Option } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { accountOf, creationOf, organizationOf, startAt } from "../fixtures.ts"
import { during, rounds, writers } from "../Meanwhile.ts"
import { connectionOf } from "./ConnectionCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const opened = Effect.fnUntraced(function* (members: Parameters<typeof organizationOf>[1] = {}) {
  const owner = accountOf()
  const organization = organizationOf(owner, members)
  yield* MerchantStore.use((store) => store.addOrganization(organization, owner))
  return organization
})

/** What every storage must do, of “reads, while others write”. */
export const casesOfReadsOfMerchants = storageSubject("reads, while others write,", {
  *"show an organization with its usage and its cashiers"() {
    const [store, invoices, connections] = [yield* TariffStore, yield* InvoiceStore, yield* ConnectionStore]
    const { id: organizationId, tariff } = yield* opened({ tariffUntil: 0 })
    const steps = 2 * writers
    const read = Effect.map(store.standing(organizationId, startAt), (found) => {
      const { organization, usage, connections } = Option.getOrThrow(found)
      const order = [organization.tariffUntil ?? 0, usage.month, connections.length]
      // Each step writes them in this order.
      expectTrue(order[0]! >= order[1]! && order[1]! >= order[2]!, `what was written first is seen first: ${order}`)
      expectEqual(usage.day, usage.month, "all in one day")
      return order
    })
    const last = yield* during(read, (writer) =>
      Effect.gen(function* () {
        for (let step = 1; writer === 0 && step <= steps; step++) {
          const [before, after] = [step - 1, step].map((tariffUntil) => ({ tariff, tariffUntil }))
          yield* store.setTerm(organizationId, before!, after!, auditOf())
          yield* invoices.insertMany([creationOf({ organizationId, mode: "live", connectionId: "con_1" })])
          yield* connections.add(connectionOf({ organizationId, session: null }))
        }
      })
    )
    expectEqual(last, [steps, steps, steps], "in the end")
  },

  *"show clients with their number, their invoices and their cashiers"() {
    const [store, invoices, connections] = [yield* PartnerStore, yield* InvoiceStore, yield* ConnectionStore]
    const read = Effect.map(store.clients("org_p", "2026-01", { limit: 1000, offset: 0 }), ({ total, clients }) => {
      expectEqual(clients.length, total, "as many as there are")
      for (const { totals, connections } of clients) expectTrue(inOrder(totals, connections), "invoices come first")
      return total
    })
    const total = yield* during(read, () =>
      Effect.gen(function* () {
        const { id: organizationId } = yield* opened({ partnerId: "org_p" })
        for (let round = 0; round < rounds; round++) {
          yield* invoices.insertMany([creationOf({ organizationId })])
          yield* connections.add(connectionOf({ organizationId, session: null }))
        }
      })
    )
    expectEqual(total, writers, "in the end")
  },

  *"show one client with its invoices and its cashiers"() {
    const [store, invoices, connections] = [yield* PartnerStore, yield* InvoiceStore, yield* ConnectionStore]
    const { id: organizationId } = yield* opened({ partnerId: "org_p" })
    const read = Effect.map(store.client(organizationId, "2026-01"), (found) => {
      const { totals, connections } = Option.getOrThrow(found)
      expectTrue(inOrder(totals, connections), "invoices come first")
      return connections.length
    })
    const cashiers = yield* during(read, (writer) =>
      Effect.gen(function* () {
        for (let step = 0; writer === 0 && step < 2 * writers; step++) {
          yield* invoices.insertMany([creationOf({ organizationId })])
          yield* connections.add(connectionOf({ organizationId, session: null }))
        }
      })
    )
    expectEqual(cashiers, 2 * writers, "in the end")
  },

  *"count the people and the organizations of a list that they show"() {
    const store = yield* DirectoryStore
    const query = { search: null, limit: 10_000, offset: 0 }
    const read = Effect.gen(function* () {
      const { accounts, ...people } = yield* store.accounts(query)
      const { organizations, ...companies } = yield* store.organizations(query)
      expectEqual(accounts.length, people.total, "as many people as there are")
      expectEqual(organizations.length, companies.total, "as many organizations as there are")
      return companies.total
    })
    const total = yield* during(read, () => Effect.forEach(Array.from({ length: rounds }), () => opened()))
    expectEqual(total, writers * rounds, "in the end")
  }
})

/** Each step of a writer adds an invoice, then a cashier. */
const inOrder = (
  totals: ReadonlyArray<{ readonly all: { readonly count: number } }>,
  connections: ReadonlyArray<unknown>
): boolean => {
  const count = totals.reduce((sum, { all }) => sum + all.count, 0)
  return count >= connections.length && count <= connections.length + 1
}
