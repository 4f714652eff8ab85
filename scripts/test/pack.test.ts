/** Packs every package, installs the tarballs into an empty folder far from here, and uses them as a newcomer would. */
import { execFile } from "node:child_process"
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { publint } from "publint"
import ts from "typescript-5"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"
import { guides } from "../lib/Guides.ts"
import { type Tarball, writeApplication } from "../lib/Installation.ts"
import { build } from "../lib/Publication.ts"
import { published, root } from "../lib/Workspace.ts"

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), "tolem-application-"))
const built = join(folder, "built")
const application = join(folder, "application")
const packages = published()
const minutes = 60_000

/** npm is a script on Windows. */
const npm = (cwd: string, ...args: ReadonlyArray<string>) =>
  run("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, shell: process.platform === "win32" })

/** Runs a program in the application, with nothing of this repository in its environment; answers what it printed. */
const program = (...args: ReadonlyArray<string>) => programWith({}, ...args)

const programWith = (
  variables: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env
  const given = Object.entries({ PATH, HOME, TMPDIR, SystemRoot }).filter(([, value]) => value !== undefined)
  // What one of them has compiled the others need not.
  const compiled = { NODE_COMPILE_CACHE: join(folder, "compiled") }
  const options = { cwd: application, env: { ...Object.fromEntries(given), ...compiled, ...variables } }
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (_, stdout, stderr) => resolve({ stdout, stderr }))
  })
}

/** Packs all of them in one run, so that npm is started once. */
const pack = async (): Promise<ReadonlyArray<Tarball>> => {
  const folders = packages.map(({ folder }) => `./${basename(folder)}`)
  const { stdout } = await npm(built, "pack", ...folders, "--json", "--pack-destination", application)
  const made: ReadonlyArray<{ readonly name: string; readonly filename: string }> = JSON.parse(stdout)
  const fileOf = new Map(made.map(({ name, filename }) => [name, join(application, basename(filename))]))
  return packages.map(({ manifest }) => ({ manifest, file: fileOf.get(manifest.name) ?? "" }))
}

beforeAll(async () => {
  mkdirSync(application)
  await build(({ folder }) => join(built, basename(folder)))
  const packed = await pack()
  writeApplication(application, packed)
  for (const { manifest, file } of packed) tarballs.set(manifest.name, file)
  await npm(application, "ci", "--prefer-offline")
  cpSync(join(root, "scripts/test/consumers"), application, { recursive: true })
}, 5 * minutes)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The files of an installed package. */
const installed = (name: string) =>
  globSync("**/*", { cwd: join(application, "node_modules", name) }).filter((path) => !path.startsWith("node_modules"))

const manifestOf = (name: string): { readonly exports: Readonly<Record<string, unknown>> } =>
  JSON.parse(readFileSync(join(application, "node_modules", name, "package.json"), "utf8"))

describe.each(packages.map(({ manifest }) => manifest.name))("%s", (name) => {
  it("carries its license and words for its page, and neither sources nor tests", () => {
    const files = installed(name)
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "index.js", "index.d.ts"]))
    expect(files.filter((path) => /(?<!\.d)\.ts$|\.test\./.test(path))).toEqual([])
    const readme = readFileSync(join(application, "node_modules", name, "README.md"), "utf8")
    expect(readme).toContain(`# ${name}\n`)
    expect(readme.split(" ").length).toBeGreaterThan(30)
  })
})

// In one process, which loads once what they share.
it("every module of every package can be imported", async () => {
  // Programs, and what browsers run.
  const programs = /^(main\.js$|cli\/|program\/|cabinet\/dist\/)/
  const modules = packages.flatMap(({ manifest: { name } }) => [
    ...Object.keys(manifestOf(name).exports)
      .filter((path) => path !== "./package.json" && !path.startsWith("./cli/"))
      .map((path) => name + path.slice(1)),
    ...installed(name)
      .filter((path) => path.endsWith(".js") && !programs.test(path))
      .map((path) => `./node_modules/${name}/${path}`)
  ])
  const imports = modules.map((module) => `await import(${JSON.stringify(module)})`)
  writeFileSync(join(application, "imports.js"), [...imports, 'console.log("imported")'].join("\n"))
  expect(await program("imports.js")).toEqual({ stdout: "imported\n", stderr: "" })
})

/** The tarball of a package. */
const tarballs = new Map<string, string>()

