/**
 * Deliveries by months on PostgreSQL, so that those of a month go at once: the month in which a row was placed there,
 * by the database's clock. What is there stays where it is, as the part of all that is placed before a month to come.
 * What is on its way for longer is placed anew, so that agents need not look into months that have passed. Each part
 * keeps identifiers apart by itself: an event and its deliveries are written once, together. Elsewhere deliveries stay
 * in one table.
 */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Step } from "../base/Step.ts"
import { lockTable } from "../base/TableLock.ts"
import { qualifiedIndex, type TableNaming, tables, view } from "../base/Tables.ts"

/** Adds the instant, and checks ahead of the step that all are before the month: reads them while they are written. */
export const boundDeliveriesAhead: Step = (sql, _, naming) =>
  all(sql, () => [checked(sql, naming, 14), proven(sql, naming)])

/** Adds the parts, and the functions with which servers, who may neither make nor drop tables, have months made. */
export const divideDeliveries: Step = (sql, _, naming) =>
  all(sql, () => [checked(sql, naming, 1), proven(sql, naming), divided(sql, naming)])

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

// The texts of instants are read and written one way, whatever is usual for those who run the step.
const inUtc = `
    perform set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true);`

/** The instant in the text of the check. */
const boundIn = (text: string) => `substring(${text} from '''([^'']+)''')::timestamptz`

// The month after the one in which it is in 31 days. A migration that was killed in between leaves the check: servers
// of the version before could add no deliveries from that month on. One that goes on makes a later one if it is near:
// in fewer days than that.
const checked = (sql: SqlClient.SqlClient, naming: TableNaming, days: number) => {
  const { table, seen } = textsOf(sql, naming)
  return sql`${sql.literal(`do $do$
  declare
    bound constant timestamptz := (date_trunc('month', now() at time zone 'UTC' + interval '31 days')
      + interval '1 month') at time zone 'UTC';
    usual constant text := current_setting('lock_timeout');
    found text;
  begin${inUtc}
    select pg_get_constraintdef(oid) into found from pg_constraint
      where conrelid = '${table}'::regclass and conname = 'deliveries_before';
    if ${boundIn("found")} >= now() + interval '${days} days' then return; end if;${lockTable(table, seen)}
    alter table ${table} add column if not exists placed_at timestamptz not null default now();
    alter table ${table} drop constraint if exists deliveries_before;
    execute format('alter table ${table} add constraint deliveries_before check (placed_at < %L) not valid', bound);
  end $do$`)}`
}

const proven = (sql: SqlClient.SqlClient, naming: TableNaming) =>
  sql`${sql.literal(`alter table ${textsOf(sql, naming).table} validate constraint deliveries_before`)}`

