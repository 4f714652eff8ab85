/**
 * The dashboard and the alert rules use what there is: each metric, label and value in them is one of docs/metrics.md,
 * which a test of the server holds against what a running one shows.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { isCode } from "@tolem/core/error/ErrorCatalog"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { documented } from "../../packages/http-server/test/support/metricsText.ts"

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")

/** An expression of PromQL, and the labels that texts beside it name. */
interface Use {
  readonly where: string
  readonly expr: string
  readonly told: ReadonlyArray<string>
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}
interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly w: number }
  readonly targets?: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>
}

const rules = (): ReadonlyArray<Rule> =>
  (
    parse(read("deploy/prometheus/alerts.yml")) as { groups: ReadonlyArray<{ rules: ReadonlyArray<Rule> }> }
  ).groups.flatMap((group) => group.rules)
const panels = (): ReadonlyArray<Panel> => JSON.parse(read("deploy/grafana/tolem.json")).panels

const usesOfRules = (): ReadonlyArray<Use> =>
  rules().map(({ alert, expr, annotations }) => {
    const texts = `${annotations.summary} ${annotations.description}`
    return { where: alert, expr, told: [...texts.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label) }
  })
const usesOfPanels = (): ReadonlyArray<Use> =>
  panels().flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => {
      return { where: title, expr, told: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label) }
    })
  )

/** Of a histogram, what Prometheus makes of it. */
const suffixes = ["_bucket", "_sum", "_count"]

/** Labels that Prometheus itself gives each series. */
const given = ["instance", "job"]

const table = new Map(documented().map((family) => [family.name, family]))
/** Values that the table spells out. */
const spelled = new Set(["outcome", "change", "what", "mode", "kind"])
const rowOf = (name: string) =>
  read("docs/metrics.md")
    .split("\n")
    .find((line) => line.startsWith(`| \`${name}\``)) ?? ""

const familyOf = (name: string) => {
  const suffix = suffixes.find(
    (end) => name.endsWith(end) && table.get(name.slice(0, -end.length))?.type === "histogram"
  )
  const family = table.get(suffix === undefined ? name : name.slice(0, -suffix.length))
  if (family === undefined || (family.type === "histogram" && suffix === undefined)) return undefined
  return { ...family, labels: [...family.labels, ...given, ...(suffix === "_bucket" ? ["le"] : [])] }
}

const wrongValues = (name: string, label: string, operator: string, value: string): boolean => {
  if (label === "code") return !isCode(value)
  if (!spelled.has(label)) return false
  const values = operator.endsWith("~") ? value.split("|") : [value]
  return values.some((one) => !rowOf(name).includes(`\`${one}\``))
}

/** What an expression says that no server shows. */
const problemsOf = ({ where, expr, told }: Use): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const labels = new Set<string>()
  for (const [, name = "", matchers = ""] of expr.matchAll(/\b(tolem_\w+)(?:\{([^}]*)\})?/g)) {
    const family = familyOf(name)
    if (family === undefined) {
      problems.push(`${where}: no metric ${name}`)
      continue
    }
    for (const label of family.labels) labels.add(label)
    for (const [, label = "", operator = "", value = ""] of matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)) {
      if (!family.labels.includes(label)) problems.push(`${where}: ${name} has no label ${label}`)
      else if (wrongValues(family.name, label, operator, value))
        problems.push(`${where}: ${name} has no ${label} ${value}`)
    }
  }
  if (/\bup\{/.test(expr)) for (const label of given) labels.add(label)
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(",").map((one) => one.trim())
  )
  for (const label of [...grouped, ...told]) {
    if (!labels.has(label)) problems.push(`${where}: no label ${label} in ${expr.trim()}`)
  }
  if (!/\b(tolem_|up\{)/.test(expr)) problems.push(`${where}: no metric of ours`)
  return problems
}

describe("what an expression uses", () => {
  it("is found wrong where no server shows it", () => {
    const of = (expr: string, told: ReadonlyArray<string> = []) => problemsOf({ where: "x", expr, told }).length
    expect(of('sum by (code) (rate(tolem_http_errors_total{code="invalid_api_key"}[5m]))', ["code"])).toBe(0)
    expect(of("rate(tolem_http_error_total[5m])")).toBe(1)
    expect(of("rate(tolem_http_request_duration_seconds[5m])")).toBe(1)
    expect(of('tolem_http_errors_total{route="/"}')).toBe(1)
    expect(of('tolem_http_errors_total{code="no_such_code"}')).toBe(1)
    expect(of('tolem_provider_calls_total{outcome=~"unknown|silent"}')).toBe(1)
    expect(of("sum by (agent) (tolem_letters_total)")).toBe(1)
    expect(of("tolem_letters_total", ["agent"])).toBe(1)
    expect(of("sum(http_requests_total)")).toBe(1)
  })
})

describe("the alert rules", () => {
  it("use metrics, labels and values that there are", () => {
    expect(usesOfRules().length).toBeGreaterThan(10)
    expect(usesOfRules().flatMap(problemsOf)).toEqual([])
  })

  it("have a name each, a severity, and say what it means", () => {
    expect(new Set(rules().map(({ alert }) => alert)).size).toBe(rules().length)
    for (const rule of rules()) {
      expect(rule.alert).toMatch(/^Tolem[A-Z]\w+$/)
      expect(["critical", "warning"]).toContain(rule.labels.severity)
      expect(rule.annotations.summary).not.toBe("")
      expect(rule.annotations.description).toMatch(/\.$/)
      expect(rule.for ?? "0m").toMatch(/^\d+[smh]$/)
    }
  })
})

describe("the page on metrics", () => {
  it("names the alerts that there are, in their order", () => {
    const named = [...read("docs/metrics.md").matchAll(/^\| `(Tolem\w+)` \|/gm)].map(([, name]) => name)
    expect(named).toEqual(rules().map(({ alert }) => alert))
  })
})

describe("the dashboard", () => {
  it("uses metrics, labels and values that there are", () => {
    expect(usesOfPanels().length).toBeGreaterThan(20)
    expect(usesOfPanels().flatMap(problemsOf)).toEqual([])
  })

  it("has each panel once, within the width, with a description", () => {
    const all = panels()
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length)
    for (const { title, type, description, gridPos } of all) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
      if (type !== "row") expect(description, title).toBeTruthy()
    }
  })

  it("shows every metric of the table", () => {
    const shown = usesOfPanels()
      .map(({ expr }) => expr)
      .join("\n")
    const missing = [...table.keys()].filter((name) => !new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(shown))
    expect(missing).toEqual([])
  })
})
