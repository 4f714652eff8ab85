/** Where in the text of a configuration file a member is named. Pure. */

/** The line of the innermost of these members that the text names, each behind the one before; from 1. */
export const lineOf = (text: string, members: ReadonlyArray<string>): number | undefined => {
  const code = withoutComments(text)
  let at = code.search(/\bdefineConfig\s*\(|\bexport\s+default\b|\bmodule\.exports\b/)
  let found: number | undefined
  for (const member of members.filter((name) => !/^\d+$/.test(name))) {
    const next = at < 0 ? -1 : code.slice(at).search(new RegExp(`(?<![\\w$.])["']?${escaped(member)}["']?\\s*[:,(}]`))
    if (next < 0) continue
    at += next
    found = at
  }
  return found === undefined ? undefined : code.slice(0, found).split("\n").length
}

const escaped = (text: string) => text.replace(/[^\w]/g, "\\$&")

/** Comments as spaces, so that lines stay where they are. An address is no comment. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, " "))
