import { describe, expect, it } from "vitest"
import { bans, tidy } from "../lib/Tidy.ts"
import { documents, typescript } from "../lib/Workspace.ts"

const inCore = "packages/core/src/value/Money.ts"
const messages = (text: string, path = inCore) => tidy({ path, text }).map(({ message }) => message)
const bannedIn = (text: string, path = inCore) =>
  messages(text, path).flatMap((message) => (/ is banned/.test(message) ? [message.split(" is banned")[0]] : []))

/** For each ban: what it must catch, and something like it that it must let pass. */
const examples: Readonly<Record<string, { bad: ReadonlyArray<string>; good: ReadonlyArray<string>; path?: string }>> = {
  "new Date": { bad: ["const a = new Date()", "new Date(1)"], good: ["new DateRange()", "// no new Date() here"] },
  "Date.now": {
    bad: ["const at = Date.now()", "map(Date.now)", "performance.now()"],
    good: ["Clock.currentTimeMillis"]
  },
  "Math.random": { bad: ["Math.random()"], good: ["Math.floor(1)", '"Math.random() is banned"'] },
  "random bytes": {
    bad: ["crypto.randomUUID()", "randomBytes(8)", "crypto.getRandomValues(a)"],
    good: ["random.randomBytes(8)"]
  },
  "process.env": { bad: ["process.env.PORT", 'process.env["PORT"]'], good: ["settings.port"] },
  console: { bad: ["console.log(1)", "a; console.error(1)"], good: ["Effect.logInfo(1)", "/** console.log(1) */"] },
  "bare reading of pages": { bad: ["useInfiniteQuery({})"], good: ["usePages({})", "useQuery({})"] },
  timers: { bad: ["setTimeout(f, 1)", "setInterval(f, 1)", "setImmediate(f)"], good: ["clearTimeout(t)"] },
  "globals of a runtime": { bad: ["process.exit(1)", "Buffer.from(a)", "globalThis[a]"], good: ["subprocess.run()"] },
  "captured context": {
    bad: ["yield* Effect.context<Digest.Digest>()", "Effect.contextWith((all) => f(all))"],
    good: [
      "yield* Digest.Digest",
      "Effect.provideContext(Context.make(Digest.Digest, digest))",
      "Layer.effectContext(a)"
    ]
  },
  "text as code": {
    bad: ["eval(text)", "new Function(a)", "vm.runInThisContext(a)"],
    good: ["evaluate(a)", "medieval(a)"]
  },
  "program of the system": {
    bad: ['import { exec } from "node:child_process"', "await import('child_process')"],
    good: ["// a child_process of its own"]
  },
  "export default": { bad: ["export default 1", "export default function f() {}"], good: ["export const a = 1"] },
  any: {
    bad: ["const a = b as any", "const a: any = 1", "Array<any>", "Record<string, any>", "const a: any[] = []"],
    good: ["Promise.any(all)", "// as any caller sees it", "const company: Company = b", "a ? b : anyOf(c)"]
  },
  "as unknown as": { bad: ["a as unknown as B"], good: ["a as unknown"] },
  "silenced compiler": {
    bad: ["// @ts-ignore", "// @ts-expect-error: no", "// @ts-nocheck"],
    good: ["// ts ignores this"]
  },
  "silenced linter": { bad: ["// biome-ignore lint: no"], good: ["// biome formats this"] },
  "note to self": { bad: ["// TODO", "// FIXME: later", "// XXX"], good: ["7XXXXXXXXXX", "method"] },
  "test left out": {
    bad: ['it.only("a", f)', 'it.skip("a", f)', 'describe.todo("a")', 'it.effect.skip("a", f)', 'fit("a", f)'],
    good: ['it("a", f)', "a.profit(1)"],
    path: "packages/core/test/Money.test.ts"
  },
  "sleeping test": {
    bad: ["await new Promise((resolve) => setTimeout(resolve, 100))", "setTimeout(done, 5)"],
    good: ["setTimeout(() => controller.abort(), 5)"],
    path: "packages/core/test/Money.test.ts"
  },
  "hook of every test": {
    bad: ["afterEach(() => stop())", "beforeAll(start)"],
    good: ["  afterEach(() => stop())", "onTestFinished(stop)"],
    path: "packages/core/test/support/world.ts"
  },
  "strange white space": {
    bad: ["a\u00a0b", "a\tb", "a\r\nb", "\ufeffa", "a\u200bb", "a\u202eb"],
    good: ["a b", '"\\t"']
  },
  "pointer to the head of the file": { bad: ["/** See the file's head. */"], good: ["/** See `Access`. */"] },
  "white space at the end of a line": { bad: ["a \nb", "a  "], good: ["a\n  b"] },
  "machine path": {
    bad: ["/home/someone/x", 'cd "/work/project"', "see /tmp/a"],
    good: ["https://a.example/home/b", "../home/x", "os.tmpdir()"]
  },
  "document without its path": { bad: ["see notes.md", "// limits.md, Rates"], good: ["docs/errors.md", "README.md"] }
}

