/**
 * Reads and writes JSON without a loss of digits: what merchants keep of their own may hold numbers that a browser
 * cannot, as `12345678901234567890` or `1.10`. Not every browser in use shows a parser's source text. Pure.
 */
import { freshKey } from "../browser/Keys.ts"

/** Texts that begin so are numbers in disguise. It is new with each page, so that no text begins so by chance. */
const mark = `number ${freshKey()} `

/** A number whose text another number of JavaScript would not be written as. */
export class ExactNumber {
  /** As JSON has it. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** For `exactText`. */
  toJSON(): string {
    return mark + this.text
  }
}

const textsAndNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const disguised = new RegExp(`"${mark}([^"]*)"`, "g")

const isKept = (found: string): boolean => found.startsWith('"') || String(Number(found)) === found

/** What the text holds; numbers that would lose digits are `ExactNumber`. Throws as `JSON.parse` does. */
export const readExact = (text: string): unknown => {
  const plain: unknown = JSON.parse(text)
  let isExact = true
  const marked = text.replace(textsAndNumbers, (found) => {
    if (isKept(found)) return found
    isExact = false
    return JSON.stringify(mark + found)
  })
  if (isExact) return plain
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value
  )
}

/** The JSON of a value, with the digits that were read. */
export const exactText = (value: unknown): string => JSON.stringify(value).replace(disguised, "$1")
