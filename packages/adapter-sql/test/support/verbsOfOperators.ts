/** Verbs that are for operators, called with fixed values. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import { BacklogStore } from "@tolem/core/measure/BacklogStore"
import { ServerStore } from "@tolem/core/platform/ServerStore"
import { WorkStore, workKinds } from "@tolem/core/platform/WorkStore"
import { ClockStore } from "@tolem/core/time/ClockStore"
import { startAt } from "@tolem/testing/fixtures"
import { serverOf } from "@tolem/testing/storage/PlatformCases"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

export const clocks = Effect.map(ClockStore, (store) => ({
  "ahead, of clocks": store.ahead,
  "advance a clock": store.advance("org_shop", 5000),
  nextDueAt: store.nextDueAt("org_shop")
}))

export const integrity = Effect.map(Integrity, (checks) => ({ findings: checks.findings }))

export const seals = Effect.map(SealedTexts, (texts) => ({
  "seal anew": texts.sealAnew,
  "begin seals": texts.beginSeals(startAt, auditOf())
}))

export const backlogs = Effect.map(BacklogStore, (store) => ({
  "what waits": store.waiting(startAt, 9),
  "size of the database": store.size
}))

export const servers = Effect.map(ServerStore, (store) => ({
  "tell of a server": store.tell(serverOf({ id: "srv_1" })),
  "servers seen last": store.list(100),
  "forget servers": store.forget(startAt, 250)
}))

export const works = Effect.map(WorkStore, (store) =>
  Object.fromEntries(
    workKinds.map((kind) => [
      `work: ${kind}`,
      store.work(kind, { after: { at: startAt, id: "x" }, now: startAt, from: 0, limit: 50 })
    ])
  )
)
