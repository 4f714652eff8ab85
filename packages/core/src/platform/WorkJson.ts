/** What needs a person, as operators are shown it. Pure. */
import { toIso } from "../value/Calendar.ts"
import { toTenge } from "../value/Money.ts"
import type { WorkCount, WorkList } from "./PlatformWork.ts"
import type { Work } from "./WorkStore.ts"

/** How many things of each kind there are. */
export const workCountsJson = (counts: ReadonlyArray<WorkCount>) => ({
  kinds: counts.map(({ kind, count, more, since }) => ({
    kind,
    count,
    more,
    since: since === null ? null : toIso(since)
  }))
})

const itemJson = ({ organizationId, organization, since, until, amount, ...about }: Work) => ({
  organization: { id: organizationId, name: organization },
  since: toIso(since),
  until: until === null ? null : toIso(until),
  amount: amount === null ? null : toTenge(amount),
  ...about
})

/** A page of a kind. */
export const workJson = ({ kind, items, next }: WorkList) => ({ kind, items: items.map(itemJson), next })
