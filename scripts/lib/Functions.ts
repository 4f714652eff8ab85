/**
 * How long functions are. Lines of functions inside a function count there and not here: a factory of ten verbs is as
 * long as what stands between them. Pure over file texts, which the formatter has laid out.
 */
import { mask } from "./Code.ts"
import type { Finding } from "./Finding.ts"
import type { SourceFile } from "./Workspace.ts"

/** Lines that a function may have. */
export const maxFunctionLines = 70

interface Span {
  readonly from: number
  readonly to: number
}

const opens = /(=>|\bfunction\b\*?.*|^\s*(static |override |async )*\*?[\w$]+\(.*\).*|^\s*\)(: .*)?( =>)?)\s*\{$/
const statement =
  /^\s*(\} )?(else|if|for|while|switch|try|do|catch|finally|class|interface|export (class|interface|type))\b/

/** Functions of the repository's packages that are too long. */
export const longFunctions = ({ path, text }: SourceFile): ReadonlyArray<Finding> => {
  const spans = spansOf(mask(text).code.split("\n"))
  return spans.flatMap((span) => {
    const lines = ownLines(span, spans)
    const message = `function of ${lines} lines; give a part of it a name, it may have ${maxFunctionLines}`
    return lines > maxFunctionLines ? [{ path, line: span.from + 1, message }] : []
  })
}

const spansOf = (lines: ReadonlyArray<string>): ReadonlyArray<Span> =>
  lines.flatMap((line, from) => {
    const isFunction = opens.test(line) && (!statement.test(line) || /=> \{$|\bfunction\b/.test(line))
    if (!isFunction) return []
    const indent = /^\s*/.exec(line)?.[0] ?? ""
    const to = lines.findIndex((each, at) => at > from && each.startsWith(`${indent}}`))
    return to < 0 ? [] : [{ from, to }]
  })

const isInside = (inner: Span, outer: Span): boolean => inner.from > outer.from && inner.to < outer.to

const ownLines = (span: Span, spans: ReadonlyArray<Span>): number => {
  const inner = spans.filter((each) => isInside(each, span))
  const direct = inner.filter((each) => !inner.some((other) => isInside(each, other)))
  return span.to - span.from + 1 - direct.reduce((sum, { from, to }) => sum + to - from - 1, 0)
}
