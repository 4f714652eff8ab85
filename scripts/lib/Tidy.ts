/**
 * The style of the house as a check: each ban names what to write instead. Pure over file texts; the files that hold
 * the bans and their tests are the only ones that may spell them out.
 */
import { lineAt, mask } from "./Code.ts"
import type { Finding } from "./Finding.ts"
import { longFunctions } from "./Functions.ts"
import { importsOf } from "./Imports.ts"
import type { SourceFile } from "./Workspace.ts"

interface Ban {
  readonly name: string
  readonly pattern: RegExp
  readonly instead: string
  /** Whether comments and strings count. */
  readonly in: "code" | "text"
  readonly where: (path: string) => boolean
}

const sources = (path: string) => /^packages\/[^/]+\/src\//.test(path)
const tests = (path: string) => /(^|\/)test\//.test(path)
const core = (path: string) => path.startsWith("packages/core/src/")
const entryPoint = (path: string) => path === "packages/http-server/src/main.ts"
const platform = (path: string) => path.startsWith("packages/adapter-node/src/")
/** Files that handle sockets of Node outside of any Effect, where no test clock reaches anyway. */
const bareNode = (path: string) => /^packages\/(http-server|adapter-node)\/src\/(.*\/)?Node[A-Z]\w*\.ts$/.test(path)
/** Runs at receivers, who have no `Clock`; the instant can be given. */
const verifier = (path: string) => path === "packages/api/src/WebhookVerifier.ts"
const typescript = (path: string) => /\.tsx?$/.test(path)
/** Runs in browsers, where there are neither `Clock` nor `Ids`; this folder alone asks them. */
const browser = (path: string) => path.startsWith("packages/cabinet/src/browser/")
/** Builds for browsers, as the scripts do. */
const builder = (path: string) => path.startsWith("packages/cabinet/src/build/")
/** Starts this very Node with the builder, and with nothing that anyone has sent. */
const builderStart = "packages/http-server/src/cabinet/SiteBuild.ts"
/** Hands an address, made of checked parts, to the browser of the person at the terminal, without a shell. */
const browserStart = "packages/http-server/src/cli/commands/Open.ts"
/** Builds groups of the API with the services that there are, so that their requests are given none of them. */
const leanGroup = "packages/http-server/src/http/ApiGroup.ts"
/** Reads lists in pages, of which none is lost where readings meet. */
const pagesOfLists = "packages/cabinet/src/app/Pages.ts"
const everywhere = () => true
const libraries = (path: string) => sources(path) && !entryPoint(path) && !builder(path)

const code = (name: string, pattern: RegExp, instead: string, where = sources): Ban => {
  return { name, pattern, instead, in: "code", where }
}
const text = (name: string, pattern: RegExp, instead: string, where: Ban["where"] = everywhere): Ban => {
  return { name, pattern, instead, in: "text", where }
}

const clock = "`Clock.currentTimeMillis` and `Calendar`, so that a test clock drives it"
const random = "the `Ids` service or the `SecureRandom` port, so that a seed drives it"

