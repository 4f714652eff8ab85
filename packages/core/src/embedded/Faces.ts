/** How use-cases become promises: a table says for each verb how its answer is shown, the same as over HTTP. */
import { Clock, Effect } from "effect"
import type { Code } from "../error/ErrorCatalog.ts"

/** A refusal that the catalogue knows. */
export interface Coded {
  readonly code: Code
  readonly retryAfterSeconds?: number
  readonly invoiceId?: string
  readonly refundId?: string | null
}

/** Runs an effect; the promise is rejected with what the effect refuses. */
export type RunPromise = <A>(effect: Effect.Effect<A, Coded>) => Promise<A>

type Answer<Verb> = Verb extends (...request: never) => Effect.Effect<infer A, Coded> ? A : never

/**
 * How the answer of each verb is shown, at the instant `now`; null: the verb is of another face. A forgotten verb does
 * not compile.
 */
export type Complete<Verbs> = {
  readonly [Name in keyof Verbs]: ((answer: Answer<Verbs[Name]>, now: number) => unknown) | null
}

type ShownIn<Table> = { [Name in keyof Table]: Table[Name] extends null ? never : Name }[keyof Table]

type Request<Verb, Owner extends ReadonlyArray<unknown>> = Verb extends (
  ...request: [...Owner, ...infer Rest]
) => unknown
  ? Rest
  : never

type Shown<Show, Verb> = Show extends typeof same
  ? Answer<Verb>
  : Show extends (...answer: never) => infer Json
    ? Json
    : never

/** The verbs that a table shows, as promises, without their owner. */
type Face<Verbs, Table, Owner extends ReadonlyArray<unknown>, Names extends keyof Verbs> = {
  readonly [Name in Names]: (
    ...request: Request<Verbs[Name], Owner>
  ) => Promise<Shown<Table[Name & keyof Table], Verbs[Name]>>
}

/** What is made, if it has no verb that `Declared` lacks. */
type Whole<Declared, Made> =
  Exclude<keyof Made, keyof Declared> extends never
    ? Made
    : { readonly undeclared: Exclude<keyof Made, keyof Declared> }

/** Shows nothing: the promise tells that it was done. */
export const nothing = () => undefined

/** How the verbs of what a merchant keeps show their answers. */
export const shownBy = <One, Made, All>({
  one,
  made,
  all
}: {
  readonly one: One
  readonly made: Made
  readonly all: All
}) => ({ create: made, list: all, get: one, patch: one, remove: nothing }) as const

/** Shows what the verb answers. */
export const same = <A>(answer: A): A => answer

/**
 * Makes promises of the verbs. If they belong to an owner, the owner is their first parameter and is filled in. Each
 * verb is declared in an interface, with its comment: editors show no comments of types that the compiler writes out.
 */
export const faceOf =
  <Declared>() =>
  <Owner extends ReadonlyArray<unknown>>(run: RunPromise, ...owner: Owner) =>
  <Verbs extends object, const Table extends Complete<Verbs>>(
    verbs: Verbs,
    table: Table
  ): Whole<Declared, Face<Verbs, Table, Owner, ShownIn<Table> & keyof Verbs>> => {
    type Verb = (...request: ReadonlyArray<unknown>) => Effect.Effect<unknown, Coded>
    type Show = (answer: unknown, now: number) => unknown
    const shown = (verb: Verb, show: Show, request: ReadonlyArray<unknown>) =>
      Effect.gen(function* () {
        const answer = yield* verb(...owner, ...request)
        return show(answer, yield* Clock.currentTimeMillis)
      })
    const promises = Object.entries<Show | null>(table as never).flatMap(([name, show]) => {
      const verb: Verb = verbs[name as keyof Verbs] as never
      return show === null ? [] : [[name, (...request: ReadonlyArray<unknown>) => run(shown(verb, show, request))]]
    })
    // The types say of each verb what this does with any.
    return Object.fromEntries(promises) as never
  }
