/** Verbs that are for operators, called with fixed values. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { BacklogStore } from "@tolem/core/measure/BacklogStore"
import { ClockStore } from "@tolem/core/time/ClockStore"
import { startAt } from "@tolem/testing/fixtures"
import { Effect } from "effect"

export const clocks = Effect.map(ClockStore, (store) => ({
  "ahead, of clocks": store.ahead,
  "advance a clock": store.advance("org_shop", 5000),
  nextDueAt: store.nextDueAt("org_shop")
}))

export const integrity = Effect.map(Integrity, (checks) => ({ findings: checks.findings }))

export const backlogs = Effect.map(BacklogStore, (store) => ({
  "what waits": store.waiting(startAt, 9),
  "size of the database": store.size
}))
