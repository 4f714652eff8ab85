/** Changes of one thing that many ask for at once: how often each is written, and when it is given up. */
import { describe, it } from "@effect/vitest"
import { accountOf, organizationOf } from "@tolem/testing/fixtures"
import { Effect, Exit, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { assert } from "vitest"
import type { Desk } from "../../src/cabinet/Desks.ts"
import { Team } from "../../src/cabinet/Team.ts"
import { newConnection } from "../../src/connection/Connection.ts"
import { ConnectionStore } from "../../src/connection/ConnectionStore.ts"
import { Connections } from "../../src/connection/Connections.ts"
import { noFace } from "../../src/face/MerchantFace.ts"
import { type Profile, ProfileStore } from "../../src/face/ProfileStore.ts"
import { Profiles } from "../../src/face/Profiles.ts"
import { DirectoryStore, type Member } from "../../src/merchant/DirectoryStore.ts"
import { noTerms } from "../../src/merchant/Merchant.ts"
import { MerchantStore } from "../../src/merchant/MerchantStore.ts"
import { Ids } from "../../src/value/Ids.ts"
import * as Rivals from "../../src/work/Rivals.ts"

const owner = accountOf()
const organization = organizationOf(owner)
const clerk = accountOf()
const desk: Desk = {
  accountId: owner.id,
  organization,
  role: "owner",
  mode: "live",
  reach: "all",
  isFresh: true,
  ...noTerms
}

/** A row that others may change between a read and a write, and how many writes came too late. */
const cell = <A>(first: A) => {
  let value = first
  let late = 0
  let writes = 0
  return {
    read: Effect.andThen(
      Effect.yieldNow,
      Effect.sync(() => value)
    ),
    write: (next: A, isStill: (value: A) => boolean) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => {
          writes++
          if (!isStill(value)) {
            late++
            return false
          }
          value = next
          return true
        })
      ),
    counts: () => ({ writes, late })
  }
}

const ids = Ids.layer.pipe(Layer.provide(SecureRandom.layerWebCrypto))
const many = Array.from({ length: 40 }, (_, index) => index)

/** Runs something for each at once. */
const atOnce = <A, E, R>(each: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(many, each, { concurrency: "unbounded", discard: true })

describe("those who change one thing at once", () => {
  it.effect("each write a member's terms once", () => {
    const member: Member = { account: clerk, role: "cashier", ...noTerms }
    const row = cell(member)
    const store = Layer.mock(DirectoryStore, {
      members: () => Effect.map(row.read, (one) => [one]),
      changeMember: (next, before) =>
        row.write({ ...member, ...next }, ({ refundLimit }) => refundLimit === before.refundLimit)
    })
    return Effect.gen(function* () {
      const team = yield* Team
      yield* atOnce((index) => team.change(desk, clerk.id, { refundLimit: index + 1 }))
      assert.deepStrictEqual(row.counts(), { writes: many.length, late: 0 })
    }).pipe(Effect.provide(Team.layer.pipe(Layer.provide([store, Layer.mock(ConnectionStore, {}), ids]))))
  })

  it.effect("each write a cashier's state once at most", () => {
    const cashier = newConnection({ id: "con_1", organizationId: organization.id, name: "Till", session: null, now: 0 })
    const row = cell(cashier)
    const store = Layer.mock(ConnectionStore, {
      find: () => Effect.asSome(row.read),
      replace: (next) => row.write(next, ({ version }) => version === next.version - 1)
    })
    return Effect.gen(function* () {
      const connections = yield* Connections
      yield* atOnce((index) =>
        connections.change(organization.id, cashier.id, { _tag: index % 2 === 0 ? "Disabled" : "Enabled" })
      )
      assert.strictEqual(row.counts().late, 0)
    }).pipe(Effect.provide(Connections.layer.pipe(Layer.provide([store, Layer.mock(MerchantStore, {}), ids]))))
  })

  it.effect("take a logo away once", () => {
    const { id: organizationId, name } = organization
    const profile: Profile = {
      organizationId,
      name,
      legalName: null,
      idn: null,
      face: noFace,
      logo: "a.png",
      version: 1
    }
    const row = cell(profile)
    const store = Layer.mock(ProfileStore, {
      find: () => Effect.asSome(row.read),
      replace: (next) => row.write(next, ({ version }) => version === next.version - 1)
    })
    return Effect.gen(function* () {
      const profiles = yield* Profiles
      yield* atOnce(() => profiles.removeLogo(organizationId))
      assert.deepStrictEqual(row.counts(), { writes: 1, late: 0 })
    }).pipe(Effect.provide(Profiles.layer.pipe(Layer.provide([store, ids, Digest.layerWebCrypto]))))
  })
})

describe("a change", () => {
  /** One that other servers outrun so many times. */
  const outrun = Effect.fnUntraced(function* (times: number) {
    const changing = yield* Rivals.make
    let tries = 0
    const attempt = Effect.sync(() => {
      tries++
      return tries > times ? Option.some("written") : Option.none()
    })
    const exit = yield* Effect.exit(changing("Team.change", "key")(attempt))
    return { exit, tries }
  })

  it.effect("that other servers outrun comes through in the end", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outrun(19), { exit: Exit.succeed("written"), tries: 20 })
    })
  )

  it.effect("that never comes through is given up, and may be asked for again", () =>
    Effect.gen(function* () {
      const { exit, tries } = yield* outrun(Number.POSITIVE_INFINITY)
      assert.strictEqual(tries, 20)
      const { code, operation, outcome, retryable } = Option.getOrThrow(Exit.findErrorOption(exit))
      assert.deepStrictEqual([code, outcome, retryable], ["service_unavailable", "nothing_written", true])
      assert.strictEqual(operation, "Team.change")
    })
  )
})
