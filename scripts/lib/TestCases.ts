/** The tests of the repository, read from their files: what each is called and what it does. */
import { typescript } from "./Workspace.ts"

/** A test as its file has it. */
export interface TestCase {
  /** From the root of the repository. */
  readonly file: string
  /** With the subject that it is described under. */
  readonly name: string
  readonly text: string
}

const begins = /^(\s*)(?:it|test)(?:\.\w+)*\(\s*(["'`])((?:\\.|(?!\2).)*)\2/
const subject = /^(\s*)describe(?:\.\w+)*\(\s*(["'`])((?:\\.|(?!\2).)*)\2/

/** The tests in the text of a file. A title on the next line belongs to the call before it. */
export const casesIn = (file: string, text: string): ReadonlyArray<TestCase> => {
  const lines = text.replaceAll(/((?:it|describe)(?:\.\w+)*\()\n\s*/g, "$1").split("\n")
  const cases: Array<TestCase> = []
  let described: { readonly indent: number; readonly title: string } | undefined
  for (const [index, line] of lines.entries()) {
    const about = subject.exec(line)
    if (about !== null) described = { indent: about[1]!.length, title: about[3]! }
    const found = begins.exec(line)
    if (found === null) continue
    const [, indent = "", , title = ""] = found
    const end = lines.findIndex((each, at) => at > index && new RegExp(`^${indent}[)}]`).test(each))
    const isDescribed = described !== undefined && described.indent < indent.length
    cases.push({
      file,
      name: (isDescribed ? `${described?.title} ` : "") + title,
      text: lines.slice(index, end < 0 ? undefined : end + 1).join("\n")
    })
  }
  return cases
}

/** Every test of the repository. */
export const testCases = (): ReadonlyArray<TestCase> =>
  typescript()
    .filter(({ path }) => /(^|\/)test\/.*\.test\.ts$/.test(path))
    .flatMap(({ path, text }) => casesIn(path, text))
