/**
 * Words as outlines: servers have no fonts, and an image must look the same on all of them. The letters are those of
 * Inter, Latin and Cyrillic with all of Kazakh; `scripts/glyphs.ts` has written them.
 */
import { readFileSync } from "node:fs"

/** Of each letter how far it leads, and its outline; both in thousandths of the size. */
type Glyphs = Readonly<Record<string, readonly [advance: number, path: string]>>

let loaded: Glyphs | undefined
const glyphs = (): Glyphs => {
  loaded ??= JSON.parse(readFileSync(new URL("./glyphs.json", import.meta.url), "utf8")) as Glyphs
  return loaded
}

const ellipsis = "…"

/** The letters of a text that can be drawn, on one line; what has no outline is left out. */
export const drawable = (text: string): string =>
  Array.from(text.normalize("NFC").replace(/\s+/gu, " "))
    .filter((letter) => Object.hasOwn(glyphs(), letter))
    .join("")
    .replace(/ +/g, " ")
    .trim()

/** How long a line of a size is. */
export const lengthOf = (text: string, size: number): number =>
  Array.from(text).reduce((sum, letter) => sum + (glyphs()[letter]?.[0] ?? 0), 0) * (size / 1000)

/** The text in lines that are no longer than `width`, so many at most; what is too much ends with an ellipsis. */
export const brokenInto = (text: string, size: number, width: number, most: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let rest = drawable(text)
  while (rest !== "" && lines.length < most) {
    const isLast = lines.length === most - 1
    const fitting = fittingOf(rest, size, width)
    if (fitting === rest || !isLast) lines.push(fitting.trim())
    else lines.push(shortened(rest, size, width))
    rest = rest.slice(fitting.length).trim()
  }
  return lines
}

/** As many whole words as fit; of one that is longer than a line, as many letters. */
const fittingOf = (text: string, size: number, width: number): string => {
  if (lengthOf(text, size) <= width) return text
  const letters = Array.from(text)
  let end = letters.length
  while (end > 1 && lengthOf(letters.slice(0, end).join(""), size) > width) end--
  const cut = letters.slice(0, end).join("")
  const space = cut.lastIndexOf(" ")
  return space > 0 ? cut.slice(0, space) : cut
}

const shortened = (text: string, size: number, width: number): string => {
  const letters = Array.from(text)
  while (letters.length > 1 && lengthOf(`${letters.join("").trimEnd()}${ellipsis}`, size) > width) letters.pop()
  return `${letters.join("").trimEnd()}${ellipsis}`
}

/** A line as SVG, with its foot at `y`. The outlines are ours, so nothing of the text itself is in it. */
export const lettered = (
  text: string,
  { x, y, size, fill }: { readonly x: number; readonly y: number; readonly size: number; readonly fill: string }
): string => {
  let at = 0
  const outlines = Array.from(text).flatMap((letter) => {
    const glyph = glyphs()[letter]
    if (glyph === undefined) return []
    const [advance, path] = glyph
    const from = at
    at += advance
    return path === "" ? [] : [`<path transform="translate(${from})" d="${path}"/>`]
  })
  return `<g fill="${fill}" transform="translate(${x} ${y}) scale(${size / 1000})">${outlines.join("")}</g>`
}
