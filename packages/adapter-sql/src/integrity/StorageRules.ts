/** Rules about the database itself: its pages, its references, the triggers of the audit log and of the feed. */
import type { Finding } from "@tolem/core/engine/Integrity"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { type Breach, maxBreaches, type Parts, type Rules } from "./Rule.ts"

/** The rules for this database. */
export const storageRules = (parts: Parts): Rules =>
  parts.sql.onDialectOrElse({ pg: () => onPostgres(parts), orElse: () => onSqlite(parts) })

const onSqlite = (parts: Parts): Rules => {
  const { sql } = parts
  const limit = sql.literal(String(maxBreaches))
  return {
    // If a page is broken badly enough, the check itself fails with it.
    pages_are_whole: Effect.match(sql<{ readonly integrity_check: string }>`pragma integrity_check(${limit})`, {
      onFailure: ({ message: detail }): ReadonlyArray<Breach> => [{ subject: "database", detail }],
      onSuccess: (rows): ReadonlyArray<Breach> =>
        rows.flatMap(({ integrity_check: detail }) => (detail === "ok" ? [] : [{ subject: "database", detail }]))
    }),
    references_are_kept: Effect.map(
      sql<{ readonly table: string; readonly parent: string }>`pragma foreign_key_check`,
      (rows): ReadonlyArray<Breach> =>
        rows.slice(0, maxBreaches).map(({ table, parent }) => ({ subject: table, detail: `refers to no ${parent}` }))
    ),
    audit_log_is_closed: sql`select expected.verb as subject, 'the trigger is gone' as detail
        from (select 'update' as verb union all select 'delete' union all select 'insert') as expected
        where not exists (
          select 1 from sqlite_master t where t.type = 'trigger' and t.tbl_name = ${bare(parts, "audit")}
            and lower(t.sql) like '%before ' || expected.verb || '%raise(abort%'
        )`,
    events_are_noted: sql`select 'events' as subject, ${gone} as detail where not exists (
        select 1 from sqlite_master t where t.type = 'trigger' and t.tbl_name = ${bare(parts, "events")}
          and lower(t.sql) like '%after insert on%insert into%' || ${bare(parts, "feed_arrivals")} || '%')`
  }
}

const gone = "the trigger is gone that notes events for the feed"

/** The name of a table, without schema. */
const bare = ({ sql, tables }: Parts, name: keyof Parts["tables"]): string =>
  sql`${tables[name]}`.compile(true)[0].replaceAll(/^.*\.|"/g, "")

const onPostgres = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const [audit] = sql`${tables.audit}`.compile(true)
  const [events] = sql`${tables.events}`.compile(true)
  return {
    audit_log_is_closed: sql`select verb.name as subject, 'the trigger is gone, or refuses nothing' as detail
        from (values ('update', 16), ('delete', 8), ('truncate', 32)) as verb (name, bit)
        where not exists (
          select 1 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
          where t.tgrelid = to_regclass(${audit}) and t.tgenabled in ('O', 'A') and not t.tgisinternal
            and t.tgtype & 2 = 2 and t.tgtype & 1 = 0 and t.tgtype & verb.bit = verb.bit
            and t.tgqual is null and p.prosrc like '%raise exception%'
        )`,
    events_are_noted: sql`select 'events' as subject, cast(${gone} as text) as detail where not exists (
        select 1 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where t.tgrelid = to_regclass(${events}) and t.tgenabled in ('O', 'A') and not t.tgisinternal
          and t.tgtype & 1 = 0 and t.tgtype & 4 = 4 and t.tgnewtable is not null and t.tgqual is null
          and p.prosrc like '%insert into%' || cast(${bare(parts, "feed_arrivals")} as text) || '%')`
  }
}

/** What the pages show beyond the rules, and what could not be looked at. */
export const physicalNotices = ({ sql, tables }: Parts): Effect.Effect<Physical, SqlError.SqlError> =>
  sql.onDialectOrElse({ pg: () => amcheck(sql, tables), orElse: () => Effect.succeed({ findings: [], notices: [] }) })

interface Physical {
  readonly findings: ReadonlyArray<Finding>
  readonly notices: ReadonlyArray<string>
}

const amcheck = Effect.fnUntraced(function* (sql: Parts["sql"], tables: Parts["tables"]) {
  const [schema] = yield* sql<{ readonly schema: string; readonly allowed: boolean }>`
    select n.nspname::text as schema, has_function_privilege(p.oid, 'execute') as allowed
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    join pg_proc p on p.pronamespace = n.oid and p.proname = 'bt_index_check' and p.pronargs = 2
    where e.extname = 'amcheck'`
  if (schema === undefined) return { findings: [], notices: [notInstalled] }
  if (!schema.allowed) return { findings: [], notices: [notAllowed] }
  const findings: Array<Finding> = []
  for (const table of Object.values(tables)) {
    const [name] = sql`${table}`.compile(true)
    const indexes = yield* sql<{ readonly oid: number; readonly name: string }>`
      select i.indexrelid::bigint as oid, i.indexrelid::regclass::text as name from pg_index i
      join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
      where i.indrelid in (select relid from pg_partition_tree(to_regclass(${name}))) and c.relkind = 'i'
        and m.amname = 'btree' and i.indisvalid`
    for (const index of indexes) {
      const check = sql(`${schema.schema}.bt_index_check`)
      const look = sql`select ${check}(cast(cast(${index.oid} as bigint) as oid)::regclass, true)::text`
      const broken = yield* Effect.match(look, { onFailure: ({ message }) => message, onSuccess: () => undefined })
      if (broken !== undefined) findings.push({ rule: "pages_are_whole", subject: index.name, detail: broken })
    }
  }
  return { findings, notices: [] }
})

const notInstalled = "pages were not checked: the extension amcheck is not installed in this database"
const notAllowed = "pages were not checked: this user may not run bt_index_check of the extension amcheck"
