/** Which statements stay within one organization, and which do not: none leaves it unseen. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { reachOf, statementsIn } from "./support/tenancy.ts"

const statements = statementsIn(readFileSync(new URL("statements/postgres.sql", import.meta.url), "utf8"))

const verbsThat = (reach: ReturnType<typeof reachOf>) =>
  [...new Set(statements.filter(({ sql }) => reachOf(sql) === reach).map(({ verb }) => verb))].toSorted()

/** The verbs that the first column of the table names. */
const documented = (): ReadonlyArray<string> => {
  const text = readFileSync(new URL("../../../docs/scale.md", import.meta.url), "utf8")
  const [, table = ""] = text.split("| Verbs that cross organizations |")
  const rows = (table.split("\n\n")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"))
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, verb]) => verb ?? ""))
}

it("those that cross organizations are the ones that the paper on scale names, with what each would need", () => {
  expect(documented().toSorted()).toEqual(verbsThat("crossing"))
})

it("those that name no organization and have the keys of their rows are looked at when one comes", async () => {
  await expect(`${verbsThat("key").join("\n")}\n`).toMatchFileSnapshot("statements/keys.txt")
})

it("nothing but the sandbox's removals takes away invoices, events or refunds, and nothing the audit log", () => {
  const removing = (tables: string) => new RegExp(`\\bdelete from "tolem_(${tables})"`)
  const verbsWith = (text: RegExp) => [
    ...new Set(statements.filter(({ sql }) => text.test(sql)).map(({ verb }) => verb))
  ]
  expect(verbsWith(removing("invoices|events|refunds")).toSorted()).toEqual(["forget invoices", "forget subscriptions"])
  expect(verbsWith(removing("audit"))).toEqual([])
  const ofInvoices = statements.filter(({ sql }) => removing("invoices").test(sql))
  expect(ofInvoices.filter(({ sql }) => !/ where mode = 'sandbox' and /.test(sql))).toEqual([])
})

it("a select that reaches into all organizations is found, wherever it stands", () => {
  const own = "select * from tolem_x"
  expect(reachOf(own)).toBe(null)
  expect(reachOf(`select * from "tolem_invoices" i where i.organization_id = $1 and i.id = $2`)).toBe("organization")
  expect(reachOf(`select * from "tolem_invoices" where (mode = $1 and (organization_id = $2))`)).toBe("organization")
  expect(reachOf(`update "tolem_invoices" set version = $1 where id = $2 and version = $3`)).toBe("key")
  expect(reachOf(`select * from "tolem_invoices" where amount > $1`)).toBe("crossing")
  expect(reachOf(`select * from "tolem_invoices" where status = 'organization_id = 1'`)).toBe("crossing")
  const inner = `select id from "tolem_mails" where completed_at < $1 limit $2`
  expect(reachOf(`delete from "tolem_mails" where id in (${inner})`)).toBe("crossing")
  expect(reachOf(`with old as (${inner}) select * from "tolem_mails" where organization_id = $3`)).toBe("crossing")
  const pair = `select * from "tolem_deliveries" d join "tolem_endpoints" e`
  expect(reachOf(`${pair} on e.id = d.endpoint_id where d.due_at < $1`)).toBe("crossing")
  expect(reachOf(`${pair} on e.organization_id = d.organization_id where d.due_at < $1`)).toBe("crossing")
  expect(reachOf(`${pair} on e.id = d.endpoint_id where d.lease = $1`)).toBe("key")
  expect(reachOf(`${pair} on e.id = d.endpoint_id where e.organization_id = $1`)).toBe("organization")
  expect(reachOf(`${pair} on e.mode = d.mode where e.organization_id = $1`)).toBe("crossing")
  const people = `select * from "tolem_organizations" o join "tolem_accounts" a on a.id = o.owner_id`
  expect(reachOf(`${people} where a.name > $1`)).toBe("crossing")
  expect(reachOf(`${people} where a.phone = $1`)).toBe("key")
  expect(reachOf(`update "tolem_invoices" set connection_id = $1 where amount > $2`)).toBe("crossing")
  expect(reachOf(`select id from "tolem_keys" where id = $1 union all select id from "tolem_keys"`)).toBe("crossing")
  const copied = `insert into "tolem_mails" (id, organization_id) select id, organization_id from "tolem_invoices"`
  expect(reachOf(copied)).toBe("crossing")
  expect(reachOf(`${copied} where organization_id = $1`)).toBe("organization")
  expect(reachOf(`insert into "tolem_mails" (id, organization_id) values ($1, $2)`)).toBe("organization")
  expect(reachOf(`insert into "tolem_sessions" (id) values ($1)`)).toBe(null)
})
