/**
 * Markup that is escaped by construction: whatever a template takes in is text, unless another template made it. There
 * is no way to turn a text of unknown origin into markup. Pure.
 */

class Markup {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

/** Finished markup. Only the templates of this file make it; `String` gives its text. */
export type Html = Markup

/** What a template takes in. Null is nothing. */
export type Value = Html | string | number | null | ReadonlyArray<Html>

/**
 * A template: texts and numbers are escaped for content and for attributes in double quotes alike, and stay as they
 * are; indents of the template itself are left out. An attribute without quotes, which no escaping could protect, is a
 * defect.
 */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html => {
  const parts = partsOf(strings)
  let text = parts[0] ?? ""
  values.forEach((value, i) => {
    text += markupOf(value) + (parts[i + 1] ?? "")
  })
  return new Markup(text)
}

/** Looked at once for each template. */
const partsOf = (strings: TemplateStringsArray): ReadonlyArray<string> => {
  const known = looked.get(strings)
  if (known !== undefined) return known
  if (strings.slice(0, -1).some((part) => unquoted.test(part))) throw new Error("An attribute needs its quotes")
  // Without the breaks and indents that only its authors need.
  const parts = strings.map((part) => part.replace(/\n\s*(?=\/?>)/g, "").replace(/\n\s+/g, "\n"))
  looked.set(strings, parts)
  return parts
}

const looked = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()

/** The name of an attribute with its sign, and no quotes before the value. */
const unquoted = /\s[\w-]+=$/

/** Constant markup, style or script, as it stands. It takes nothing in. */
export const verbatim = (strings: TemplateStringsArray): Html => new Markup(strings[0] ?? "")

/** Data as a script writes it. No text in it ends the script. */
export const scriptData = (data: Readonly<Record<string, ReadonlyArray<string>>>): Html =>
  new Markup(JSON.stringify(data).replaceAll("<", "\\u003c"))

/** A style sheet without the blanks that only its authors need. It has no comments, nor texts with blanks in a row. */
export const tightStyle = (style: Html): Html =>
  new Markup(
    style
      .toString()
      .replace(/\s+/g, " ")
      .replace(/ ?([{};,]) ?/g, "$1")
      .replace(/: /g, ":")
      .replace(/;}/g, "}")
      .trim()
  )

/**
 * A script without indents, blanks around signs, nor lines that are comments. Its lines stay, as it has no semicolons.
 * Its texts are in double quotes; it has no patterns, and adds or takes away nothing that has a sign of its own.
 */
export const tightScript = (script: Html): Html =>
  new Markup(
    script
      .toString()
      .replace(/^\s*\/\/.*\n/gm, "")
      .replace(/^\s+/gm, "")
      .replace(/("[^"]*")| *([^\w\s"]+) */g, (_, text?: string, signs?: string) => text ?? signs ?? "")
  )

const markupOf = (value: Value): string => {
  if (value === null) return ""
  if (value instanceof Markup) return value.toString()
  return Array.isArray(value) ? value.map(markupOf).join("") : escaped(String(value))
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")
