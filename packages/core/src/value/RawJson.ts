/**
 * Keeps parts of a JSON document as the text that was sent: order of members, digits of large numbers, `__proto__`,
 * escapes, white space, all as they came.
 *
 * `JSON.parse` cannot: its reviver sees the source text of primitives only, and `JSON.rawJSON` takes primitives only.
 * So the text is scanned, once, after `JSON.parse` has accepted it; on accepted text the scan needs to know strings and
 * brackets, nothing else.
 */

/**
 * The source text of `member` of the object that `text` is, or `undefined` if it has none. Of duplicate members the
 * last counts, as in `JSON.parse`. `text` must have passed `JSON.parse` and be an object.
 */
export const rawMember = (text: string, member: string): string | undefined => {
  let found: string | undefined
  let i = text.indexOf("{") + 1
  for (;;) {
    i = afterSeparators(text, i, comma)
    if (text.charCodeAt(i) !== quote) return found
    const nameEnd = afterString(text, i)
    const name: unknown = JSON.parse(text.slice(i, nameEnd)) // names may be escaped: "\u006detadata"
    i = afterSeparators(text, nameEnd, colon)
    const end = afterValue(text, i)
    if (name === member) found = text.slice(i, end)
    i = end
  }
}

/** The source texts of the elements of the array that `text` is. `text` must have passed `JSON.parse`. */
export const rawElements = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let i = text.indexOf("[") + 1
  for (;;) {
    i = afterSeparators(text, i, comma)
    if (i >= text.length || text.charCodeAt(i) === closeBracket) return found
    const end = afterValue(text, i)
    found.push(text.slice(i, end))
    i = end
  }
}

declare const value: unique symbol

/** JSON text of a value of this type. The compiler alone knows of it. */
export type JsonText<Value> = string & { readonly [value]: Value }

/** JSON text of a value that JSON can hold. */
export const textOf = <Value>(held: Value): JsonText<Value> => JSON.stringify(held) as JsonText<Value>

/** The same of what was sent or stored as such text, and has passed `JSON.parse`. */
export const asText = <Value>(text: string): JsonText<Value> => text as JsonText<Value>

/** JSON text of an array, of the texts of its elements. */
export const arrayText = <Element>(elements: ReadonlyArray<JsonText<Element>>): JsonText<ReadonlyArray<Element>> =>
  `[${elements.join(",")}]` as JsonText<ReadonlyArray<Element>>

/** JSON text of `before`, then a member whose value is JSON text already, then `after`. */
export const withRawMember = <Before extends object, const Member extends string, Raw, After extends object>(
  before: Before,
  member: Member,
  raw: JsonText<Raw>,
  after: After = {} as After
): JsonText<Before & { readonly [Name in Member]: Raw } & After> => {
  const front = JSON.stringify(before)
  const back = JSON.stringify(after)
  const comma = front === "{}" ? "" : ","
  const end = back === "{}" ? "}" : `,${back.slice(1)}`
  return `${front.slice(0, -1)}${comma}${JSON.stringify(member)}:${raw}${end}` as ReturnType<
    typeof withRawMember<Before, Member, Raw, After>
  >
}

/**
 * The object that `text` is with these members added at its end, or replaced if it has some of these names. All else
 * stays the text that was sent. `text` must have passed `JSON.parse` and be an object.
 */
export const withMembers = (text: string, members: Readonly<Record<string, string | number>>): string => {
  const kept: Array<string> = []
  let i = text.indexOf("{") + 1
  for (;;) {
    i = afterSeparators(text, i, comma)
    if (text.charCodeAt(i) !== quote) break
    const nameEnd = afterString(text, i)
    const end = afterValue(text, afterSeparators(text, nameEnd, colon))
    if (!Object.hasOwn(members, JSON.parse(text.slice(i, nameEnd)))) kept.push(text.slice(i, end))
    i = end
  }
  const added = Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...kept, ...added].join(",")}}`
}

const quote = 34
const comma = 44
const colon = 58
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13

const afterSeparators = (text: string, at: number, separator: number): number => {
  let i = at
  while (isSpace(text.charCodeAt(i)) || text.charCodeAt(i) === separator) i++
  return i
}

/** The position behind the string that begins at `at` (a quotation mark). */
const afterString = (text: string, at: number): number => {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    // An odd number of backslashes in front of it makes it one of the string's own.
    let first = end
    while (text.charCodeAt(first - 1) === backslash) first--
    if ((end - first) % 2 === 0) return end + 1
  }
  return text.length
}

/** The position behind the value that begins at `at`. */
const afterValue = (text: string, at: number): number => {
  let depth = 0
  for (let i = at; i < text.length; ) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      i = afterString(text, i)
    } else if (code === openBrace || code === openBracket) {
      depth++
      i++
      continue
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return i // the bracket of what is around a number or a word
      depth--
      i++
    } else if (depth === 0 && (code === comma || isSpace(code))) {
      return i
    } else {
      i++
      continue
    }
    if (depth === 0) return i
  }
  return text.length
}
