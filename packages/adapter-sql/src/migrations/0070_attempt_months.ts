/**
 * Attempts by months on PostgreSQL, so that those of a month go at once. What is there stays where it is, as the part
 * of all that began before a month to come. Each part keeps delivery and number apart by itself: across them it is the
 * lease of the delivery that does. Elsewhere attempts stay in one table.
 */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Step } from "../base/Step.ts"
import { lockTable } from "../base/TableLock.ts"
import { qualifiedIndex, type TableNaming, tables, view } from "../base/Tables.ts"

/** Checks ahead of the step that all attempts began before the month: reads them while they are written. */
export const boundAttemptsAhead: Step = (sql, _, naming) =>
  all(sql, () => [checked(sql, naming, 14), proven(sql, naming)])

/** Adds the parts, and the functions with which servers, who may neither make nor drop tables, have months made. */
export const divideAttempts: Step = (sql, _, naming) =>
  all(sql, () => [checked(sql, naming, 1), proven(sql, naming), divided(sql, naming)])

const all = (sql: SqlClient.SqlClient, statements: () => ReadonlyArray<Statement.Statement<unknown>>) =>
  sql.onDialectOrElse({
    pg: () => Effect.forEach(statements(), (statement) => statement, { discard: true }),
    orElse: () => Effect.void
  })

/** Names as texts of SQL. */
const textsOf = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const [table] = sql`${tables(sql, naming).attempts}`.compile(true)
  const [seen] = sql`${view(sql, naming, "attempts")}`.compile(true)
  const bare = table.replaceAll(/^.*\."|"/g, "")
  const [room] = sql`${qualifiedIndex(sql, naming, "attempts_room")}`.compile(true)
  const [forget] = sql`${qualifiedIndex(sql, naming, "attempts_forget")}`.compile(true)
  return { table, seen, bare, room, forget, prefix: bare.replace(/attempts$/, "") }
}

// The month after the one in which it is in 31 days. A migration that was killed in between leaves the check: servers
// of the version before could write no attempts from that month on. One that goes on makes a later one if it is near:
// in fewer days than that.
const checked = (sql: SqlClient.SqlClient, naming: TableNaming, days: number) => {
  const { table, seen } = textsOf(sql, naming)
  return sql`${sql.literal(`do $do$
  declare
    bound constant bigint := extract(epoch from date_trunc('month', now() at time zone 'UTC' + interval '31 days')
      + interval '1 month') * 1000;
    usual constant text := current_setting('lock_timeout');
    found text;
  begin
    select pg_get_constraintdef(oid) into found from pg_constraint
      where conrelid = '${table}'::regclass and conname = 'attempts_before';
    if substring(found from '\\d{10,}')::bigint >= (extract(epoch from now()) + ${days * 86_400}) * 1000 then
      return;
    end if;${lockTable(table, seen)}
    alter table ${table} drop constraint if exists attempts_before;
    execute format('alter table ${table} add constraint attempts_before check (started_at < %s) not valid', bound);
  end $do$`)}`
}

const proven = (sql: SqlClient.SqlClient, naming: TableNaming) =>
  sql`${sql.literal(`alter table ${textsOf(sql, naming).table} validate constraint attempts_before`)}`

const divided = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { table, seen, bare, room, forget } = textsOf(sql, naming)
  // Names of an own schema need no text in front; the functions know it, whatever their caller has in the search path.
  const body = (text: string) =>
    `replace(replace($body$${text}$body$, '@own@', quote_literal(own)), '@bound@', bound::text)`
  return sql`${sql.literal(`do $do$
  declare
    usual constant text := current_setting('lock_timeout');
    own text;
    bound bigint;
    options text;
    granted record;
  begin${lockTable(table, seen)}
    select n.nspname, array_to_string(c.reloptions, ', ') into own, options
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = '${table}'::regclass;
    select substring(pg_get_constraintdef(oid) from '\\d{10,}')::bigint into bound
      from pg_constraint where conrelid = '${table}'::regclass and conname = 'attempts_before';

    alter table ${table} rename to "${bare}_before";
    execute format('alter index if exists %I.%I rename to %I', own, '${bare}_age', '${bare}_before_age');
    execute format('create table %I.%I (like %I.%I) partition by range (started_at)',
      own, '${bare}', own, '${bare}_before');
    execute format('create index %I on %I.%I (started_at)', '${bare}_age', own, '${bare}');
    execute format('alter table %I.%I attach partition %I.%I for values from (minvalue) to (%s)',
      own, '${bare}', own, '${bare}_before', bound);
    execute format('alter table %I.%I drop constraint attempts_before', own, '${bare}_before');
    execute format('create table %I.%I partition of %I.%I (primary key (delivery_id, number)) default with (%s)',
      own, '${bare}_default', own, '${bare}', coalesce(options, 'fillfactor = 100'));

    -- As before, of the table that has its name now.
    if to_regclass('${seen}') is not null then
      execute format('create or replace view ${seen} as %s',
        replace(pg_get_viewdef('${seen}'::regclass), '${bare}_before', '${bare}'));
    end if;

    execute ${body(roomText(bare, room))};
    execute ${body(forgetText(bare, forget))};

    -- Whatever others were granted of the table, they have of what takes its place.
    for granted in
      select p.privilege_type as verb, case p.grantee when 0 then 'public' else quote_ident(r.rolname) end as to_whom,
        case when p.is_grantable then ' with grant option' else '' end as further
      from pg_class c cross join lateral aclexplode(c.relacl) p left join pg_roles r on r.oid = p.grantee
      where c.oid = format('%I.%I', own, '${bare}_before')::regclass and p.grantee <> c.relowner
    loop
      execute format('grant %s on %I.%I, %I.%I to %s%s',
        granted.verb, own, '${bare}', own, '${bare}_default', granted.to_whom, granted.further);
      if granted.verb = 'DELETE' then
        execute format('grant execute on function ${room}(bigint), ${forget}(bigint) to %s', granted.to_whom);
      end if;
    end loop;
    execute format('select ${room}(%s)', (extract(epoch from now()) * 1000)::bigint);
  end $do$`)}`
}

