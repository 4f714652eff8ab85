/** A table that is changed while servers read and write it, on PostgreSQL. */

/**
 * Locks a table and the view for people of it, in a block of PL/pgSQL that has the usual limit of waiting in `usual`.
 * Asked for again and again: who waits in line for the table would be waited for by all who come after. The view first,
 * as those who read it lock it before the table.
 */
export const lockTable = (table: string, seen: string) => `
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
