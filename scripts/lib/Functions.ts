/**
 * How long functions are. Lines of functions inside a function count there and not here, and neither do comments: a
 * factory of ten verbs is as long as the code that stands between them. Pure over file texts, which the formatter has
 * laid out.
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
  const { code, commentless } = mask(text)
  const spans = spansOf(code.split("\n"))
  const all = text.split("\n")
  const comments = commentless
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" && all[at]?.trim() !== "" ? [at] : []))
  return spans.flatMap((span) => {
    const lines = ownLines(span, spans, comments)
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

const ownLines = (span: Span, spans: ReadonlyArray<Span>, comments: ReadonlyArray<number>): number => {
  const inner = spans.filter((each) => isInside(each, span))
  const direct = inner.filter((each) => !inner.some((other) => isInside(each, other)))
  const isWithin =
    (line: number) =>
    ({ from, to }: Span) =>
      line > from && line < to
  const words = comments.filter((line) => isWithin(line)(span) && !direct.some(isWithin(line)))
  return span.to - span.from + 1 - words.length - direct.reduce((sum, { from, to }) => sum + to - from - 1, 0)
}
