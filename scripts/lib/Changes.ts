/** What the next release changes for integrators, from the changesets that wait for it. Pure. */
import type { SourceFile } from "./Workspace.ts"

/** Packages by which a change shows to those who call the service. */
const shown = /"@tolem\/(api|http-server)": (minor|patch|major)/

const bodyOf = (text: string): string =>
  text
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, " "))
    .join(" ")

/** A list of what is new, and one of what was mended, as Markdown; each changeset is a line. */
export const changes = (files: ReadonlyArray<SourceFile>): string => {
  const of = (isPatch: boolean) =>
    files.flatMap(({ text }) => {
      const [, , step] = shown.exec(text) ?? []
      return step !== undefined && (step === "patch") === isPatch ? [`- ${bodyOf(text)}`] : []
    })
  return ["### New", "", ...of(false), "", "### Mended", "", ...of(true), ""].join("\n")
}
