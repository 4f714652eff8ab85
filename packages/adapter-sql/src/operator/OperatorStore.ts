/** The core's `OperatorStore` in SQL. */
import { type Operator, OperatorStore } from "@tolem/core/operator/OperatorStore"
import { Effect, Layer } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import { once, type RowOf, table } from "../base/Table.ts"
import { type AccountRow, accountTable } from "../merchant/MerchantRows.ts"
import * as Chains from "../seal/Chains.ts"

const operatorTable = table<Operator>("operators")({
  accountId: once("text"),
  grantedAt: once("bigint"),
  grantedBy: once("text")
})

type OperatorRow = RowOf<typeof operatorTable>

/** The store over the database. */
export const layer: Layer.Layer<OperatorStore, never, Database> = Layer.effect(
  OperatorStore,
  Effect.map(Database, (database) => {
    const { sql, tables, one, all } = database
    const { operators, accounts } = tables
    const { following, removing } = Chains.make(database)
    const { chaining } = AuditLog.make(database)
    return {
      add: ({ accountId, grantedAt, grantedBy }, audit) => {
        const insert = sql<OperatorRow>`
          insert into ${operators} (account_id, granted_at, granted_by)
          select id, cast(${grantedAt} as bigint), ${grantedBy} from ${accounts} where id = ${accountId}
          on conflict (account_id) do nothing returning *`
        const write = following("operators", null, insert)
        return Effect.map(chaining("OperatorStore.add", write, audit), ({ length }) => length > 0)
      },
      remove: (accountId, audit) => {
        const which = sql`account_id = ${accountId}`
        const remove = sql<OperatorRow>`delete from ${operators} where ${which} returning *`
        const write = removing("operators", which, remove)
        return Effect.map(chaining("OperatorStore.remove", write, audit), ({ length }) => length > 0)
      },
      find: (accountId) => {
        const select = sql<OperatorRow>`select * from ${operators} where account_id = ${accountId}`
        return one("OperatorStore.find", select, operatorTable.decode)
      },
      list: (limit) => {
        const select = sql<OperatorRow & AccountRow>`
          select a.*, o.* from ${operators} o join ${accounts} a on a.id = o.account_id
          order by o.granted_at, o.account_id limit cast(${limit} as bigint)`
        return all("OperatorStore.list", select, (row) => ({
          ...operatorTable.decode(row),
          account: accountTable.decode(row)
        }))
      }
    }
  })
)
