/** QR codes as SVG, black on white in every theme: scanners want it so. */
import { type Html, html } from "@tolem/core/value/Html"
import { Effect } from "effect"

/** Modules that stay white around the code, as its standard asks. */
const quiet = 4

/** Pixels of a module if the size of the image is not set. */
const scale = 8

/** Draws the code of `text`, which `label` describes to those who cannot see it; null if the text is too long. */
export type Draw = (text: string, label: string) => Html | null

/** Loads what draws codes. It takes a while, so it is for the first visitor rather than for the start. */
export const load: Effect.Effect<Draw> = Effect.map(
  Effect.promise(() => import("qrcode")),
  ({ create }) => {
    const modulesOf = (text: string): Modules | null => {
      try {
        return create(text, { errorCorrectionLevel: "M" }).modules
      } catch {
        return null // empty, or more than the largest code holds
      }
    }
    return (text, label) => {
      const modules = modulesOf(text)
      return modules === null ? null : svg(modules, label)
    }
  }
)

interface Modules {
  readonly size: number
  readonly data: ArrayLike<number>
}

const svg = (modules: Modules, label: string): Html => {
  const size = modules.size + 2 * quiet
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="qr" role="img" aria-label="${label}"
    width="${size * scale}"
    height="${size * scale}" viewBox="-${quiet} -${quiet}.5 ${size} ${size}" shape-rendering="crispEdges"
    ><path fill="#fff" d="M-${quiet}-${quiet}.5h${size}v${size}h-${size}z"
    /><path stroke="#000" d="${pathOf(modules)}"/></svg>`
}

/**
 * Each row as strokes over neighbouring dark modules, with the gaps between: so it is half as long as by outlines. The
 * first row is at 0, so that numbers are short.
 */
const pathOf = ({ size, data }: Modules): string => {
  let path = ""
  for (let row = 0; row < size; row++) {
    let end = -1
    for (let column = 0; column < size; column++) {
      let length = 0
      while (column + length < size && data[row * size + column + length] === 1) length++
      if (length === 0) continue
      path += end < 0 ? `M${column} ${row}` : `m${column - end} 0`
      path += `h${length}`
      column += length
      end = column
    }
  }
  return path
}
