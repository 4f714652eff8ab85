/** Chains make nothing right that was wrong, begin once, can be checked without the key, and outlive its change. */
import { describe, it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import { Integrity } from "@tolem/core/engine/Integrity"
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import { settle } from "@tolem/core/invitation/Invitation"
import { InvitationStore } from "@tolem/core/invitation/InvitationStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { TariffStore } from "@tolem/core/tariff/TariffStore"
import { Tiyn } from "@tolem/core/value/Money"
import { accountOf, organizationOf, startAt } from "@tolem/testing/fixtures"
import { invitationBounds, invitationOf } from "@tolem/testing/invitations"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { box } from "./support/sqlite.ts"

const withKeys = <A, E, R>(keys: ReadonlyArray<string>, program: Effect.Effect<A, E, R>) =>
  Effect.provide(program, Layer.fresh(Stores.layer()).pipe(Layer.provide(Layer.fresh(box(...keys)))))

const onOneDatabase = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(
    Effect.andThen(Migrations.migrate(), program),
    Layer.fresh(SqliteClient.layer({ filename: ":memory:" }))
  )

const [oldKey, newKey] = ["the first key of the tests, of no use", "the second key of the tests, of no use"]

const chainRules = ["links_follow", "chained_records_are_kept", "records_are_chained"]

const chains = Effect.map(
  Integrity.use(({ report }) => report),
  ({ findings, notices }) => ({
    found: findings
      .filter(({ rule }) => chainRules.includes(rule) || rule.startsWith("chains_") || rule.startsWith("heads_"))
      .map(({ rule, subject }) => `${rule} ${subject}`),
    notices
  })
)
const clean = { found: [], notices: [] }

const orderOf = (id: string) => ({
  id,
  organizationId: "org_shop",
  tariff: "start",
  months: 1,
  amount: Tiyn(500_000),
  sellerId: "org_operator",
  sellerMode: "sandbox" as const,
  createdAt: startAt
})

const order = (id: string) =>
  TariffStore.use((store) =>
    Effect.flatMap(store.newestOrder("org_shop", "start"), (newest) =>
      store.addOrder(orderOf(id), Option.getOrNull(newest)?.id ?? null, auditOf({ action: "tariff.ordered" }))
    )
  )

const owner = accountOf()
const shop = organizationOf(owner, { id: "org_shop" })
const organization = MerchantStore.use((store) => store.addOrganization(shop, owner))
const { tariff, tariffUntil } = shop
const term = { tariff, tariffUntil }

/** Applies an order, with an earning for the referrer. */
const fulfil = (id: string, number: number) =>
  TariffStore.use((store) =>
    store.fulfil({
      order: orderOf(id),
      before: term,
      after: term,
      earning: {
        id: `ern_${number}`,
        accountId: "acc_referrer",
        organizationId: "org_shop",
        orderId: id,
        amount: Tiyn(50_000),
        state: "accrued",
        createdAt: startAt,
        paidOutAt: null
      },
      now: startAt,
      audit: auditOf({ action: "tariff.paid", subject: id })
    })
  )

const payOut = (number: number) =>
  TariffStore.use((store) => store.payOut(`ern_${number}`, startAt, auditOf({ action: "earning.paid_out" })))

const begin = SealedTexts.use((texts) => texts.beginSeals(startAt, auditOf({ action: "sealing.begun" })))

describe("a chain", () => {
  it.effect("follows orders, earnings and records through their states", () =>
    onOneDatabase(
      withKeys(
        [oldKey],
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* organization
          yield* order("trf_1")
          assert.isTrue(yield* fulfil("trf_1", 1))
          yield* payOut(1)
          assert.deepStrictEqual(yield* chains, clean)
          const lengths = yield* sql`select chain, length from tolem_chain_heads order by chain`
          assert.deepStrictEqual(
            lengths.map(({ chain, length }) => [chain, length]),
            [
              ["accounts/", 1],
              ["audit/org_shop", 3],
              ["chains", 6],
              ["memberships/org_shop", 1],
              ["organizations/org_shop", 1],
              ["referral_earnings/org_shop", 2],
              ["tariff_orders/org_shop", 2]
            ]
          )
        })
      )
    )
  )

  it.effect("takes no change of a record that was changed outside", () =>
    onOneDatabase(
      withKeys(
        [oldKey],
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* organization
          yield* order("trf_1")
          yield* order("trf_2")
          assert.isTrue(yield* fulfil("trf_2", 2))
          yield* sql`update tolem_tariff_orders set months = 12 where id = 'trf_1'`
          yield* sql`update tolem_referral_earnings set amount = amount * 2 where id = 'ern_2'`
          assert.isTrue(yield* fulfil("trf_1", 1))
          yield* payOut(2)
          const found = ["records_are_chained trf_1", "records_are_chained ern_2"]
          assert.deepStrictEqual(yield* chains, { found, notices: [] })
          assert.isFalse((yield* begin).begun)
          assert.deepStrictEqual(yield* chains, { found, notices: [] }, "nor by beginning again")
        })
      )
    )
  )

  it.effect("takes in no member who was invited outside", () =>
    onOneDatabase(
      withKeys(
        [oldKey],
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const store = yield* InvitationStore
          yield* organization
          const [right, changed] = [invitationOf({ id: "ivt_1" }), invitationOf({ id: "ivt_2", role: "accountant" })]
          for (const each of [right, changed]) yield* store.add(each, invitationBounds, auditOf())
          yield* sql`update tolem_invitations set role = 'manager' where id = 'ivt_2'`
          yield* sql`insert into tolem_invitations (id, organization_id, phone, role, status, created_at, expires_at)
            values ('ivt_3', 'org_shop', '77009999999', 'manager', 'pending', ${startAt}, ${startAt + 9e9})`
          for (const [id, accountId] of [
            ["ivt_1", "acc_1"],
            ["ivt_2", "acc_2"],
            ["ivt_3", "acc_3"]
          ] as const) {
            const found = Option.getOrThrow(yield* store.find({ organizationId: "org_shop" }, id))
            const { role, connectionIds, refundLimit } = found
            const terms = { organizationId: "org_shop", accountId, role, connectionIds, refundLimit }
            const accepted = Result.getOrThrow(settle(found, "accepted", startAt + 1))
            assert.isTrue(yield* store.accept(accepted, { ...terms, createdAt: startAt + 1 }, []))
          }
          assert.deepStrictEqual((yield* chains).found, [
            "records_are_chained org_shop acc_2",
            "records_are_chained org_shop acc_3",
            "records_are_chained ivt_2",
            "records_are_chained ivt_3"
          ])
        })
      )
    )
  )

  it.effect("keeps an end that is wrong, or was taken away, wrong", () =>
    onOneDatabase(
      withKeys(
        [oldKey],
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* order("trf_1")
          yield* order("trf_2")
          yield* sql`delete from tolem_tariff_orders where id = 'trf_2'`
          yield* sql`delete from tolem_chain_links where record_id = 'trf_2'`
          yield* sql`update tolem_chain_heads set length = 1, digest = (
            select digest from tolem_chain_links where record_id = 'trf_1') where chain like 'tariff_orders/%'`
          const wrong = { found: ["heads_are_sealed tariff_orders/org_shop"], notices: [] }
          assert.deepStrictEqual(yield* chains, wrong)
          yield* order("trf_3")
          assert.deepStrictEqual(yield* chains, wrong)
          yield* sql`delete from tolem_chain_links where chain like 'tariff_orders/%'`
          yield* sql`delete from tolem_chain_heads where chain like 'tariff_orders/%'`
          yield* sql`delete from tolem_tariff_orders`
          assert.deepStrictEqual((yield* chains).found, ["chains_are_whole tariff_orders/org_shop"])
          yield* order("trf_4")
          assert.deepStrictEqual(yield* chains, wrong)
        })
      )
    )
  )

  it.effect("is checked without the key that sealed its end, which stays right for the one that comes", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* withKeys([oldKey], order("trf_1"))
        yield* withKeys([newKey, oldKey], Effect.void)
        yield* sql`update tolem_tariff_orders set months = 12`
        const heads = ["audit/org_shop", "chains", "tariff_orders/org_shop"].map((chain) => `heads_are_sealed ${chain}`)
        const { found } = yield* withKeys([newKey], chains)
        assert.deepStrictEqual(found, ["records_are_chained trf_1", ...heads])
        yield* sql`update tolem_tariff_orders set months = 1`
        yield* sql`delete from tolem_chain_links where record_id = 'trf_1'`
        assert.include((yield* withKeys([newKey], chains)).found, "chains_are_whole tariff_orders/org_shop")
      })
    )
  )

  it.effect("has its end sealed with the new key, unless it is wrong", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* withKeys([oldKey], order("trf_1"))
        yield* withKeys(
          [newKey, oldKey],
          SealedTexts.use((texts) => texts.sealAnew)
        )
        assert.deepStrictEqual(yield* withKeys([newKey], chains), clean)
        yield* sql`update tolem_chain_heads set length = length + 1 where chain = 'chains'`
        yield* withKeys(
          [oldKey, newKey],
          SealedTexts.use((texts) => texts.sealAnew)
        )
        const found = ["chains_are_whole chains", "heads_are_sealed chains"]
        assert.deepStrictEqual(yield* withKeys([oldKey], chains), { found, notices: [] })
      })
    )
  )
})

