/**
 * `npm run bench -- journal`: how soon operators see a page of the journal over all organizations, of 2,000,000
 * records, by each filter, on each database.
 */
import { nodePlatform } from "@tolem/adapter-node"
import * as Postgres from "@tolem/adapter-postgres/Postgres"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { deedKinds, platformKinds } from "@tolem/core/audit/DeedKinds"
import { Engine } from "@tolem/core/engine/Engine"
import type { ConsoleJournalRequest } from "@tolem/core/operator/console/JournalConsole"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { dayOf } from "@tolem/core/value/Calendar"
import { showLine } from "@tolem/testing-harness/ProgressLine"
import { Layer, ManagedRuntime, Redacted } from "effect"
import { secretKey } from "./Children.ts"
import { type Ground, onPostgres, onSqlite } from "./fairness/Ground.ts"
import { show } from "./Report.ts"

const count = 2_000_000
const digits = 10_000_000_000
const dayMs = 24 * 3_600_000
const spanMs = 730 * dayMs
const rounds = 9
/** What a page may take, in milliseconds. */
const atMost = 50

// Half of all is of one organization, a seventh of none. A person does a hundredth, another one ten.
const records = (startAt: number): string => `
  insert into tolem_audit (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
  with recursive numbers(n) as (select cast(0 as bigint) union all select n + 1 from numbers where n < ${count - 1})
  select 'aud_' || cast(${digits} + n as text),
    case when n % 200000 = 7 then 'account.blocked' when n % 7 = 0 then 'login.succeeded'
      when n % 200000 = 11 then 'reconciliation.asked' when n % 3 = 0 then 'refund.requested'
      when n % 3 = 1 then 'endpoint.changed' else 'invoices.exported' end,
    case when n % 7 = 0 or n % 200000 = 7 then null when n % 2 = 0 then 'org_large'
      else 'org_' || cast(n % 3001 as text) end,
    'sub_' || cast(n as text), null, 'account',
    case when n % 200000 = 13 then 'acc_rare' when n % 100 = 2 then 'acc_busy'
      else 'acc_' || cast(n % 5003 as text) end,
    '127.0.0.1', ${startAt} + n * ${Math.floor(spanMs / count)}
  from numbers`

const questions = (now: number): ReadonlyArray<readonly [string, ConsoleJournalRequest]> => {
  const day = (ago: number) => ({ from: dayOf(now - ago * dayMs), to: dayOf(now - ago * dayMs) })
  const recent = day(2)
  const old = day(500)
  return [
    ["all", {}],
    ["an organization with half of all", { organization: "org_large" }],
    ["an organization with 570", { organization: "org_5" }],
    ["a person with a hundredth", { actor: "acc_busy" }],
    ["a person with ten", { actor: "acc_rare" }],
    ...[...deedKinds, ...platformKinds].map((kind) => [`the kind ${kind}`, { kind }] as const),
    ["a day", recent],
    ["a day long ago", old],
    ["an organization on a day long ago", { organization: "org_large", ...old }],
    ["a person on a day long ago", { actor: "acc_busy", ...old }],
    ["refunds on a day long ago", { kind: "refunds", ...old }],
    ["accounts on a day long ago", { kind: "accounts", ...old }],
    ["a person's refunds", { actor: "acc_busy", kind: "refunds" }],
    ["a person's rare deeds", { actor: "acc_busy", kind: "reconciliation" }],
    ["an organization's refunds", { organization: "org_large", kind: "refunds" }],
    ["an organization's rare deeds", { organization: "org_large", kind: "reconciliation" }],
    ["a person's refunds where they have none", { organization: "org_5", actor: "acc_busy", kind: "refunds" }],
    ["a stranger's refunds in an organization", { organization: "org_large", actor: "acc_1", kind: "refunds" }],
    ["a person in an organization", { organization: "org_large", actor: "acc_busy" }],
    ["a person's refunds in an organization", { organization: "org_large", actor: "acc_busy", kind: "refunds" }],
    [
      "a person's rare deeds in an organization",
      { organization: "org_large", actor: "acc_busy", kind: "reconciliation" }
    ]
  ]
}

const measure = async (ground: Ground): Promise<void> => {
  const now = Date.now()
  showLine(`${ground.name}: filling`)
  await ground.execute(records(now - spanMs))
  await ground.execute(ground.name === "SQLite" ? "select 1" : "vacuum analyze tolem_audit")
  showLine("")
  const stores = ground.url.startsWith("sqlite:")
    ? Sqlite.layer({ filename: ground.url.slice("sqlite:".length) })
    : Postgres.layer({ url: Redacted.make(ground.url) })
  const engine = Engine.layer().pipe(
    Layer.provide(stores),
    Layer.provide(SecretBox.layer([Redacted.make(secretKey)])),
    Layer.provide(nodePlatform())
  )
  const runtime = ManagedRuntime.make(engine)
  try {
    const { journalConsole } = await runtime.runPromise(Engine)
    const rows: Array<ReadonlyArray<string>> = []
    for (const [name, request] of questions(now)) {
      const times: Array<number> = []
      let found = 0
      for (let round = 0; round < rounds; round++) {
        const beganAt = performance.now()
        found = (await runtime.runPromise(journalConsole.page(request))).records.length
        times.push(performance.now() - beganAt)
      }
      const [first = 0] = times
      const median = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
      rows.push([name, String(found), first.toFixed(1), median.toFixed(1), median <= atMost ? "yes" : "NO"])
    }
    show([`${ground.name}: a page of ${count} records`, "found", "first, ms", "median, ms", `within ${atMost}`], rows)
  } finally {
    await runtime.dispose()
  }
}

/** Measures both databases, and prints a table of each. */
export const run = async (): Promise<void> => {
  await onSqlite(measure)
  await onPostgres(measure)
}
