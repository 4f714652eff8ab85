/** A chart of states as an image: columns by the number of steps from the beginning, an arrow for each way on. Pure. */
import { escaped } from "./Markdown.ts"
import type { Machine } from "./States.ts"

const box = { width: 150, height: 34 }
const step = { x: 215, y: 58 }
const margin = 34

/** The image. Its arrows are told by the table beside it, so that readers of screens are told its name only. */
export const chartSvg = ({ title, moves }: Machine): string => {
  const arrows = [...new Map(moves.map(([from, , to]) => [`${from} ${to}`, [from, to] as const])).values()]
  const columns = columnsOf(arrows)
  const places = new Map(
    columns.flatMap((names, column) =>
      names.map((name, row) => [name, { x: margin + (column - 1) * step.x, y: margin + row * step.y }] as const)
    )
  )
  const width = margin * 2 + (columns.length - 2) * step.x + box.width
  const height = margin * 2 + (Math.max(...columns.map((names) => names.length)) - 1) * step.y + box.height
  const lines = arrows.flatMap(([from, to]) => {
    const [a, b] = [places.get(from), places.get(to)]
    return from === "[*]" || a === undefined || b === undefined ? [] : [`<path d="${lineOf(a, b)}"/>`]
  })
  const boxes = [...places].flatMap(([name, { x, y }]) =>
    name === "[*]"
      ? []
      : [
          `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="10"/>`,
          `<text x="${x + box.width / 2}" y="${y + box.height / 2 + 4}">${escaped(name)}</text>`
        ]
  )
  const id = `arrow-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`
  return [
    `<div class="chart" tabindex="0" role="group" aria-label="${escaped(title)}">`,
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"`,
    ` aria-label="${escaped(title)}">`,
    `<defs><marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">`,
    `<path d="M0 0L8 4L0 8z"/></marker></defs>`,
    lines.map((line) => line.replace("/>", ` marker-end="url(#${id})"/>`)).join(""),
    `${boxes.join("")}</svg></div>\n`
  ].join("")
}

type Arrow = readonly [from: string, to: string]

/** Each state in the column of its shortest way from the beginning. */
const columnsOf = (arrows: ReadonlyArray<Arrow>): ReadonlyArray<ReadonlyArray<string>> => {
  const columns: Array<Array<string>> = [["[*]"]]
  const known = new Set(["[*]"])
  for (let last = columns[0] ?? []; last.length > 0; ) {
    const next = [...new Set(arrows.filter(([from, to]) => last.includes(from) && !known.has(to)).map(([, to]) => to))]
    for (const name of next) known.add(name)
    if (next.length > 0) columns.push(next)
    last = next
  }
  return columns
}

interface Spot {
  readonly x: number
  readonly y: number
}

const lineOf = (a: Spot, b: Spot): string => {
  const [ay, by] = [a.y + box.height / 2, b.y + box.height / 2]
  if (a === b) {
    const right = a.x + box.width - 24
    return `M${right - 14} ${a.y}C${right - 18} ${a.y - 24} ${right + 18} ${a.y - 24} ${right + 10} ${a.y - 1}`
  }
  if (b.x > a.x) {
    const middle = (a.x + box.width + b.x) / 2
    return `M${a.x + box.width} ${ay}C${middle} ${ay} ${middle} ${by} ${b.x - 1} ${by}`
  }
  if (b.x === a.x) {
    const out = a.x + box.width + 30 + Math.abs(by - ay) / 8
    return `M${a.x + box.width} ${ay}C${out} ${ay} ${out} ${by} ${b.x + box.width + 1} ${by}`
  }
  const low = Math.max(a.y, b.y) + box.height + 22
  const [start, end] = [a.x + box.width / 3, b.x + box.width / 1.5]
  return `M${start} ${a.y + box.height}C${a.x} ${low} ${b.x + box.width} ${low} ${end} ${b.y + box.height + 1}`
}