describe("each ban", () => {
  it("has examples", () => expect(Object.keys(examples).sort()).toEqual(bans.map(({ name }) => name).sort()))

  for (const [name, { bad, good, path }] of Object.entries(examples)) {
    it.each(bad)(`${name} fires on %j`, (text) => expect(bannedIn(text, path)).toContain(name))
    it.each(good)(`${name} lets %j pass`, (text) => expect(bannedIn(text, path)).not.toContain(name))
  }

  it("says what to use instead, and where", () => {
    const [finding] = tidy({ path: inCore, text: "const a = 1\nconst b = Math.random()\n" })
    expect(finding?.line).toBe(2)
    expect(finding?.message).toMatch(/Math\.random is banned; use the `Ids` service/)
  })

  it("ends at the places that may do it", () => {
    expect(bannedIn("afterEach(stop)", "packages/core/test/Money.test.ts")).toEqual([])
    expect(bannedIn("process.env.A; console.log(1)", "packages/http-server/src/main.ts")).toEqual([])
    expect(bannedIn("process.env.A", "packages/http-server/src/Server.ts")).toEqual(["process.env"])
    expect(bannedIn("setTimeout(f, 1)", "packages/http-server/src/http/NodeServer.ts")).toEqual([])
    expect(bannedIn("getRandomValues(a)", "packages/adapter-node/src/Random.ts")).toEqual([])
    expect(bannedIn("console.log(new Date())", "scripts/check.ts")).toEqual([])
  })
})

describe("sizes", () => {
  it("limit the columns of a line", () => {
    expect(messages("x".repeat(120))).toEqual([])
    expect(messages("x".repeat(121))).toEqual(["121 columns; break the line at 120"])
    expect(messages("ө".repeat(120))).toEqual([])
  })

  it("limit the lines of a file, tests having more", () => {
    expect(messages("a\n".repeat(300))).toEqual([])
    expect(messages("a\n".repeat(301))).toEqual(["301 lines; split the file by idea, it may have 300"])
    expect(messages("a\n".repeat(400), "packages/core/test/a.test.ts")).toEqual([])
    expect(messages("a\n".repeat(401), "packages/core/test/a.test.ts")).toHaveLength(1)
  })
})

describe("exported names", () => {
  const undocumented = (text: string, path?: string) =>
    messages(text, path).flatMap((message) => /^`(\w+)` is exported without/.exec(message)?.[1] ?? [])

  it.each([
    "export const a = 1",
    "export class a {}",
    "export interface a {}",
    "export type a = 1",
    "export async function a() {}",
    "export abstract class a {}",
    "/** Of something else. */\n\nexport const a = 1",
    "// No doc comment.\nexport const a = 1"
  ])("%j needs a doc comment", (text) => expect(undocumented(text)).toEqual(["a"]))

  it.each([
    "/** Fine. */\nexport const a = 1",
    "/**\n * Fine.\n */\nexport class a {}",
    "/** Fine. */\nexport const a = 1\nexport type a = typeof a",
    'export { a } from "./a.ts"',
    'export * from "./a.ts"',
    'export type { a } from "./a.ts"',
    "const a = 1"
  ])("%j is fine", (text) => expect(undocumented(text)).toEqual([]))

  it("of tests and scripts need none", () => expect(undocumented("export const a = 1", "scripts/lib/a.ts")).toEqual([]))
})

describe("imports", () => {
  const found = (text: string) => messages(text).filter((message) => message.startsWith("import of"))

  it.each([
    'import { a } from "../index.ts"',
    'import { a } from "@tolem/core"',
    'export * from "@tolem/core/value/Money"',
    'import { a } from "./Money.js"',
    'import { a } from "./Money"'
  ])("%j are found", (text) => expect(found(text)).toHaveLength(1))

  it.each(['import { a } from "./Money.ts"', '// import { a } from "./index.ts"', 'import { a } from "@tolem/api"'])(
    "%j are fine",
    (text) => expect(found(text)).toEqual([])
  )
})

it("files of packages are named after things, not after activities", () => {
  const named = (path: string) => messages("", path).filter((message) => /names an activity/.test(message))
  expect(named("packages/core/src/webhook/Attempting.ts")).toEqual([
    "`Attempting` names an activity; name the file after the thing, as `Attempts` for `Attempting`"
  ])
  for (const path of [
    "packages/core/src/webhook/Attempts.ts",
    "packages/core/test/webhook/pausing.ts",
    "scripts/lib/Finding.ts"
  ])
    expect(named(path)).toEqual([])
})

it("the repository is tidy", () => {
  const files = [...typescript(), ...documents()]
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap(tidy).map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([])
})
