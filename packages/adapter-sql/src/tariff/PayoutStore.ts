/** The core's `PayoutStore` in SQL. */
import type { Account } from "@tolem/core/merchant/Merchant"
import {
  type Earner,
  type NamedEarning,
  type Payout,
  type PayoutDraft,
  PayoutStore
} from "@tolem/core/tariff/PayoutStore"
import type { Earning } from "@tolem/core/tariff/TariffStore"
import type { AccountId } from "@tolem/core/value/Ids"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Layer, Option } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import { once, type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { type AccountRow, accountTable } from "../merchant/MerchantRows.ts"
import * as Chains from "../seal/Chains.ts"
import { type EarningRow, earningTable } from "./EarningRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<PayoutStore, never, Database> = Layer.effect(
  PayoutStore,
  Effect.map(Database, (database) => ({ ...reads(database), pay: pay(database) }))
)

const payoutTable = table<Payout>("payouts")({
  id: once("text"),
  accountId: once("text"),
  amount: once("bigint"),
  earningCount: once("bigint"),
  upTo: once("text"),
  note: once("text"),
  paidAt: once("bigint")
})

type PayoutRow = RowOf<typeof payoutTable>

/** Sums may be more than a number holds. */
interface Sums {
  readonly accrued: number | bigint
  readonly accrued_count: number | bigint
  readonly paid_out: number | bigint
}

const earnerOf = (account: Account, { accrued, accrued_count, paid_out }: Sums): Earner => ({
  account,
  accrued: BigInt(accrued),
  accruedCount: Number(accrued_count),
  paidOut: BigInt(paid_out)
})

const reads = ({
  sql,
  dialect,
  tables,
  all,
  snapshot
}: Database["Service"]): Pick<PayoutStore["Service"], "earners" | "earner"> => {
  const { referral_earnings: earnings, organizations, accounts, payouts } = tables
  const bounded = (limit: number) => sql`limit cast(${limit} as bigint)`
  const sumOf = (state: Earning["state"], account: string) => sql`(
    select coalesce(cast(sum(e.amount) as bigint), 0) from ${earnings} e
    where e.account_id = ${sql.literal(account)} and e.state = ${sql.literal(`'${state}'`)})`

  const earners = (after: AccountId | null, limit: number) => {
    const select = sql<AccountRow & Sums>`
      select a.*, page.accrued, page.accrued_count, ${sumOf("paid_out", "page.account_id")} as paid_out
      from (select account_id, cast(sum(amount) as bigint) as accrued, count(*) as accrued_count
        from ${earnings} where state = 'accrued' and account_id > ${after ?? ""}
        group by account_id order by account_id ${bounded(limit)}) as page
      join ${accounts} a on a.id = page.account_id order by page.account_id`
    return all("PayoutStore.earners", dialect.exact(select), (row) => earnerOf(accountTable.decode(row), row))
  }

  const earner: PayoutStore["Service"]["earner"] = Effect.fnUntraced(function* (accountId, limit) {
    const selects = {
      people: sql<AccountRow & Sums>`
        select a.*, ${sumOf("accrued", "a.id")} as accrued, ${sumOf("paid_out", "a.id")} as paid_out,
          (select count(*) from ${earnings} e where e.account_id = a.id and e.state = 'accrued') as accrued_count
        from ${accounts} a
        where a.id = ${accountId}`,
      accrued: sql<EarningRow & { readonly organization_name: string | null }>`
        select page.*, o.name as organization_name
        from (select * from ${earnings} where account_id = ${accountId} and state = 'accrued'
          order by created_at, id ${bounded(limit)}) as page
        left join ${organizations} o on o.id = page.organization_id order by page.created_at, page.id`,
      payouts: sql<PayoutRow>`
        select * from ${payouts} where account_id = ${accountId} order by paid_at desc, id desc ${bounded(limit)}`
    }
    const found = yield* dialect.exact(snapshot("PayoutStore.earner", selects))
    return Option.map(Option.fromUndefinedOr(found.people[0]), (row) => ({
      earner: earnerOf(accountTable.decode(row), row),
      accrued: found.accrued.map(
        (each): NamedEarning => ({ ...earningTable.decode(each), organizationName: each.organization_name })
      ),
      payouts: found.payouts.map(payoutTable.decode)
    }))
  })

  return { earners, earner }
}

const pay = (database: Database["Service"]): PayoutStore["Service"]["pay"] => {
  const { sql, dialect, tables, transaction } = database
  const { referral_earnings: earnings, payouts } = tables
  const payoutRows = TableStatements.make(database, payoutTable)
  const audits = AuditLog.make(database)
  const chains = Chains.make(database)
  const idSource = dialect.source("s", { id: "text" })

  const earlier = Effect.fnUntraced(function* ({ accountId, upTo, amount, note }: PayoutDraft) {
    const rows = yield* sql<PayoutRow>`
      select * from ${payouts} where account_id = ${accountId} and up_to = ${upTo}`
    const [first] = rows.map(payoutTable.decode)
    return first?.amount === amount && first.note === note ? Option.some(first) : Option.none()
  })

  return (draft, limit, audit) => {
    const write = Effect.gen(function* () {
      // Two callers at once: the second waits here, and finds what the first has left.
      const accrued = yield* sql<EarningRow>`
        select e.* from ${earnings} e where e.account_id = ${draft.accountId} and e.state = 'accrued'
        order by e.created_at, e.id limit cast(${limit} as bigint) ${dialect.lockRows("e")}`
      const last = accrued.findIndex(({ id }) => id === draft.upTo)
      if (last === -1) return yield* earlier(draft)
      const paid = accrued.slice(0, last + 1)
      const sum = paid.reduce((all, { amount }) => all + amount, 0)
      if (sum !== draft.amount) return Option.none()
      const which = sql`id in (select s.id from ${idSource(paid.map(({ id }) => ({ id })))})`
      const update = sql<EarningRow>`
        update ${earnings} set
          state = 'paid_out', paid_out_at = cast(${draft.paidAt} as bigint), payout_id = ${draft.id}
        where ${which} returning *`
      const { entries } = yield* chains.following("referral_earnings", which, update)
      const payout: Payout = { ...draft, amount: Tiyn(sum), earningCount: paid.length }
      const rows = yield* payoutRows.insert(payout, "returning *")
      yield* audits.insert(audit, [...entries, ...rows.map((row): Chains.Entry => ({ kind: "payouts", row }))])
      return Option.some(payout)
    })
    return transaction("PayoutStore.pay", write)
  }
}
