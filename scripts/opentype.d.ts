/** As much of it as `glyphs.ts` uses; the package has no types. */
declare module "opentype.js" {
  interface Glyph {
    readonly advanceWidth?: number
    getPath(x: number, y: number, size: number): { toPathData(decimals: number): string }
  }
  interface Font {
    readonly unitsPerEm: number
    charToGlyph(letter: string): Glyph
    charToGlyphIndex(letter: string): number
  }
  const opentype: { parse(file: ArrayBuffer): Font }
  export = opentype
}
