/** What an index finds long numbers by, as those of orders and phones: a function of PostgreSQL. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { qualifiedIndex } from "../base/Tables.ts"

/**
 * Adds the function that answers the keys of a text. A word is a run of digits and Latin letters in lower case. Its
 * keys are the groups of six characters from the fifth, the tenth, … on: a part of ten characters has one of them in
 * it, wherever it begins, and `keysOf` asks for those. A key is a number below 2^22, so that the index of very many
 * texts stays small; what has the same one by chance is compared afterwards.
 *
 * What it answers must never change, since indexes keep it: another kind of keys is another function.
 */
export const createSearchKeys: Step = (sql, _, naming) =>
  sql.onDialectOrElse({
    pg: () => {
      const keys = qualifiedIndex(sql, naming, "search_keys")
      const statements = [
        sql`create function ${keys}(searched text) returns integer[]
          language plpgsql immutable strict parallel safe as $$
          declare
            word text collate "C";
            keys integer[] := '{}';
          begin
            foreach word in array regexp_split_to_array(searched collate "C", '[^0-9a-z]+') loop
              for place in 5 .. length(word) - 5 by 5 loop
                keys := keys || (hashtext(substr(word, place, 6)) & 4194303);
              end loop;
            end loop;
            return keys;
          end $$`,
        // Every insert of an invoice runs it, with the rights of the server that inserts.
        sql`grant execute on function ${keys}(text) to public`
      ]
      return Effect.forEach(statements, (statement) => statement, { discard: true })
    },
    orElse: () => Effect.void
  })
