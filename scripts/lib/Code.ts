/**
 * Looking at TypeScript source without a parser. `mask` blanks what is no code, so that a rule about code is never
 * triggered by a comment or by a message to people.
 */

interface Masked {
  /** The text with the insides of comments, strings and regular expressions as spaces. Same length, same lines. */
  readonly code: string
  /** The text with comments as spaces. Same length, same lines. */
  readonly commentless: string
}

/** Blanks comments and the insides of strings, templates and regular expressions. */
export const mask = (text: string): Masked => {
  const code = Array.from({ length: text.length }, (_, i) => text.charAt(i))
  const commentless = [...code]
  const blank = (chars: Array<string>, from: number, to: number) => {
    for (let i = from; i < to && i < chars.length; i++) if (chars[i] !== "\n") chars[i] = " "
  }
  // Depths of braces at which a template's expression ends, innermost last.
  const templates: Array<number> = []
  let depth = 0
  let i = 0
  const template = (from: number) => {
    const end = endOfTemplate(text, from)
    blank(code, from, end)
    if (text[end] === "$") {
      templates.push(depth)
      depth++
      return end + 2
    }
    return end + 1
  }
  while (i < text.length) {
    const two = text.slice(i, i + 2)
    const char = text.charAt(i)
    if (two === "//" || two === "/*") {
      const end = endOfComment(text, i)
      blank(code, i, end)
      blank(commentless, i, end)
      i = end
    } else if (char === '"' || char === "'") {
      const end = endOfQuoted(text, i + 1, char)
      blank(code, i + 1, end)
      i = end + 1
    } else if (char === "`") {
      i = template(i + 1)
    } else if (char === "/" && opensPattern(code, i)) {
      const end = endOfPattern(text, i + 1)
      blank(code, i + 1, end)
      i = end + 1
    } else {
      if (char === "{") depth++
      if (char === "}") depth--
      i++
      if (char === "}" && templates.at(-1) === depth) {
        templates.pop()
        i = template(i)
      }
    }
  }
  return { code: code.join(""), commentless: commentless.join("") }
}

/** Line of an offset, counted from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const endOfComment = (text: string, from: number): number => {
  const line = text.charAt(from + 1) === "/"
  const end = line ? text.indexOf("\n", from) : text.indexOf("*/", from + 2)
  if (end < 0) return text.length
  return line ? end : end + 2
}

const endOfQuoted = (text: string, from: number, quote: string): number => {
  let i = from
  while (i < text.length && text[i] !== quote && text[i] !== "\n") i += text[i] === "\\" ? 2 : 1
  return i
}

const endOfTemplate = (text: string, from: number): number => {
  let i = from
  while (i < text.length && text[i] !== "`" && text.slice(i, i + 2) !== "${") i += text[i] === "\\" ? 2 : 1
  return i
}

const endOfPattern = (text: string, from: number): number => {
  let inClass = false
  let i = from
  for (; i < text.length && text[i] !== "\n" && (inClass || text[i] !== "/"); i++) {
    if (text[i] === "[") inClass = true
    if (text[i] === "]") inClass = false
    if (text[i] === "\\") i++
  }
  return i
}

/** A slash divides after a value, and opens a regular expression everywhere else. */
const opensPattern = (code: ReadonlyArray<string>, slash: number): boolean => {
  const before = code
    .slice(Math.max(0, slash - 40), slash)
    .join("")
    .trimEnd()
  return before === "" || /[=(,:[!&|?{};+\-*%<>~^]$|\b(return|typeof|case|in|of|yield|await)$/.test(before)
}
