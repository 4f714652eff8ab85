/** How use-cases become promises: each verb bound to whom it is for, its answer shown as over HTTP. */
import { Effect } from "effect"
import type { Code } from "../error/ErrorCatalog.ts"

/** Runs an effect; the promise is rejected with what the effect refuses. */
export type RunPromise = <A>(effect: Effect.Effect<A, { readonly code: Code }>) => Promise<A>

/** Every verb of a use-case as a promise, but for those of other faces. A forgotten one does not compile. */
export type Complete<Service, Internal extends keyof Service = never> = {
  readonly [Verb in Exclude<keyof Service, Internal>]: (...request: never) => Promise<unknown>
}

/** Makes promises of the verbs of one owner, whose answers `show` renders. */
export const bound =
  <Owner>(owner: Owner, run: RunPromise) =>
  <Request extends ReadonlyArray<unknown>, A, Shown>(
    verb: (owner: Owner, ...request: Request) => Effect.Effect<A, { readonly code: Code }>,
    show: (answer: A) => Shown
  ) =>
  (...request: Request): Promise<Shown> =>
    run(Effect.map(verb(owner, ...request), show))