const head = (bare: string, name: string, argument: string) => `
    create function ${name}(${argument} bigint) returns bigint language plpgsql security definer
      set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $function$
    declare
      own constant text := @own@;
      parent constant regclass := format('%I.%I', own, '${bare}')::regclass;`

const guard = `
      -- Made for those who may delete attempts one by one.
      if not has_table_privilege(session_user, parent, 'delete') then
        raise insufficient_privilege using message = 'this takes the right to delete attempts';
      end if;`

/** Makes the months of an instant and two more. What is locked for longer than a moment is left to the next call. */
const roomText = (bare: string, name: string) => `${head(bare, name, "at")}
      rest constant regclass := format('%I.%I', own, '${bare}_default')::regclass;
      options constant text := array_to_string((select reloptions from pg_class where oid = rest), ', ');
      month timestamp;
      low bigint;
      high bigint;
      part text;
      made bigint := 0;
      waiting bigint;
    begin${guard}
      if not pg_try_advisory_xact_lock(hashtextextended(parent::oid::text || ' months', 0)) then return 0; end if;
      month := date_trunc('month', least(to_timestamp(at / 1000.0), now() + interval '31 days') at time zone 'UTC');
      for further in 0..2 loop
        low := extract(epoch from month + make_interval(months => further)) * 1000;
        high := extract(epoch from month + make_interval(months => further + 1)) * 1000;
        part := '${bare}_' || to_char(month + make_interval(months => further), 'YYYY_MM');
        continue when low < @bound@ or to_regclass(format('%I.%I', own, part)) is not null;
        -- To move many would take long while others wait. They are removed one by one.
        execute format('select count(*) from (select 1 from %s limit 10001) r', rest) into waiting;
        exit when waiting > 10000;
        begin
          execute format('create table %I.%I (like %s, primary key (delivery_id, number)) with (%s)',
            own, part, parent, options);
          execute format('lock table only %s in share update exclusive mode', parent);
          execute format('lock table %s in access exclusive mode', rest);
          execute format('with moved as (delete from %s where started_at >= %s and started_at < %s returning *)
            insert into %I.%I select * from moved', rest, low, high, own, part);
          execute format('alter table %s attach partition %I.%I for values from (%s) to (%s)',
            parent, own, part, low, high);
          made := made + 1;
        exception when lock_not_available then
          exit;
        end;
      end loop;
      return made;
    end $function$`

/**
 * Drops the months that ended before an instant: the first call notes it, a later one drops, so that none who reads
 * what is noted misses what has gone. Answers in how many it was, below 0 if it is to be called again.
 */
const forgetText = (bare: string, name: string) => `${head(bare, name, "before")}
      removals constant text := format('%I.%I', own, '${bare.replace(/attempts$/, "removals")}');
      ended constant bigint := least(before, (extract(epoch from now()) * 1000)::bigint);
      parts text[];
      part text;
      high bigint;
      noted bigint;
      dropped bigint := 0;
    begin${guard}
      select array_agg(r.part order by r.part), max(r.high) into parts, high
        from (select c.relname::text as part,
            (extract(epoch from to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') * 1000)::bigint as high
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = parent and right(c.relname, 8) ~ '^_\\d{4}_\\d{2}$') r
        where r.high <= ended;
      if parts is null then return 0; end if;
      execute format('select ended_before from %s where kind = ''attempts''', removals) into noted;
      if coalesce(noted, 0) < high then
        execute format('insert into %s as t (kind, ended_before) values (''attempts'', %s)
          on conflict (kind) do update set ended_before = excluded.ended_before
          where t.ended_before < excluded.ended_before', removals, high);
        return -1;
      end if;
      foreach part in array parts loop
        begin
          execute format('lock table only %s in access exclusive mode', parent);
          execute format('drop table %I.%I', own, part);
          dropped := dropped + 1;
        exception when lock_not_available or undefined_table then
          exit;
        end;
      end loop;
      return dropped;
    end $function$`
