/** The core's `Integrity` in SQL: rules over one state of the data, each a statement or a passage through a table. */
import { type Finding, Integrity, type Report } from "@tolem/core/engine/Integrity"
import { SecretBox } from "@tolem/core/secret/SecretBox"
import * as Progress from "@tolem/core/work/Progress"
import { Clock, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Database } from "../base/Database.ts"
import { auditRules } from "./AuditRules.ts"
import { deliveryRules } from "./DeliveryRules.ts"
import { eventRules } from "./EventRules.ts"
import { feedRules } from "./FeedRules.ts"
import { invoiceRules } from "./InvoiceRules.ts"
import { letterRules } from "./LetterRules.ts"
import { merchantRules } from "./MerchantRules.ts"
import { noticeRules } from "./NoticeRules.ts"
import { reconciliationRules } from "./ReconciliationRules.ts"
import { refundRules } from "./RefundRules.ts"
import { type Breaches, breachesOf, type Parts, type Rules } from "./Rule.ts"
import { schemaRules } from "./SchemaRules.ts"
import { sealRules } from "./SealRules.ts"
import { physicalNotices, storageRules } from "./StorageRules.ts"
import { subscriptionRules } from "./SubscriptionRules.ts"
import { sweeps } from "./Sweeps.ts"
import { tariffRules } from "./TariffRules.ts"
import { totalRules } from "./TotalRules.ts"

/** The checks over the database. Secrets are tried with the keys of the box. */
export const layer: Layer.Layer<Integrity, never, Database | SecretBox> = Layer.effect(
  Integrity,
  Effect.gen(function* () {
    const database = yield* Database
    const box = yield* SecretBox
    const report = database.statement("Integrity.report", check(database, box), { writes: false, unhurried: true })
    return { report, findings: Effect.map(report, ({ findings }) => findings) }
  })
)

interface NamedRule {
  readonly name: string
  readonly breaches: Breaches
}

/** Every rule, in the order in which they are checked, and what the seals leave to be said after them. */
export const rulesAt = (
  database: Database["Service"],
  box: SecretBox["Service"],
  now: number
): { readonly rules: ReadonlyArray<NamedRule>; readonly notices: () => ReadonlyArray<string> } => {
  const { sql, dialect, tables } = database
  const parts: Parts = { sql, dialect, tables, now }
  const seals = sealRules(database, parts)
  const all: Rules = {
    // First: where pages are broken, what the others say or fail with comes from that.
    ...storageRules(parts),
    ...schemaRules(parts),
    ...refundRules(parts),
    ...totalRules(parts),
    ...eventRules(parts),
    ...feedRules(parts),
    ...invoiceRules(parts),
    ...deliveryRules(parts),
    ...subscriptionRules(parts),
    ...tariffRules(parts),
    ...merchantRules(parts),
    ...reconciliationRules(parts),
    ...letterRules(parts),
    ...noticeRules(parts),
    ...auditRules(parts),
    ...sweeps(parts, box),
    ...seals.rules
  }
  const rules = Object.entries(all).map(([name, rule]) => ({ name, breaches: breachesOf(parts, rule) }))
  return { rules, notices: seals.notices }
}

const check = Effect.fnUntraced(function* (
  database: Database["Service"],
  box: SecretBox["Service"]
): Effect.fn.Return<Report, SqlError.SqlError> {
  const { sql, dialect, tables } = database
  const parts: Parts = { sql, dialect, tables, now: yield* Clock.currentTimeMillis }
  const { rules, notices } = rulesAt(database, box, parts.now)
  const report = Effect.gen(function* () {
    const findings: Array<Finding> = []
    for (const [done, rule] of rules.entries()) {
      yield* Progress.tell({ what: rule.name, done, of: rules.length })
      findings.push(...(yield* findingsOf(rule, findings)))
    }
    return { rows: yield* rowsOf(parts, areBroken(findings)), rules: rules.map(({ name }) => name), findings }
  })
  const found = yield* dialect.atOneMoment(report, sql`${tables.attempts}, ${tables.deliveries}`)
  const physical = yield* physicalNotices(parts)
  return {
    ...found,
    findings: [...found.findings, ...physical.findings],
    notices: [...notices(), ...physical.notices]
  }
})

// A broken page fails whatever reads it, and that is a finding too, beside what the pages themselves have shown.
const findingsOf = ({ name: rule, breaches }: NamedRule, before: ReadonlyArray<Finding>) => {
  const told = Effect.map(breaches, (all) => all.map((breach): Finding => ({ rule, ...breach })))
  return areBroken(before)
    ? Effect.catch(told, () => Effect.succeed([{ rule, subject: "database", detail: "cannot be checked" }]))
    : told
}

const areBroken = (findings: ReadonlyArray<Finding>) => findings.some(({ rule }) => rule === "pages_are_whole")

// A table whose pages are broken may not be countable; it is left out.
const rowsOf = Effect.fnUntraced(function* ({ sql, tables }: Parts, broken: boolean) {
  const rows: Record<string, number> = {}
  for (const [name, table] of Object.entries(tables)) {
    const count = sql<{ readonly n: number }>`select count(*) as n from ${table}`
    const [counted] = yield* broken ? Effect.catch(count, () => Effect.succeed([])) : count
    if (counted !== undefined) rows[name] = counted.n
  }
  return rows
})
