/** Forms that hooks have refused as members are shown them. Pure. */
import { toIso } from "../value/Calendar.ts"
import { isStorable } from "../value/Checks.ts"
import type { FormRefusalCount, KeptFormRefusal } from "./FormRefusal.ts"

/** The reason that a query asks for; null: it asks for all, or for what is none. */
export const reasonAsked = (reason: unknown): string | null =>
  typeof reason === "string" && reason !== "" && isStorable(reason) ? reason : null

/** The counts of a hook, and what is kept. */
export const formRefusalsJson = ({
  counts,
  kept
}: {
  readonly counts: ReadonlyArray<FormRefusalCount>
  readonly kept: ReadonlyArray<KeptFormRefusal>
}) => ({
  reasons: counts.map(({ reason, refused, firstAt, lastAt }) => ({
    reason,
    refused,
    firstAt: toIso(firstAt),
    lastAt: toIso(lastAt)
  })),
  refusals: kept.map(({ reason, place, at, faults, names, site }) => ({
    id: `${reason}.${place}.${at}`,
    at: toIso(at),
    reason,
    faults,
    names,
    site
  }))
})