describe.each(packages.map(({ manifest }) => manifest.name))("%s as tools of publishers see it", (name) => {
  it("has no fault that `publint` knows", async () => {
    const { messages } = await publint({ pkgDir: join(application, "node_modules", name), pack: false, strict: true })
    expect(messages.map(({ code, path }) => `${code} ${path.join(".")}`)).toEqual([])
  })

  it("has types wherever it is imported", async () => {
    const tarball = new Uint8Array(readFileSync(tarballs.get(name) ?? ""))
    // All exports are written by one rule (`scripts/lib/Exports.ts`), so that the first two stand for the others.
    const entrypoints = Object.keys(manifestOf(name).exports).slice(0, 2)
    const analysis = await checkPackage(createPackageFromTarballData(tarball), { entrypoints })
    // The packages are modules, and the Node that they need lets CommonJS require modules.
    const faults = analysis.types === false ? ["no types"] : analysis.problems.map(({ kind }) => kind)
    expect(faults.filter((kind) => kind !== "CJSResolvesToESM")).toEqual([])
  })
})

it("programs against the published types compile, also in CommonJS", async () => {
  const common = [
    'import core = require("@tolem/core")',
    "const options: Parameters<typeof core.createEngine>[0][] = []",
    "console.log(options)"
  ]
  writeFileSync(join(application, "common.cts"), common.join("\n"))
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--verbatimModuleSyntax"]
  const settings = ["--noEmit", "--module", "nodenext", "--target", "es2024", "--skipLibCheck", "--types", ""]
  const files = globSync("*.{ts,cts}", { cwd: application })
  expect(files.length).toBeGreaterThan(1)
  expect(await program(compiler, ...settings, ...strict, ...files)).toEqual({ stdout: "", stderr: "" })
})

describe("what an editor knows of the published types", () => {
  const program = [
    'import type { EmbeddedEngine, Engine } from "@tolem/core"',
    "declare const engine: EmbeddedEngine",
    "declare const owner: Parameters<EmbeddedEngine['of']>[0]",
    "declare const useCases: Engine['Service']",
    "const shop = engine.of(owner)",
    "engine.of(owner).invoices.create",
    "shop.invoices.refund",
    "shop.refunds.resolve",
    "shop.webhooks.ensure",
    "shop.paymentLinks.patch",
    "shop.events",
    "engine.organizations.createKey",
    "engine.reactions.add",
    "useCases.invoices.cancel"
  ]
  const file = () => join(application, "editor.ts")
  const editor = () => {
    const options: ts.CompilerOptions = {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2024,
      strict: true,
      skipLibCheck: true,
      types: []
    }
    return ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [file()],
      getScriptVersion: () => "1",
      getScriptSnapshot: (path) => {
        const text = path === file() ? program.join("\n") : ts.sys.readFile(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => application,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (path) => path === file() || ts.sys.fileExists(path),
      readFile: ts.sys.readFile
    })
  }

  it("is what each verb does", () => {
    const service = editor()
    expect(service.getSemanticDiagnostics(file()).map(({ messageText }) => messageText)).toEqual([])
    const shown = (line: string) => {
      const info = service.getQuickInfoAtPosition(file(), program.join("\n").indexOf(`\n${line}`) + line.length)
      return ts.displayPartsToString(info?.documentation)
    }
    expect(program.slice(5).map((line) => `${line}: ${shown(line).split(/[,;.:] ?/)[0]}`)).toEqual([
      "engine.of(owner).invoices.create: Creates an invoice",
      "shop.invoices.refund: Gives back `amount` tenge",
      "shop.refunds.resolve: Says what became of a live refund whose outcome is `unknown`",
      "shop.webhooks.ensure: The address with these events",
      "shop.paymentLinks.patch: Changes what is given",
      "shop.events: What has happened",
      "engine.organizations.createKey: Makes a key for the HTTP interface",
      "engine.reactions.add: Adds a consumer with a name of its own",
      "useCases.invoices.cancel: Closes an open invoice"
    ])
    expect(wordless(service.getProgram())).toEqual([])
  })

  /** The verbs of the embedded engine that have no words, and those of no group. */
  const wordless = (compiled: ts.Program | undefined): ReadonlyArray<string> => {
    const checker = compiled?.getTypeChecker()
    const source = compiled?.getSourceFile(file())
    const [, engine, , , shop] = source?.statements ?? []
    if (checker === undefined || engine === undefined || shop === undefined) return ["the program"]
    const faces = [engine, shop].map((statement) => {
      const [declared] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : []
      return declared === undefined ? [] : checker.getTypeAtLocation(declared.name).getProperties()
    })
    const wordsOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker))
    const isOwn = ({ name }: ts.Symbol) => !name.startsWith("__")
    return faces.flat().flatMap((group) => {
      const verbs = checker.getTypeOfSymbol(group).getProperties().filter(isOwn)
      return [group, ...verbs].flatMap((symbol) => (wordsOf(symbol) === "" ? [`${group.name}.${symbol.name}`] : []))
    })
  }
})

