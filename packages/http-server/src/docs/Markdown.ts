/** Markdown as markup. The texts are the project's own; what they quote is escaped all the same. */
import { Marked, type Tokens } from "marked"

/** A page that was made of Markdown. */
export interface Rendered {
  readonly markup: string
  /** Headings of the second level, for the list of contents. */
  readonly headings: ReadonlyArray<{ readonly id: string; readonly text: string }>
}

/** Markup of the text. `linkOf` says where a link leads to that names another page, by its name. */
export const render = (text: string, linkOf: (href: string) => string): Rendered => {
  const headings: Array<{ id: string; text: string }> = []
  const ids = new Set<string>()
  let group = 0
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: raw }) {
        const plain = raw.replaceAll(/[`*]/g, "")
        const id = unique(slugOf(plain), ids)
        if (depth === 2) headings.push({ id, text: plain })
        return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      code({ text: code, lang }) {
        return codeBlock(code, (lang ?? "").split(" ")[0] ?? "")
      },
      table(token) {
        const row = (cells: ReadonlyArray<Tokens.TableCell>, tag: "td" | "th") =>
          `<tr>${cells.map(({ tokens }) => cellOf(tag, this.parser.parseInline(tokens))).join("")}</tr>`
        const body = token.rows.map((cells) => row(cells, "td")).join("\n")
        const table = `<table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table>`
        return `<div class="table" tabindex="0">${table}</div>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escaped(linkOf(href))}">${this.parser.parseInline(tokens)}</a>`
      }
    }
  })
  const tokens = marked.lexer(text)
  const parts: Array<string> = []
  for (let at = 0; at < tokens.length; at++) {
    const titled = takeTitled(tokens, at)
    if (titled.length === 0) {
      parts.push(marked.parser(tokens.slice(at, at + 1)))
      continue
    }
    group += 1
    parts.push(...titled.map(({ token }, index) => variant(token, `code-${group}`, index === 0)))
    at = titled.at(-1)?.at ?? at
  }
  return { markup: parts.join(""), headings }
}

const cellOf = (tag: "td" | "th", content: string) =>
  tag === "th" ? `<th scope="col">${content}</th>` : `<td>${content}</td>`

interface Titled {
  readonly at: number
  readonly token: Tokens.Code
}

/** Blocks of code with titles that follow one another: the same in several languages. */
const takeTitled = (tokens: ReadonlyArray<Tokens.Generic>, from: number): ReadonlyArray<Titled> => {
  const found: Array<Titled> = []
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.type === "space" && found.length > 0) continue
    if (token?.type !== "code" || !String(token["lang"] ?? "").includes(" ")) break
    found.push({ at, token: token as Tokens.Code })
  }
  return found
}

const variant = ({ text, lang = "" }: Tokens.Code, group: string, isOpen: boolean): string => {
  const [language = "", ...title] = lang.split(" ")
  const open = isOpen ? " open" : ""
  return `<details class="variant" name="${group}"${open}><summary>${escaped(title.join(" "))}</summary>${codeBlock(
    text,
    language
  )}</details>\n`
}

const codeBlock = (code: string, language: string): string => {
  const inner = `<code data-language="${escaped(language)}">${escaped(code)}\n</code>`
  return `<div class="code"><pre tabindex="0">${inner}</pre></div>\n`
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")

const unique = (id: string, ids: Set<string>): string => {
  let name = id
  for (let count = 2; ids.has(name); count++) name = `${id}-${count}`
  ids.add(name)
  return name
}

/** The text as content of markup, or of an attribute in double quotes. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
