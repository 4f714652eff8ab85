/**
 * Writes the outlines that preview images are lettered with: of Inter, which is under the SIL Open Font License 1.1, as
 * servers have no fonts. Run it again after the font was changed: `node scripts/glyphs.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import opentype from "opentype.js"

const target = fileURLToPath(new URL("../packages/http-server/src/pages/preview/glyphs.json", import.meta.url))
const subsets = ["latin", "latin-ext", "cyrillic", "cyrillic-ext"]
/** Letters are drawn in a square of so many units. */
const size = 1000

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const wanted = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0x17f),
  ...range(0x400, 0x45f),
  ...range(0x490, 0x4ff),
  ...range(0x2010, 0x2026),
  0x20ac,
  0x20b8,
  0x20bd,
  0x2116
]

const fonts = subsets.map((subset) => {
  const file = new URL(`../node_modules/@fontsource/inter/files/inter-${subset}-600-normal.woff`, import.meta.url)
  const { buffer, byteOffset, byteLength } = readFileSync(file)
  return opentype.parse(buffer.slice(byteOffset, byteOffset + byteLength))
})

const glyphs: Record<string, readonly [advance: number, path: string]> = {}
for (const code of wanted) {
  const letter = String.fromCodePoint(code)
  const font = fonts.find((each) => each.charToGlyphIndex(letter) > 0)
  if (font === undefined) continue
  const glyph = font.charToGlyph(letter)
  const advance = Math.round(((glyph.advanceWidth ?? 0) * size) / font.unitsPerEm)
  glyphs[letter] = [advance, glyph.getPath(0, 0, size).toPathData(0)]
}

// White space of all kinds is among them, and none of it may stand in a file as it is.
const written = JSON.stringify(glyphs, null, 2).replace(
  /[^\x20-\x7e\n]/g,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`
)
writeFileSync(target, `${written}\n`)
console.log(`${Object.keys(glyphs).length} letters`)