describe("an application outside of the repository", () => {
  it("creates an invoice and is paid, with Effect", async () => {
    expect(await program("effect.ts")).toEqual({ stdout: "pending 1500\npaid 1500\n", stderr: "" })
  })

  it("creates an invoice and is paid, with promises", async () => {
    expect(await program("promises.ts")).toEqual({ stdout: "pending 1500\npaid 1500\n", stderr: "" })
    expect(existsSync(join(application, "shop.db"))).toBe(true)
  })

  it("may be written in CommonJS", async () => {
    const lines = ['const { createEngine } = require("@tolem/core")', "console.log(typeof createEngine)"]
    writeFileSync(join(application, "common.cjs"), lines.join("\n"))
    expect(await program("common.cjs")).toEqual({ stdout: "function\n", stderr: "" })
  })

  // What an older Node is to these packages: its number, and that it lacks node:sqlite.
  const age = [
    'Object.defineProperty(process.versions, "node", { value: "20.20.2" })',
    "process.getBuiltinModule = () => undefined"
  ]
  const older = (module: string) => {
    writeFileSync(join(application, "older.js"), [...age, `await import(${JSON.stringify(module)})`].join("\n"))
    return program("older.js")
  }
  const neededNode = "Tölem needs Node 22.19 or newer; this is Node 20.20.2."

  it.each(["@tolem/adapter-node", "@tolem/adapter-sqlite", "@tolem/http-server"])(
    "is told which Node %s needs, and has no stack to read",
    async (name) => {
      for (const { stdout, stderr } of [
        await older(name),
        await program("-e", [...age, `import(${JSON.stringify(name)})`].join("; "))
      ]) {
        expect(stderr).toContain(`Error: ${neededNode}`)
        expect(stderr).not.toMatch(/^ +at /m)
        expect(stdout).toBe("")
      }
    }
  )

  it("is told so by every command, without a stack", async () => {
    for (const { manifest } of packages) {
      for (const name of Object.keys(manifest.bin ?? {})) {
        // npm has linked it.
        const { stderr } = await older(`./node_modules/.bin/${name}`)
        expect(stderr).toBe(`tolem: ${neededNode}\n`)
      }
    }
  })

  it("has the cabinet in the server, as it was built", () => {
    const site = join(application, "node_modules/@tolem/http-server/cabinet/dist")
    const [, script = ""] = /src="\.\/(assets\/[^"]+)"/.exec(readFileSync(join(site, "index.html"), "utf8")) ?? []
    for (const ending of ["", ".br", ".gz"]) expect(existsSync(join(site, script + ending))).toBe(true)
  })

  it("has the command `tolem` in a few files, and as modules where a configuration file shares them", async () => {
    const count = [
      'import { registerHooks } from "node:module"',
      "let loads = 0",
      'const count = (url) => void (url.startsWith("file:") && loads++)',
      "registerHooks({ load: (url, context, next) => (count(url), next(url, context)) })",
      'process.once("exit", () => console.error(loads))'
    ]
    writeFileSync(join(application, "count.js"), count.join("\n"))
    const main = join("node_modules", "@tolem/http-server", "main.js")
    const loads = async (): Promise<number> => {
      const { stdout, stderr } = await program("--import", "./count.js", main, "--version")
      expect(stdout).toMatch(/^tolem v\d/)
      return Number(stderr)
    }
    expect(await loads()).toBeLessThan(100)
    const config = join(application, "tolem.config.js")
    writeFileSync(config, "export default {}")
    expect(await loads()).toBeGreaterThan(300)
    rmSync(config)
  })

  it("is read with a byte for each character, and without what few servers use", () => {
    const folder = join(application, "node_modules/@tolem/http-server/program")
    const scripts = globSync("*.cjs", { cwd: folder })
    const wide = scripts.filter((name) => readFileSync(join(folder, name)).some((byte) => byte > 127))
    expect(wide).toEqual([])
    expect(scripts.filter((name) => /^(nodemailer|xlsx)-/.test(name))).toHaveLength(2)
  })

  it("has the command `tolem`, with the terms of all that is in it", async () => {
    const terms = readFileSync(join(application, "node_modules/@tolem/http-server/program/LICENSES.md"), "utf8")
    for (const name of ["effect", "qrcode", "undici"]) expect(terms).toMatch(new RegExp(`^## ${name} \\d`, "m"))
    const { stdout } = await program(join("node_modules", "@tolem/http-server", "main.js"), "--help")
    expect(stdout).toMatch(/serve/)
    const server = join(application, "node_modules", "@tolem/http-server")
    const { bin } = JSON.parse(readFileSync(join(server, "package.json"), "utf8"))
    expect(readFileSync(join(server, bin.tolem), "utf8")).toMatch(/^#!/)
  })
})

