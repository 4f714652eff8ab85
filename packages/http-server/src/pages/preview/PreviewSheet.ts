/** What messengers show of a pay page or a payment link: who is paid, for what, and how much. Pure. */
import { shadesOf } from "@tolem/core/face/Shades"
import { brokenInto, drawable, lengthOf, lettered } from "./Outlines.ts"

/** What a preview tells. */
export interface PreviewFacts {
  readonly seller: string | null
  /** For what; null: that is not told. */
  readonly title: string | null
  /** As people write it, or that any amount may be paid. */
  readonly amount: string
  /** `#rrggbb`, checked; null: ours. */
  readonly colour: string | null
  /** The size of the logo that is laid over it; null: none. */
  readonly logo: { readonly width: number; readonly height: number } | null
  /** Whether a picture of what is paid for lies at `pictureAt`, where the logo would. */
  readonly hasPicture: boolean
}

/** The size that messengers ask for. */
const previewSize = { width: 1200, height: 630 } as const

const margin = 88
const inner = previewSize.width - 2 * margin
const ink = "#10262b"
const quiet = "#52676c"
const ours = "#00737f"

/** Where the logo lies: in the upper corner of the card, as it is. */
export const logoAt = ({ width }: { readonly width: number }): { readonly left: number; readonly top: number } => ({
  left: previewSize.width - margin - width,
  top: margin
})

/** Where the picture of what is paid for lies: it fills the right side of the card. */
export const pictureAt = { left: 744, top: 64, fill: { width: 392, height: 478 } } as const

/** The drawing. */
export const previewDrawing = ({ seller, title, amount, colour, logo, hasPicture }: PreviewFacts): string => {
  const { accent, glow } = shadesOf(colour ?? ours, "light")
  const { width, height } = previewSize
  const room = hasPicture ? pictureAt.left - margin - 40 : inner
  const beside = hasPicture || logo === null ? room : room - logo.width - 40
  const names = brokenInto(seller ?? "", 44, beside, beside === inner ? 1 : 2)
  const titles = brokenInto(title ?? "", 60, beside, 2)
  const price = drawable(amount)
  const size = Math.min(116, 116 * (room / Math.max(1, lengthOf(price, 116))))
  const below = 136 + names.length * 56
  const parts = [
    ...names.map((line, index) => lettered(line, { x: margin, y: 140 + index * 56, size: 44, fill: quiet })),
    ...titles.map((line, index) => lettered(line, { x: margin, y: below + 56 + index * 76, size: 60, fill: ink })),
    lettered(price, { x: margin, y: height - 104, size, fill: accent })
  ]
  const card = { x: 32, y: 32, width: width - 64 }
  const rounded = (height: number, fill: string) =>
    `<rect x="${card.x}" y="${card.y}" width="${card.width}" height="${height}" rx="36" fill="${fill}"/>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<path fill="${glow}" d="M0 0h${width}v${height}H0z"/>`,
    rounded(height - 64, accent),
    rounded(height - 88, "#fff"),
    ...parts,
    "</svg>"
  ].join("")
}
