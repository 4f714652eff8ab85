/** One promise of the storage ports, as a program that fails if it is not kept. */
import type { Stores } from "@tolem/core/engine/Engine"
import { Effect } from "effect"

/** A promise of storage adapters. It fails, or dies with `PromiseBroken`, if the promise is broken. */
export interface StorageCase {
  readonly name: string
  readonly run: Effect.Effect<void, unknown, Stores>
}

/** The cases of one subject, each named after it. */
export const storageSubject = (
  name: string,
  cases: Readonly<Record<string, () => Effect.fn.Return<void, unknown, Stores>>>
): ReadonlyArray<StorageCase> =>
  Object.entries(cases).map(([promise, body]) => ({ name: `${name} ${promise}`, run: Effect.gen(body) }))
