/** Promises that `PaymentLinkStore` and `FormHookStore` have alike. */
import type { Stores } from "@tolem/core/engine/Engine"
import type { StorageError } from "@tolem/core/error/StorageError"
import type { ConnectionId, OrganizationId } from "@tolem/core/value/Ids"
import type { Tenant, Viewer } from "@tolem/core/value/Tenant"
import { Effect, Option, Result } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

/** What both kinds of things have. */
interface Kept extends Tenant {
  readonly id: string
  readonly connectionId: ConnectionId | null
  readonly successUrl: string | null
  readonly failUrl: string | null
  readonly status: "active" | "paused"
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

interface KeptStore<A extends Kept> {
  readonly add: (thing: A, limit: number) => Effect.Effect<void, { readonly _tag: string }>
  readonly find: (id: A["id"]) => Effect.Effect<Option.Option<A>, StorageError>
  readonly list: (viewer: Viewer) => Effect.Effect<ReadonlyArray<A>, StorageError>
  readonly replace: (thing: A) => Effect.Effect<boolean, { readonly _tag: string }>
  readonly remove: (organization: OrganizationId, id: A["id"], now: number) => Effect.Effect<boolean, StorageError>
}

/** One kind of them. */
export interface KeptKind<A extends Kept> {
  readonly store: Effect.Effect<KeptStore<A>, never, Stores>
  /** One of the shop in its sandbox, of its own in what must be. */
  readonly of: (members?: Partial<A>) => A
  /** An id that none has. */
  readonly freshId: () => A["id"]
  /** What it may hold beyond what both have. */
  readonly own: Partial<A>
  /** What changes make of it, each another. */
  readonly changes: (index: number) => Partial<A>
  /** How one too many is refused. */
  readonly tooMany: string
}

/** The shop's own in its sandbox. */
const shop: Viewer = { organizationId: "org_shop", mode: "sandbox", connectionId: null }

/** The thing as its next change makes it. */
export const nextOf = <A extends Kept>(thing: A, members: Partial<A>): A => ({
  ...thing,
  ...members,
  updatedAt: thing.updatedAt + 1,
  version: thing.version + 1
})

const cashier: Partial<Kept> = {
  mode: "live",
  connectionId: "con_1",
  successUrl: "https://shop.kz/thanks?a=1&b=қ",
  failUrl: "https://shop.kz/sorry#top",
  status: "paused",
  createdAt: startAt + 1,
  updatedAt: startAt + 2,
  version: 7
}

const elsewhere = [{ mode: "live" }, { organizationId: "org_other" }] as const

/** What every storage must do of things of this kind. */
export const casesOfKept = <A extends Kept>(subject: string, { store: port, ...kind }: KeptKind<A>) => {
  const given = Effect.fnUntraced(function* (members: Partial<A> = {}) {
    const thing = kind.of(members)
    yield* Effect.flatMap(port, (store) => store.add(thing, 100))
    return thing
  })
  return storageSubject(subject, {
    *"come back as they were written, by id, and oldest first"() {
      const store = yield* port
      const full = yield* given({ ...cashier, ...kind.own } as Partial<A>)
      const newer = yield* given({ createdAt: startAt + 5 } as Partial<A>)
      const older = yield* given()
      expectEqual(yield* store.find(full.id), Option.some(full), "one by its id")
      expectEqual(yield* store.find(kind.freshId()), Option.none(), "an unknown one by nothing")
      expectEqual(yield* store.list(shop), [older, newer], "the shop's own in one mode")
      const live: Viewer = { ...shop, mode: "live" }
      expectEqual(yield* store.list(live), [full], "and in the other")
      expectEqual(yield* store.list({ ...live, connectionId: "con_1" }), [full], "those of a cashier")
      expectEqual(yield* store.list({ ...live, connectionId: "con_2" }), [], "and of no other")
      expectEqual(yield* store.list({ ...shop, organizationId: "org_other" }), [], "no other organization's")
    },

    *"are as many as the limit says, by organization and mode"() {
      const store = yield* port
      const first = kind.of()
      yield* store.add(first, 2)
      yield* store.add(kind.of(), 2)
      expectEqual((yield* Effect.flip(store.add(kind.of(), 2)))._tag, kind.tooMany, "the third is refused")
      yield* Effect.forEach(elsewhere, (members) => store.add(kind.of(members as Partial<A>), 2))
      expectTrue(yield* store.remove("org_shop", first.id, startAt), "one is removed")
      yield* store.add(kind.of(), 2)
      expectEqual((yield* store.list(shop)).length, 2, "a removed one leaves its place")
    },

    *"are as many as the limit says, also when added at once"() {
      const store = yield* port
      const adds = Array.from({ length: 12 }, () => Effect.result(store.add(kind.of(), 5)))
      const results = yield* Effect.all(adds, { concurrency: "unbounded" })
      expectEqual(results.filter(Result.isSuccess).length, 5, "five are added")
      const failures = results.filter(Result.isFailure).map(({ failure }) => failure._tag)
      expectEqual(new Set(failures), new Set([kind.tooMany]), "the others are too many")
      expectEqual((yield* store.list(shop)).length, 5, "and are there")
    },

    *"are replaced by the first writer"() {
      const store = yield* port
      const thing = yield* given({ successUrl: "https://shop.kz/" } as Partial<A>)
      const neighbour = yield* given()
      const members = { successUrl: null, failUrl: "https://shop.kz/no", status: "paused" } as const
      const changes = Array.from({ length: 5 }, (_, index) => nextOf(thing, { ...members, ...kind.changes(index) }))
      const written = yield* Effect.forEach(changes, (change) => store.replace(change), { concurrency: "unbounded" })
      expectEqual(written.filter((isFirst) => isFirst).length, 1, "one wins")
      const [winner] = changes.filter((_, index) => written[index])
      expectEqual(yield* store.list(shop), [winner!, neighbour], "and is what is stored, its neighbour untouched")
      const strange = { ...nextOf(winner!, {}), organizationId: "org_other" }
      expectTrue(!(yield* store.replace(strange)), "no other organization can")
      const again = nextOf(winner!, kind.own)
      expectTrue(yield* store.replace(again), "it can be changed again")
      expectEqual(yield* store.find(thing.id), Option.some(again), "and is so")
    },

    *"are removed by their own organization only, for good"() {
      const store = yield* port
      const thing = yield* given()
      expectTrue(!(yield* store.remove("org_other", thing.id, startAt)), "a stranger finds none to remove")
      expectTrue(yield* store.remove("org_shop", thing.id, startAt + 5), "its owner does")
      expectTrue(!(yield* store.remove("org_shop", thing.id, startAt + 5)), "once")
      expectEqual(yield* store.find(thing.id), Option.none(), "it is gone")
      expectTrue(!(yield* store.replace(nextOf(thing, {}))), "it cannot be changed")
    }
  })
}