/** Every ban, in the order in which findings are listed. */
export const bans: ReadonlyArray<Ban> = [
  code("new Date", /\bnew Date\b/g, clock),
  code(
    "Date.now",
    /\bDate\.now\b|\bperformance\.now\b/g,
    clock,
    (path) => sources(path) && !verifier(path) && !browser(path) && !builder(path)
  ),
  code("Math.random", /\bMath\.random\b/g, random),
  code(
    "random bytes",
    /\brandomUUID\(|(?<!\.)\brandom(Bytes|Int)\(|\bgetRandomValues\b/g,
    random,
    (path) => sources(path) && !platform(path) && !browser(path)
  ),
  code(
    "process.env",
    /\bprocess\.env\b/g,
    "a member of `Settings`, or `Config` in http-server's command line",
    libraries
  ),
  code("console", /\bconsole\./g, "`Effect.log…`, or the `Console` service in commands", libraries),
  code(
    "timers",
    /\bset(Timeout|Interval|Immediate)\(/g,
    "`Effect.sleep`, `Effect.timeout` or a `Schedule`, which a test clock drives",
    (path) => sources(path) && !bareNode(path) && !browser(path)
  ),
  code(
    "globals of a runtime",
    /\b(process|Buffer|globalThis|Deno|Bun|require|__dirname|__filename)\s*[.([]/g,
    "a port that an adapter provides",
    core
  ),
  code(
    "captured context",
    /\bEffect\.context(With)?\b/g,
    "the service itself: yield it when the layer is built and provide it by name, so that the actor and the clock of " +
      "the request are not replaced by those of the moment when the layer was built",
    (path) => sources(path) && path !== leanGroup
  ),
  code(
    "text as code",
    /\beval\(|\bnew Function\b|\bvm\.run/g,
    "a parser, or code that was there before the text came",
    sources
  ),
  code(
    "bare reading of pages",
    /\buseInfiniteQuery\b/g,
    "`usePages`, which reads a page that was asked for while the list was read anew",
    (path) => sources(path) && path !== pagesOfLists
  ),
  text(
    "program of the system",
    /["'](node:)?child_process["']/g,
    "a library: what strangers send must not get near a shell",
    (path) => sources(path) && path !== builderStart && path !== browserStart
  ),
  code(
    "export default",
    /\bexport\s+default\b/g,
    "a named export",
    (path) => typescript(path) && !/(^vitest(\.slow)?|\/tolem)\.config\.ts$/.test(path)
  ),
  code(
    "any",
    /\bas any\b|:\s*any\b(?!\s*[:(.])|<any\b|,\s*any>|\bany\[\]/g,
    "`unknown` and a check, or the type itself",
    typescript
  ),
  code(
    "as unknown as",
    /\bas unknown as\b/g,
    "a check that proves the type, or a type that needs no proof",
    typescript
  ),
  text("silenced compiler", /@ts-(ignore|expect-error|nocheck)/g, "a type that fits", typescript),
  text("silenced linter", /biome-ignore/g, "code that passes, or a rule in biome.json with its reason", typescript),
  text("note to self", /\b(TODO|FIXME|XXX|HACK)\b/g, "the thing itself, or an issue", everywhere),
  code("test left out", /\.(only|skip|todo)\(|\b(xit|xdescribe|fit|fdescribe)\(/g, "a test that runs", tests),
  code(
    "sleeping test",
    /\bsetTimeout\(\s*(resolve|done|r)\b|\bnew Promise\([^)]*\)\s*=>\s*setTimeout/g,
    "the test clock, or waiting for the thing itself",
    tests
  ),
  code(
    "hook of every test",
    /^(before|after)(All|Each)\(/gm,
    "`onTestFinished`, or a function that each test file calls: what files share is loaded once for several of them",
    (path) => tests(path) && !path.endsWith(".test.ts")
  ),
  text(
    "strange white space",
    /[\t\r\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2069\u3000\ufeff]/g,
    "an ordinary space, or an escape such as \\t in a string"
  ),
  text("pointer to the head of the file", /See the file's head/g, "a sentence that says what the name itself is"),
  text("white space at the end of a line", /[ \t]+$/gm, "nothing"),
  text(
    "machine path",
    /(?<![\w.:/-])\/(home|root|Users|tmp|mnt|work)\/[\w.]/g,
    "a path from the repository's root, or `os.tmpdir()`"
  ),
  text(
    "document without its path",
    /(?<![\w/.-])[a-z][\w-]*\.md\b/g,
    "its path from the root (docs/…); of one that is not here, its title: “the interface specification, Limits”",
    typescript
  )
]

const maxColumns = 120
const maxLines = 300
const maxLinesOfTests = 400

/** Files that must spell the bans out. */
const exempt = new Set(["scripts/lib/Tidy.ts", "scripts/test/tidy.test.ts"])

/** All findings of one file. */
export const tidy = (file: SourceFile): ReadonlyArray<Finding> => {
  if (exempt.has(file.path)) return []
  const own = typescript(file.path)
    ? [...tooLong(file), ...participle(file), ...undocumented(file), ...imports(file)]
    : []
  // A suite of tests is one function, which is read test by test.
  const long = typescript(file.path) && !tests(file.path) ? longFunctions(file) : []
  return [...banned(file), ...own, ...long]
}

const banned = ({ path, text }: SourceFile): ReadonlyArray<Finding> => {
  const masked = typescript(path) ? mask(text).code : ""
  return bans.flatMap((ban) => {
    if (!ban.where(path) || (ban.in === "code" && !typescript(path))) return []
    const subject = ban.in === "code" ? masked : text
    return Array.from(subject.matchAll(ban.pattern), ({ index }) => ({
      path,
      line: lineAt(text, index),
      message: `${ban.name} is banned; use ${ban.instead}`
    }))
  })
}

const tooLong = ({ path, text }: SourceFile): ReadonlyArray<Finding> => {
  const lines = text.replace(/\n$/, "").split("\n")
  const limit = tests(path) ? maxLinesOfTests : maxLines
  const wide = lines.flatMap((line, i) => {
    const columns = Array.from(line).length
    return columns > maxColumns
      ? [{ path, line: i + 1, message: `${columns} columns; break the line at ${maxColumns}` }]
      : []
  })
  const message = `${lines.length} lines; split the file by idea, it may have ${limit}`
  return lines.length > limit ? [...wide, { path, line: 0, message }] : wide
}

/** A file of a package is named after the thing that it holds. */
const participle = ({ path }: SourceFile): ReadonlyArray<Finding> => {
  const name = sources(path) ? /(\w+ing)\.tsx?$/.exec(path)?.[1] : undefined
  const message = `\`${name}\` names an activity; name the file after the thing, as \`Attempts\` for \`Attempting\``
  return name === undefined ? [] : [{ path, line: 0, message }]
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (?!\{|\*)([\w$]+)/

/** Every exported name of a package says what it guarantees. A second declaration of a name needs none. */
const undocumented = ({ path, text }: SourceFile): ReadonlyArray<Finding> => {
  if (!sources(path)) return []
  const seen = new Set<string>()
  const lines = text.split("\n")
  return lines.flatMap((line, i) => {
    const name = declaration.exec(line)?.[1]
    if (name === undefined) return []
    const documented = lines[i - 1]?.trimEnd().endsWith("*/") === true || seen.has(name)
    seen.add(name)
    const message = `\`${name}\` is exported without a doc comment; say in 1 to 3 sentences what it guarantees`
    return documented ? [] : [{ path, line: i + 1, message }]
  })
}

/** Modules are imported as the files they are; inside a package never through its index. */
const imports = ({ path, text }: SourceFile): ReadonlyArray<Finding> => {
  const folder = /^packages\/([^/]+)\/src\//.exec(path)?.[1]
  const own = `@tolem/${folder}`
  return importsOf(text).flatMap(({ specifier, line }) => {
    const index = specifier === own || specifier.startsWith(`${own}/`) || /(^|\/)index\.ts$/.test(specifier)
    if (folder !== undefined && index) {
      const message = `import of \`${specifier}\` inside its own package; import the module file by its relative path`
      return [{ path, line, message }]
    }
    if (!specifier.startsWith(".") || /\.(tsx?|json|css)$/.test(specifier)) return []
    return [{ path, line, message: `import of \`${specifier}\`; name the file, with its ending .ts` }]
  })
}
