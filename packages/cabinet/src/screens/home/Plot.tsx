/** Bars with their axes, drawn by uPlot; it comes with the chart, and with nothing else. */
import { useEffect, useRef } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { onTheme } from "../../browser/Theme.ts"
import { count } from "../../parts/MoneyWords.ts"

/** What is drawn. */
export interface PlotProps {
  /** Heights of the bars, in tenge. */
  readonly values: ReadonlyArray<number>
  /** A word for each bar, below it. */
  readonly labels: ReadonlyArray<string>
  /** Tells of the bar that is pointed at; null: of none. */
  readonly onPoint: (index: number | null) => void
}

const height = 168
/** A label and the space after it, in pixels. */
const labelWidth = 64
const digitWidth = 8
const barShare = 0.7
const widestBar = 48

const colour = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Every label if there is room for it, else every second one, and so on. */
const labelled = (labels: ReadonlyArray<string>, width: number): Array<number> => {
  const every = Math.max(1, Math.ceil(labels.length / Math.max(1, Math.floor(width / labelWidth))))
  return labels.flatMap((_, index) => ((labels.length - 1 - index) % every === 0 ? [index] : []))
}

const optionsOf = ({ values, labels, onPoint }: PlotProps, width: number): uPlot.Options => ({
  width,
  height,
  legend: { show: false },
  cursor: { y: false, drag: { setScale: false, x: false }, points: { show: false } },
  scales: {
    x: { time: false, range: () => [-0.5, values.length - 0.5] },
    y: { range: (_, least, most) => [Math.min(0, least), Math.max(1, most * 1.05)] }
  },
  series: [
    {},
    {
      fill: colour("--accent"),
      width: 0,
      points: { show: false },
      paths: uPlot.paths.bars!({ size: [barShare, widestBar], radius: 0.2 })
    }
  ],
  axes: [
    {
      stroke: colour("--quiet"),
      grid: { show: false },
      ticks: { show: false },
      size: 28,
      splits: (plot) => labelled(labels, plot.bbox.width / devicePixelRatio),
      values: (_, splits) => splits.map((index) => labels[index] ?? "")
    },
    {
      stroke: colour("--quiet"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { show: false },
      // Whole tenge, also where little was paid.
      incrs: [1, 2, 5]
        .flatMap((step) => Array.from({ length: 12 }, (_, power) => step * 10 ** power))
        .sort((a, b) => a - b),
      values: (_, splits) => splits.map(count),
      size: (_, texts) => Math.max(...(texts ?? [""]).map(({ length }) => length)) * digitWidth + 16
    }
  ],
  hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] }
})

/** The bars. */
export const Plot = (props: PlotProps) => {
  const place = useRef<HTMLDivElement>(null)
  const { values, labels, onPoint } = props
  useEffect(() => {
    const target = place.current
    if (target === null) return
    const data: uPlot.AlignedData = [values.map((_, index) => index), [...values]]
    const plot = new uPlot(optionsOf({ values, labels, onPoint }, target.clientWidth), data, target)
    const sized = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }))
    sized.observe(target)
    const quiet = onTheme(() => plot.redraw(false))
    return () => {
      quiet()
      sized.disconnect()
      plot.destroy()
    }
  }, [values, labels, onPoint])
  return <div ref={place} />
}
