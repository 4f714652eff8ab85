/**
 * Deliveries that have ended by months on PostgreSQL, so that those of a month go at once. What is on its way is in a
 * part of its own, from which agents claim. That is the table as it was, so all that has ended before this step is
 * there, too. A delivery moves into its month as it ends. Elsewhere deliveries stay in one table.
 */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Step } from "../base/Step.ts"
import { qualifiedIndex, type TableNaming, tables, view } from "../base/Tables.ts"

/** Adds the month, and proves ahead of the step that no delivery has one: reads them while they are written. */
export const boundDeliveriesAhead: Step = (sql, _, naming) =>
  all(sql, () => [checked(sql, naming), proven(sql, naming)])

/** Adds the parts, and the functions with which servers, who may neither make nor drop tables, have months made. */
export const divideDeliveries: Step = (sql, _, naming) =>
  all(sql, () => [checked(sql, naming), proven(sql, naming), divided(sql, naming)])

const all = (sql: SqlClient.SqlClient, statements: () => ReadonlyArray<Statement.Statement<unknown>>) =>
  sql.onDialectOrElse({
    pg: () => Effect.forEach(statements(), (statement) => statement, { discard: true }),
    orElse: () => Effect.void
  })

/** Names as texts of SQL. */
const textsOf = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const text = (name: Statement.Identifier) => sql`${name}`.compile(true)[0]
  const table = text(tables(sql, naming).deliveries)
  const bare = table.replaceAll(/^.*\."|"/g, "")
  return {
    table,
    seen: text(view(sql, naming, "deliveries")),
    bare,
    room: text(qualifiedIndex(sql, naming, "deliveries_room")),
    forget: text(qualifiedIndex(sql, naming, "deliveries_forget")),
    prefix: bare.replace(/deliveries$/, "")
  }
}

// Asked for again and again: who waits in line for the table would be waited for by all who come after. The view first,
// as those who read it lock it before the table.
const lockTable = (table: string, seen: string) => `
    perform set_config('lock_timeout', '200ms', true);
    loop
      begin
        if to_regclass('${seen}') is not null then
          lock table ${seen} in access exclusive mode;
        end if;
        lock table ${table} in access exclusive mode;
        exit;
      exception when lock_not_available then
        perform pg_sleep(0.5);
      end;
    end loop;
    perform set_config('lock_timeout', usual, true);`

// Servers of the version before do not know the column, so that the check holds for whatever they write meanwhile.
const checked = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { table, seen } = textsOf(sql, naming)
  return sql`${sql.literal(`do $do$
  declare
    usual constant text := current_setting('lock_timeout');
  begin
    perform 1 from pg_constraint where conrelid = '${table}'::regclass and conname = 'deliveries_current';
    if found then return; end if;${lockTable(table, seen)}
    alter table ${table} add column if not exists ended_month bigint;
    alter table ${table} add constraint deliveries_current check (ended_month is null) not valid;
  end $do$`)}`
}

const proven = (sql: SqlClient.SqlClient, naming: TableNaming) =>
  sql`${sql.literal(`alter table ${textsOf(sql, naming).table} validate constraint deliveries_current`)}`

const divided = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { table, seen, bare, room, forget, prefix } = textsOf(sql, naming)
  // Names of an own schema need no text in front; the functions know it, whatever their caller has in the search path.
  const body = (text: string) => `replace($body$${text}$body$, '@own@', quote_literal(own))`
  return sql`${sql.literal(`do $do$
  declare
    usual constant text := current_setting('lock_timeout');
    own text;
    options text;
    made text[];
    indexed record;
    definition text;
    granted record;
  begin${lockTable(table, seen)}
    select n.nspname, array_to_string(c.reloptions, ', ') into own, options
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = '${table}'::regclass;

    -- The indexes become those of the part; the whole gets the same ones, which are in the part already.
    for indexed in
      select i.relname as name, pg_get_indexdef(i.oid) as text from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = '${table}'::regclass and x.indisvalid and not x.indisunique
        and starts_with(i.relname, '${bare}_') order by i.relname
    loop
      made := made || indexed.text;
      execute format('alter index %I.%I rename to %I', own, indexed.name,
        overlay(indexed.name placing '${bare}_current' from 1 for ${bare.length}));
    end loop;
    alter table ${table} rename to "${bare}_current";
    execute format('create table %I.%I (like %I.%I including defaults) partition by list (ended_month)',
      own, '${bare}', own, '${bare}_current');
    execute format('alter table %I.%I attach partition %I.%I for values in (null)',
      own, '${bare}', own, '${bare}_current');
    execute format('alter table %I.%I drop constraint deliveries_current', own, '${bare}_current');
    foreach definition in array made loop
      execute definition;
    end loop;
    execute format('create table %I.%I partition of %I.%I (primary key (id),
        check (status <> ''pending'' and ended_month = ${monthOf("completed_at").replaceAll("'", "''")})) default
      with (%s)', own, '${bare}_default', own, '${bare}', coalesce(options, 'fillfactor = 100'));

    -- As before, of the table that has its name now.
    if to_regclass('${seen}') is not null then
      execute format('create or replace view ${seen} as %s',
        replace(pg_get_viewdef('${seen}'::regclass), '${bare}_current', '${bare}'));
    end if;

    execute ${body(roomText(bare, room))};
    execute ${body(forgetText(bare, forget, prefix))};

    -- Whatever others were granted of the table, they have of what takes its place.
    for granted in
      select p.privilege_type as verb, case p.grantee when 0 then 'public' else quote_ident(r.rolname) end as to_whom,
        case when p.is_grantable then ' with grant option' else '' end as further
      from pg_class c cross join lateral aclexplode(c.relacl) p left join pg_roles r on r.oid = p.grantee
      where c.oid = format('%I.%I', own, '${bare}_current')::regclass and p.grantee <> c.relowner
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