describe("the README on embedding", () => {
  const text = readFileSync(join(root, "README.md"), "utf8")
  const section = /^## Embedding\n(.*?)^## /ms.exec(text)?.[1] ?? ""
  const blocks = Array.from(section.matchAll(/^```(\w+)\n(.*?)^```$/gms), ([, language = "", body = ""]) => {
    return { language, body }
  })
  // What a program prints stands right behind it.
  const programs = blocks.flatMap(({ language, body }, index) => {
    const next = blocks[index + 1]
    return language === "ts" ? [{ body, prints: next?.language === "text" ? next.body : "" }] : []
  })
  const fileOf = (index: number) => join("readme", `program${index}.ts`)
  const named = (pattern: RegExp, body: string) => Array.from(body.matchAll(pattern), ([, name]) => name)

  it("has programs for both databases, installs what they import, and says what each prints", () => {
    const [install] = blocks
    expect(install?.language).toBe("sh")
    const installed = named(/(?<= )(@tolem\/[\w-]+)/g, install?.body ?? "")
    expect(packages.map(({ manifest }) => manifest.name)).toEqual(expect.arrayContaining(installed))
    const imported = programs.flatMap(({ body }) => named(/ from "(@tolem\/[\w-]+|[a-z][\w-]*)/g, body))
    expect(new Set(imported.filter((name) => name !== "node"))).toEqual(new Set(installed))
    for (const adapter of ["sqlite", "postgres"]) expect(imported).toContain(`@tolem/adapter-${adapter}`)
    for (const { prints } of programs) expect(prints).not.toBe("")
    mkdirSync(join(application, "readme"))
    for (const [index, { body }] of programs.entries()) writeFileSync(join(application, fileOf(index)), body)
  })

  it("compiles, as the guides do", async () => {
    const compiler = join(root, "node_modules/typescript/bin/tsc")
    const types = ["--typeRoots", join(root, "node_modules/@types"), "--types", "node", "--skipLibCheck"]
    const settings = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"]
    const files = programs.map((_, index) => fileOf(index))
    for (const guide of guides) {
      files.push(join("readme", `${guide.name}.ts`))
      writeFileSync(join(application, "readme", `${guide.name}.ts`), guide.program)
    }
    expect(await program(compiler, ...settings, ...types, ...files)).toEqual({ stdout: "", stderr: "" })
  })

  it("does what it promises, word for word, and again at the next start", async () => {
    const { url, drop } = await createDatabase()
    onTestFinished(drop)
    rmSync(join(application, "shop.db"), { force: true })
    // On a slow machine messages to the shop of the example, which is not there, fail while a program still runs.
    const warning = /^\[[\d:.]+\] WARN .*?^\}\n/gms
    const start = async (count: number) => {
      const said: Array<string> = []
      for (let index = 0; index < count; index++) {
        const { stdout, stderr } = await programWith({ DATABASE_URL: url }, fileOf(index))
        said.push((stderr + stdout).replaceAll(warning, ""))
      }
      return said
    }
    const [first, ...others] = programs.map(({ prints }) => prints)
    expect(await start(programs.length)).toEqual([first, ...others])
    // The others say the same at each start; `npm run test:slow` has them do so.
    const again = inject("isWhole") ? programs.length : 1
    expect(section).toContain("the second one prints `1500 paid`")
    expect(await start(again)).toEqual(["1500 paid\n", ...others].slice(0, again))
  })
})
