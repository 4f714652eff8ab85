/**
 * Searches for parts of texts that an index can answer: of groups of three characters, and of keys of long words. Step
 * 105 of the migrations has the keys of a text.
 */
import type { SqlClient, Statement } from "effect/sql"
import { qualifiedIndex, type TableNaming } from "./Tables.ts"

const shortest = 6
const digits = 3

/** Characters of a key, and how far the keys of a word are from each other. */
const keyLength = 6
const keyStep = 5
/** A part of a word with so many characters has one of the word's keys in it. */
const keyed = keyLength + keyStep - 1

/** Groups that are asked for of a long number, and those that a number is long with. */
const asked = 4
const many = 7

/**
 * The longest word of the text with several digits, as the number of an order: its parts are in few texts, while words
 * and what stands before numbers are in many. Null: there is none.
 */
export const numberIn = (text: string): string | null => {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const numbers = words.filter((word) => word.length >= shortest && (word.match(/\d/g)?.length ?? 0) >= digits)
  return numbers.toSorted((a, b) => b.length - a.length)[0] ?? null
}

/**
 * Four groups of three characters of a number, from its beginning to its end: together they are in hardly any other
 * text. Numbers of one kind differ most in their ends, so the last one is among them. Of the others, those with the
 * same character twice in a row are left out, as the zeros before numbers are in many. Before the end of the number,
 * groups with a digit and a letter come first, since words have no digits, and phones and receipts no letters. None of
 * a number that has few different ones, as `00000012`: all of them are needed then.
 */
export const groupsOf = (number: string): ReadonlyArray<string> => {
  const characters = Array.from(number)
  const all = [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join("")))]
  const last = all.pop()
  const rare = all.filter((group) => !/(.)\1/u.test(group))
  if (last === undefined || all.length + 1 < many || rare.length + 1 < asked) return []
  const [second, third] = [Math.round(rare.length / 3), Math.round((2 * rare.length) / 3)]
  const first = rare.slice(0, second).find(isMixed) ?? rare[0]!
  const middle = rare.slice(second, third).find(isMixed) ?? rare[Math.round((rare.length - 1) / 2)]!
  return [first, middle, rare[rare.length - 1]!, last]
}

const isMixed = (group: string): boolean => /\d/.test(group) && /\p{L}/u.test(group)

/**
 * What may be a key of a text that has the number: the five groups of six in its last ten characters, as numbers of one
 * kind differ in their ends. None of a number that is short, or has letters beyond ASCII. Four zeros in front make each
 * group a word that has this group as its only key.
 */
export const keysOf = (number: string): ReadonlyArray<string> =>
  number.length < keyed || /[^0-9a-z]/.test(number)
    ? []
    : Array.from({ length: keyStep }, (_, at) => {
        const from = number.length - keyed + at
        return "0".repeat(keyStep - 1) + number.slice(from, from + keyLength)
      })

/**
 * The groups that are asked for beside keys: few rows have those, and each group more takes time to plan and to look
 * up. One from the middle and the last, as neighbours have characters in common and are found in the same texts.
 */
const besideKeys = (groups: ReadonlyArray<string>): ReadonlyArray<string> => groups.filter((_, at) => at % 2 === 1)

/**
 * Whether a text has a part. Such an index reads all rows of each three characters, of "ord" of `ORD-93814` as well: so
 * it is asked for the number only, if there is one, and of a long number for a few groups. What it finds is compared
 * with the whole. `byKeys`: it is asked for the keys of the number, too. That makes the keys of each row that has the
 * part, which takes time: for statements that end with a few rows.
 */
export const containing =
  (sql: SqlClient.SqlClient, naming: TableNaming) =>
  (text: Statement.Fragment, part: string, { byKeys }: { readonly byKeys: boolean }): Statement.Fragment => {
    const like = (of: Statement.Fragment, what: string) => sql`${of} like ${`%${what.replace(/[\\%_]/g, "\\$&")}%`}`
    const number = numberIn(part)
    if (number === null) return like(text, part)
    const groups = groupsOf(number)
    const keys = byKeys ? keysOf(number) : []
    if (number === part && groups.length + keys.length === 0) return like(text, part)
    const asking = keys.length === 0 ? groups : besideKeys(groups)
    const found = (asking.length === 0 ? [number] : asking).map((one) => like(text, one))
    const keysIn = qualifiedIndex(sql, naming, "search_keys")
    if (keys.length > 0) found.unshift(sql`${keysIn}(${text}) operator(pg_catalog.&&) ${keysIn}(${keys.join(" ")})`)
    return sql`(${sql.and([...found, like(sql`(${text} || '')`, part)])})`
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