/** The month of an instant, in SQL: a number such as 202701. */
const monthOf = (at: string): string => {
  const part = (name: string) => `cast(extract(${name} from to_timestamp(${at} / 1000.0) at time zone 'UTC') as bigint)`
  return `${part("year")} * 100 + ${part("month")}`
}

const head = (bare: string, name: string, argument: string) => `
    create function ${name}(${argument} bigint) returns bigint language plpgsql security definer
      set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $function$
    declare
      own constant text := @own@;
      parent constant regclass := format('%I.%I', own, '${bare}')::regclass;`

const guard = `
      -- Made for those who may delete deliveries one by one.
      if not has_table_privilege(session_user, parent, 'delete') then
        raise insufficient_privilege using message = 'this takes the right to delete deliveries';
      end if;`

/**
 * Makes the months of an instant and two more. What is locked for longer than a moment is left to the next call. A
 * month has deliveries that ended in it and no others: the database itself keeps them out.
 */
const roomText = (bare: string, name: string) => `${head(bare, name, "at")}
      rest constant regclass := format('%I.%I', own, '${bare}_default')::regclass;
      options constant text := array_to_string((select reloptions from pg_class where oid = rest), ', ');
      begins timestamp;
      month timestamp;
      key text;
      part text;
      made bigint := 0;
      waiting bigint;
    begin${guard}
      if not pg_try_advisory_xact_lock(hashtextextended(parent::oid::text || ' months', 0)) then return 0; end if;
      begins := date_trunc('month', least(to_timestamp(at / 1000.0), now() + interval '31 days') at time zone 'UTC');
      for further in 0..2 loop
        month := begins + make_interval(months => further);
        key := to_char(month, 'YYYYMM');
        part := '${bare}_' || to_char(month, 'YYYY_MM');
        continue when to_regclass(format('%I.%I', own, part)) is not null;
        -- To move many would take long while others wait. They are removed one by one.
        execute format('select count(*) from (select 1 from %s limit 10001) r', rest) into waiting;
        exit when waiting > 10000;
        begin
          execute format('create table %I.%I (like %s including defaults, primary key (id),
              check (status <> ''pending'' and completed_at >= %s and completed_at < %s)) with (%s)',
            own, part, parent, (extract(epoch from month) * 1000)::bigint,
            (extract(epoch from month + interval '1 month') * 1000)::bigint, options);
          execute format('lock table only %s in share update exclusive mode', parent);
          execute format('lock table %s in access exclusive mode', rest);
          execute format('with moved as (delete from %s where ended_month = %s returning *)
            insert into %I.%I select * from moved', rest, key, own, part);
          execute format('alter table %s attach partition %I.%I for values in (%s)', parent, own, part, key);
          made := made + 1;
        exception when lock_not_available then
          exit;
        end;
      end loop;
      return made;
    end $function$`

/**
 * Drops the months that ended before an instant and of which no attempts are left: the first call notes it, a later one
 * drops, so that none who reads what is noted misses what has gone. Answers in how many it was, below 0 if it is to be
 * called again.
 */
const forgetText = (bare: string, name: string, prefix: string) => `${head(bare, name, "before")}
      attempts constant regclass := format('%I.%I', own, '${prefix}attempts')::regclass;
      removals constant text := format('%I.%I', own, '${prefix}removals');
      ended constant bigint := least(before, (extract(epoch from now()) * 1000)::bigint);
      oldest bigint;
      parts text[];
      part text;
      high bigint;
      noted bigint;
      dropped bigint := 0;
    begin${guard}
      -- An attempt began before its delivery ended.
      execute format('select a.started_at from %s a where a.started_at < %s order by a.started_at limit 1',
        attempts, ended) into oldest;
      select array_agg(r.part order by r.part), max(r.high) into parts, high
        from (select c.relname::text as part,
            (extract(epoch from to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') * 1000)::bigint as high
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = parent and right(c.relname, 8) ~ '^_\\d{4}_\\d{2}$') r
        where r.high <= least(ended, coalesce(oldest, ended));
      if parts is null then return 0; end if;
      execute format('select ended_before from %s where kind = ''deliveries''', removals) into noted;
      if coalesce(noted, 0) < high then
        execute format('insert into %s as t (kind, ended_before) values (''deliveries'', %s)
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
