/** The guides of `docs/guides`, each with the program that it tells of. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { root } from "./Workspace.ts"

/** A guide: its first block of code, all of its code as one program, and what that prints. */
export interface Guide {
  readonly name: string
  readonly first: string
  readonly program: string
  readonly output: string
}

/** All of them. */
export const guides: ReadonlyArray<Guide> = globSync("docs/guides/*.md", { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), "utf8")
  const blocks = (language: string) =>
    Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms")), ([, block = ""]) => block)
  const [first = ""] = blocks("ts")
  return { name: basename(path, ".md"), first, program: blocks("ts").join(""), output: blocks("text").join("") }
})
