/** Reads what `/metrics` answers, and the table of the documentation. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** A metric as it is shown or described. */
export interface Family {
  readonly name: string
  readonly type: string
  readonly labels: ReadonlyArray<string>
}

/** A value with its labels. `name` of a histogram's has its suffix. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const line = /^([a-z_]+)(?:\{(.*)\})? (\S+)(?: \d+)?$/

/** The values, in their order. Throws at a line that is none. */
export const samplesOf = (text: string): ReadonlyArray<Sample> =>
  text
    .split("\n")
    .filter((each) => each !== "" && !each.startsWith("#"))
    .map((each) => {
      const [, name = "", labels = "", value = ""] = line.exec(each) ?? []
      if (name === "") throw new Error(`not a sample: ${each}`)
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, said]) => [key, said] as const)
      return { name, labels: Object.fromEntries(pairs), value: Number(value === "+Inf" ? "Infinity" : value) }
    })

/** The metrics that have a value, by name, each with all labels that its values have. */
export const familiesOf = (text: string): ReadonlyArray<Family> => {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]))
  const labels = new Map<string, Set<string>>()
  for (const sample of samplesOf(text)) {
    const base = sample.name.replace(/_(bucket|sum|count|min|max)$/, "")
    const name = types.has(sample.name) ? sample.name : base
    const known = labels.get(name) ?? new Set()
    for (const label of Object.keys(sample.labels)) if (label !== "le") known.add(label)
    labels.set(name, known)
  }
  return Array.from(labels, ([name, known]) => ({ name, type: types.get(name) ?? "", labels: [...known].sort() }))
}

/** The rows of the table in docs/metrics.md. */
export const documented = (): ReadonlyArray<Family> => {
  const page = readFileSync(fileURLToPath(new URL("../../../../docs/metrics.md", import.meta.url)), "utf8")
  return [...page.matchAll(/^\| `(tolem_\w+)` \| (\w+) \|([^|]*)\|/gm)].map(([, name = "", type = "", cell = ""]) => ({
    name,
    type,
    labels: [...cell.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label).sort()
  }))
}