describe("the beginning of chains", () => {
  it.effect("comes by a command where there were records before", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`insert into tolem_audit (id, action, organization_id, subject, actor_kind, created_at)
          values ('aud_0', 'key.created', null, 'key_1', 'operator', 1)`
        yield* sql`insert into tolem_tariff_orders
            (id, organization_id, tariff, months, amount, seller_id, seller_mode, created_at)
          values ('trf_0', 'org_shop', 'start', 1, 500000, 'org_operator', 'sandbox', ${startAt})`
        yield* withKeys(
          [oldKey],
          Effect.gen(function* () {
            const notice = (n: number) => [`${n} records are not chained yet: run tolem seal when all servers are new`]
            assert.deepStrictEqual(yield* chains, { found: [], notices: notice(2) })
            yield* organization
            yield* order("trf_1")
            assert.isTrue(yield* fulfil("trf_0", 1))
            assert.deepStrictEqual(yield* chains, { found: [], notices: notice(2) })
            // A server of the version before knows of no chain.
            yield* sql`update tolem_tariff_orders set applied_at = 1 where id = 'trf_1'`
            assert.deepStrictEqual(yield* chains, { found: [], notices: notice(3) })
            assert.deepStrictEqual(yield* begin, { sealed: 0, chained: 3, begun: true })
            assert.deepStrictEqual(yield* chains, clean)
            yield* sql`update tolem_tariff_orders set months = 12 where id = 'trf_1'`
            assert.deepStrictEqual(yield* begin, { sealed: 0, chained: 0, begun: false })
            assert.deepStrictEqual(yield* chains, { found: ["records_are_chained trf_1"], notices: [] })
            // Nor does it begin again because a row says that it has not begun.
            yield* sql`update tolem_sealing set state = 'upgraded'`
            assert.deepStrictEqual(yield* begin, { sealed: 0, chained: 0, begun: false })
          })
        )
      })
    )
  )
})
