/** Searches for parts of texts that an index of groups of three characters can answer. */
import type { SqlClient, Statement } from "effect/sql"

const shortest = 6
const digits = 3

/**
 * The longest word of the text with several digits, as the number of an order: its parts are in few texts, while words
 * and what stands before numbers are in many. Null: there is none, or it is the whole text.
 */
export const numberIn = (text: string): string | null => {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const numbers = words.filter((word) => word.length >= shortest && (word.match(/\d/g)?.length ?? 0) >= digits)
  const [longest] = numbers.toSorted((a, b) => b.length - a.length)
  return longest === undefined || longest === text ? null : longest
}

/**
 * Whether a text has a part. Such an index knows `like` only, and reads all rows of each three characters, of "ord" of
 * `ORD-93814` as well: so it is asked for the number only, if there is one. What it finds is compared with the whole.
 */
export const containing =
  (sql: SqlClient.SqlClient) =>
  (text: Statement.Fragment, part: string): Statement.Fragment => {
    const like = (of: Statement.Fragment, what: string) => sql`${of} like ${`%${what.replace(/[\\%_]/g, "\\$&")}%`}`
    const number = numberIn(part)
    return number === null ? like(text, part) : sql`(${like(text, number)} and ${like(sql`(${text} || '')`, part)})`
  }

/**
 * A text as a pattern of which each letter stands for itself in either case. What is lower or upper case is told here:
 * SQLite knows it for ASCII only, and PostgreSQL as its locale has it. `escaped` writes a character for itself.
 */
export const anyCase = (part: string, escaped: (character: string) => string): string =>
  Array.from(part, (character) => {
    const cases = new Set([character, character.toLowerCase(), character.toUpperCase()])
    const single = [...cases].filter((each) => Array.from(each).length === 1)
    return single.length > 1 ? `[${single.join("")}]` : escaped(character)
  }).join("")
