/** The list of changes that the documentation shows. */
import { describe, expect, it } from "vitest"
import { changes } from "../lib/Changes.ts"

const file = (step: string, text: string) => ({ path: ".changeset/some.md", text: `---\n${step}\n---\n\n${text}\n` })

describe("the changes of the next release", () => {
  it("are a line each, new ones apart from mended ones", () => {
    const text = changes([
      file('"@tolem/core": minor\n"@tolem/http-server": minor', "Pages say\nwhat they are.\n\nIn three languages."),
      file('"@tolem/api": patch', "Codes are `lower` case.")
    ])
    expect(text).toBe(
      "### New\n\n- Pages say what they are. In three languages.\n\n### Mended\n\n- Codes are `lower` case.\n"
    )
  })

  it("are those that show to callers of the service", () => {
    expect(changes([file('"@tolem/adapter-smtp": minor', "Letters are sent sooner.")])).not.toContain("Letters")
  })
})
