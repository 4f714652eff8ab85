/** Promises of `ConnectionStore`. */
import type { Connection, Login } from "@tolem/core/connection/Connection"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { ConnectionId } from "@tolem/core/value/Ids"
import { Effect, Option, Redacted, Result } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { accountOf, apiKeyOf, freshId, organizationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

/** A cashier who works. */
export const connectionOf = (members: Partial<Connection> = {}): Connection => ({
  id: freshId("con"),
  organizationId: "org_shop",
  name: "Till",
  status: "active",
  phone: "77001234567",
  isDefault: false,
  session: Redacted.make("session of a cashier"),
  createdAt: startAt,
  updatedAt: startAt,
  version: 1,
  ...members
})

const loginOf = (connectionId: ConnectionId): Login => ({
  id: freshId("prc"),
  connectionId,
  organizationId: "org_shop",
  providerProcessId: "login-1",
  phone: null,
  tries: 0,
  expiresAt: startAt + 600_000,
  usedAt: null
})

const given = Effect.fnUntraced(function* (members: Partial<Connection> = {}) {
  const connection = connectionOf(members)
  yield* ConnectionStore.use((store) => store.add(connection))
  return connection
})

const next = (connection: Connection, members: Partial<Connection>): Connection => ({
  ...connection,
  ...members,
  updatedAt: connection.updatedAt + 1,
  version: connection.version + 1
})

const plain = (connection: Connection) => ({
  ...connection,
  session: connection.session === null ? null : Redacted.value(connection.session)
})

/** What every storage must do, of “connections”. */
export const casesOfConnections = storageSubject("connections", {
  *"come back as they were written, to their own organization only"() {
    const store = yield* ConnectionStore
    const [first, second] = [yield* given(), yield* given({ session: null, phone: null, status: "pending" })]
    yield* given({ organizationId: "org_other" })
    const listed = yield* store.list("org_shop")
    expectEqual(listed.map(plain), [first, second].map(plain), "both, oldest first")
    expectEqual(Option.map(yield* store.find("org_shop", first.id), plain), Option.some(plain(first)), "one by its id")
    expectEqual(yield* store.find("org_other", first.id), Option.none(), "not for another organization")
  },

  *"are replaced by the first writer"() {
    const store = yield* ConnectionStore
    const connection = yield* given()
    const changes = Array.from({ length: 5 }, (_, index) => next(connection, { name: `Till ${index}` }))
    const written = yield* Effect.forEach(changes, (change) => store.replace(change), { concurrency: "unbounded" })
    expectEqual(written.filter(Boolean).length, 1, "one wins")
    const [winner] = changes.filter((_, index) => written[index])
    expectEqual((yield* store.list("org_shop")).map(plain), [plain(winner!)], "and is what is stored")
  },

  *"have one default at most"() {
    const store = yield* ConnectionStore
    const all = yield* Effect.forEach([1, 2, 3], () => given())
    yield* given({ organizationId: "org_other", isDefault: true })
    for (const connection of all) {
      expectTrue(yield* store.replace(next(connection, { isDefault: true })), "each becomes the default in turn")
      const defaults = (yield* store.list("org_shop")).filter(({ isDefault }) => isDefault)
      expectEqual(
        defaults.map(({ id }) => id),
        [connection.id],
        "and takes it from the one before"
      )
    }
    expectTrue((yield* store.list("org_other"))[0]?.isDefault === true, "others keep theirs")
  },

  *"are deleted unless keys are bound to them"() {
    const store = yield* ConnectionStore
    const merchants = yield* MerchantStore
    const owner = accountOf()
    const organization = organizationOf(owner)
    yield* merchants.addOrganization(organization, owner)
    const { id } = yield* given({ organizationId: organization.id })
    const key = apiKeyOf(organization.id, { connectionId: id })
    yield* merchants.addKey(key, 20)
    expectEqual(yield* store.remove(organization.id, id), "has_keys", "a key is bound")
    expectEqual(yield* store.remove("org_other", id), "absent", "and it is not another organization's")
    yield* merchants.removeKey(key.id)
    expectEqual(yield* store.remove(organization.id, id), "removed", "none is")
    expectEqual(yield* store.remove(organization.id, id), "absent", "it is gone")
  },

  *"are never deleted while a key is bound to them, nor bound when they are gone"() {
    const store = yield* ConnectionStore
    const merchants = yield* MerchantStore
    const owner = accountOf()
    const organization = organizationOf(owner)
    yield* merchants.addOrganization(organization, owner)
    const key = apiKeyOf(organization.id)
    yield* merchants.addKey(key, 20)
    const bind = (id: string | null) => merchants.bindKey(organization.id, key.id, id)
    // Each round a race of the two; a hole in what they see of each other shows in one of a dozen.
    for (let round = 0; round < 60; round++) {
      const { id } = yield* given({ organizationId: organization.id })
      const race = Effect.all([store.remove(organization.id, id), Effect.result(bind(id))], { concurrency: 2 })
      const [removed, bound] = yield* race
      expectEqual(removed === "removed", Result.isFailure(bound), "one of the two")
      yield* bind(null)
    }
    const { id } = yield* given({ organizationId: "org_other" })
    const strange = yield* Effect.flip(bind(id))
    expectEqual(strange._tag, "ConnectionNotFound", "not to another organization's")
    const adding = merchants.addKey(apiKeyOf(organization.id, { connectionId: id }), 20)
    expectEqual((yield* Effect.flip(adding))._tag, "ConnectionNotFound", "and no new key either")
  },

  *"count the tries of a login, also of the same moment, and end it once"() {
    const store = yield* ConnectionStore
    const login = loginOf("con_1")
    yield* store.addLogin(login)
    yield* store.notePhone(login.id, "77010000000")
    const tries = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => store.countTry(login.id), {
      concurrency: "unbounded"
    })
    expectEqual(tries.toSorted(), [1, 2, 3, 4, 5, 6], "each number is given once")
    const ends = yield* Effect.forEach([1, 2, 3], () => store.endLogin(login.id, startAt + 5), {
      concurrency: "unbounded"
    })
    expectEqual(ends.filter(Boolean).length, 1, "it ends once")
    expectEqual(
      yield* store.login("con_1", login.id),
      Option.some({ ...login, phone: "77010000000", tries: 6, usedAt: startAt + 5 }),
      "and is kept"
    )
    expectEqual(yield* store.login("con_2", login.id), Option.none(), "for its own connection")
    expectTrue((yield* store.countTry("prc_nobody")) > 1000, "an unknown one bears no try")
  }
})