const divided = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { table, seen, bare, room, forget, prefix } = textsOf(sql, naming)
  // Names of an own schema need no text in front; the functions know it, whatever their caller has in the search path.
  const body = (text: string) =>
    `replace(replace($body$${text}$body$, '@own@', quote_literal(own)), '@bound@', quote_literal(bound::text))`
  return sql`${sql.literal(`do $do$
  declare
    usual constant text := current_setting('lock_timeout');
    own text;
    bound timestamptz;
    options text;
    made text[];
    indexed record;
    renamed text;
    definition text;
    granted record;
  begin${inUtc}${lockTable(table, seen)}
    select n.nspname, array_to_string(c.reloptions, ', ') into own, options
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = '${table}'::regclass;
    select ${boundIn("pg_get_constraintdef(oid)")} into bound
      from pg_constraint where conrelid = '${table}'::regclass and conname = 'deliveries_before';

    -- The indexes become those of the part; the whole gets the same ones, which are in the part already.
    for indexed in
      select i.relname as name, pg_get_indexdef(i.oid) as text from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = '${table}'::regclass and x.indisvalid and not x.indisunique
        and starts_with(i.relname, '${bare}_') order by i.relname
    loop
      made := made || indexed.text;
      renamed := '${bare}_before' || substr(indexed.name, length('${bare}') + 1);
      -- A longer name would be cut, and two become the same.
      if octet_length(renamed) > 63 then renamed := left('${bare}', 8) || md5(indexed.name); end if;
      execute format('alter index %I.%I rename to %I', own, indexed.name, renamed);
    end loop;
    alter table ${table} rename to "${bare}_before";
    execute format('create table %I.%I (like %I.%I including defaults) partition by range (placed_at)',
      own, '${bare}', own, '${bare}_before');
    execute format('alter table %I.%I attach partition %I.%I for values from (minvalue) to (%L)',
      own, '${bare}', own, '${bare}_before', bound);
    execute format('alter table %I.%I drop constraint deliveries_before', own, '${bare}_before');
    foreach definition in array made loop
      execute definition;
    end loop;
    execute format('create table %I.%I partition of %I.%I (primary key (id)) default with (%s)',
      own, '${bare}_default', own, '${bare}', coalesce(options, 'fillfactor = 100'));

    -- As before, of the table that has its name now.
    if to_regclass('${seen}') is not null then
      execute format('create or replace view ${seen} as %s',
        replace(pg_get_viewdef('${seen}'::regclass), '${bare}_before', '${bare}'));
    end if;

    execute ${body(roomText(bare, room))};
    execute ${body(forgetText(bare, forget, prefix))};

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
    create function ${name}(${argument} bigint) returns bigint language plpgsql strict security definer
      set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' set timezone = 'UTC' set datestyle = 'ISO, YMD'
      as $function$
    declare
      own constant text := @own@;
      parent constant regclass := format('%I.%I', own, '${bare}')::regclass;`

const guard = `
      -- Made for those who may delete deliveries one by one.
      if not has_table_privilege(session_user, parent, 'delete') then
        raise insufficient_privilege using message = 'this takes the right to delete deliveries';
      end if;`

/** Makes the months of an instant and two more. What is locked for longer than a moment is left to the next call. */
const roomText = (bare: string, name: string) => `${head(bare, name, "at")}
      rest constant regclass := format('%I.%I', own, '${bare}_default')::regclass;
      options constant text := array_to_string((select reloptions from pg_class where oid = rest), ', ');
      begins timestamp;
      low timestamptz;
      high timestamptz;
      part text;
      made bigint := 0;
      waiting bigint;
    begin${guard}
      if not pg_try_advisory_xact_lock(hashtextextended(parent::oid::text || ' months', 0)) then return 0; end if;
      -- All of it is read while others wait. What is there goes one by one.
      execute format('select count(*) from (select 1 from %s limit 100001) r', rest) into waiting;
      if waiting > 100000 then return 0; end if;
      begins := date_trunc('month', least(to_timestamp(at / 1000.0), now() + interval '31 days') at time zone 'UTC');
      for further in 0..2 loop
        low := (begins + make_interval(months => further)) at time zone 'UTC';
        high := (begins + make_interval(months => further + 1)) at time zone 'UTC';
        part := '${bare}_' || to_char(low at time zone 'UTC', 'YYYY_MM');
        continue when low < @bound@ or to_regclass(format('%I.%I', own, part)) is not null;
        -- To move many takes longer still.
        execute format('select count(*) from (
          select 1 from %s where placed_at >= %L and placed_at < %L limit 10001) r', rest, low, high) into waiting;
        continue when waiting > 10000;
        begin
          execute format('create table %I.%I (like %s including defaults, primary key (id)) with (%s)',
            own, part, parent, options);
          -- What is being added to the month that has begun would be refused where it was on its way to.
          execute format('lock table only %s in %s mode', parent,
            case when low <= now() + interval '1 day' or waiting > 0 then 'share row exclusive'
            else 'share update exclusive' end);
          execute format('lock table %s in access exclusive mode', rest);
          execute format('with moved as (delete from %s where placed_at >= %L and placed_at < %L returning *)
            insert into %I.%I select * from moved', rest, low, high, own, part);
          execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)',
            parent, own, part, low, high);
          made := made + 1;
        exception when lock_not_available then
          exit;
        end;
      end loop;
      return made;
    end $function$`

/**
 * Drops the months of which all deliveries ended before an instant and no attempts are left. What has to stay for
 * longer is placed anew before. A call of its own notes that deliveries may have gone, so that none who reads the note
 * misses what has, and each month goes in one of its own. Answers below 0 if it is to be called again.
 */
const forgetText = (bare: string, name: string, prefix: string) => `${head(bare, name, "before")}
      attempts constant regclass := format('%I.%I', own, '${prefix}attempts')::regclass;
      removals constant text := format('%I.%I', own, '${prefix}removals');
      -- The same in the calls of one sweep.
      ended bigint := least(before, (extract(epoch from date_trunc('hour', now())) * 1000)::bigint);
      oldest bigint;
      parts text[];
      part text;
      begins timestamptz;
      noted bigint;
      staying bigint;
    begin${guard}
      if not pg_try_advisory_xact_lock(hashtextextended(parent::oid::text || ' forget', 0)) then return 0; end if;
      -- An attempt began before its delivery ended; an hour is more than clocks of servers differ.
      execute format('select a.started_at from %s a where a.started_at < %s order by a.started_at limit 1',
        attempts, ended + 3600000) into oldest;
      ended := least(ended, oldest - 3600000);
      -- What is on its way is placed anew soon after the month, so that few can have ended later.
      select array_agg(c.relname::text order by c.relname) into parts
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = parent and right(c.relname, 8) ~ '^_\\d{4}_\\d{2}$'
          and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month 10 days' <= to_timestamp(ended / 1000.0);
      if parts is null then return 0; end if;
      execute format('select ended_before from %s where kind = ''deliveries''', removals) into noted;
      if coalesce(noted, 0) < ended then
        execute format('insert into %s as t (kind, ended_before) values (''deliveries'', %s)
          on conflict (kind) do update set ended_before = excluded.ended_before
          where t.ended_before < excluded.ended_before', removals, ended);
        return -1;
      end if;
      foreach part in array parts loop
        begin
          begins := to_date(right(part, 7), 'YYYY_MM');
          execute format('update %s set placed_at = now()
              where placed_at >= %L and placed_at < %L and id = any(array(
                select id from %I.%I where status = ''pending'' or completed_at >= %s limit 10000 for update))',
            parent, begins, begins + interval '1 month', own, part, ended);
          get diagnostics staying = row_count;
          if staying = 10000 then return -1; end if;
          for attempt in 1..3 loop
            begin
              execute format('lock table only %s in access exclusive mode', parent);
              execute format('drop table %I.%I', own, part);
              -- The lock lasts until the end of the call, and the next month has to be read first.
              return case when part = parts[cardinality(parts)] then 1 else -1 end;
            exception when lock_not_available then
              perform pg_sleep(0.2);
            end;
          end loop;
          exit;
        exception when lock_not_available or undefined_table then
          exit;
        end;
      end loop;
      return 0;
    end $function$`
