/** The verbs of cashiers at the provider. */
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { startAt } from "@tolem/testing/fixtures"
import { connectionOf } from "@tolem/testing/storage/ConnectionCases"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

const cashier = connectionOf({ id: "con_1", session: null })

export const cashiers = Effect.map(ConnectionStore, (store) => ({
  "add of a connection": store.add(cashier, auditOf()),
  "find of a connection": store.find("org_shop", "con_1"),
  "list of connections": store.list("org_shop"),
  "replace of a connection": store.replace({ ...cashier, isDefault: true, version: 2 }, auditOf()),
  "remove of a connection": store.remove("org_shop", "con_none", auditOf()),
  "add of a cashier's login": store.addLogin({
    id: "lgp_1",
    connectionId: "con_1",
    organizationId: "org_shop",
    providerProcessId: "process",
    phone: null,
    tries: 0,
    expiresAt: startAt + 60_000,
    usedAt: null
  }),
  "cashier's login": store.login("con_1", "lgp_1"),
  "phone of a cashier's login": store.notePhone("lgp_1", "77001234567"),
  "try of a cashier's login": store.countTry("lgp_1"),
  "end of a cashier's login": store.endLogin("lgp_1", startAt)
}))
