/** Databases with wrong certificates: which `sslmode` refuses them, what it says, and that nothing goes in the open. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { connect as connectTls } from "node:tls"
import { type Server, startServer } from "@tolem/testing-postgres/Server"
import { Effect, Logger, Result } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import * as Connection from "../src/Connection.ts"
import { explainRefusal, parse } from "../src/Url.ts"

const hasOpenssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].some((path) => existsSync(path))

/** Whether the way is encrypted, or why there is none. */
const tried = (address: string): Promise<string> => {
  const { options } = Result.getOrThrow(parse(address))
  const ask = SqlClient.SqlClient.use(
    (sql) => sql<{ readonly ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
  )
  const told = ask.pipe(
    Effect.provide(Connection.layer({ url: options.url })),
    Effect.provide(Logger.layer([])),
    Effect.map(([row]) => (row?.ssl === true ? "encrypted" : "plain")),
    Effect.catch((error) => Effect.succeed(explainRefusal(error.reason.cause) ?? String(error.reason.cause)))
  )
  return Effect.runPromise(told)
}

const unknownAuthority = /^its certificate is signed by no authority that is believed; .* sslrootcert=FILE$/

describe.skipIf(!hasOpenssl)("a server whose certificate is", () => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-certificates-"))
  const file = (name: string) => join(folder, name)
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", [...args], { cwd: folder, stdio: "pipe" })
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  let server: Server

  const authority = (name: string) => {
    const files = ["-keyout", `${name}.key`, "-out", `${name}.crt`, "-addext", "keyUsage=critical,keyCertSign"]
    openssl("req", "-x509", ...curve, "-days", "30", "-subj", `/CN=${name}`, ...files)
  }
  const certificate = (name: string, by: string, { host = "localhost", days = 30 } = {}) => {
    openssl("req", ...curve, "-subj", `/CN=${host}`, "-keyout", `${name}.key`, "-out", `${name}.csr`)
    writeFileSync(file(`${name}.ext`), `subjectAltName=DNS:${host}\n`)
    const signed = ["-CA", `${by}.crt`, "-CAkey", `${by}.key`, "-extfile", `${name}.ext`, "-days", String(days)]
    openssl("x509", "-req", "-in", `${name}.csr`, "-out", `${name}.crt`, ...signed)
  }

  /** Has the server show another certificate. It reads its files anew. */
  const show = async (name: string) => {
    copyFileSync(file(`${name}.crt`), file("server.crt"))
    copyFileSync(file(`${name}.key`), file("server.key"))
    chmodSync(file("server.key"), 0o600)
    // The server runs as another user where this process is root's.
    if (process.getuid?.() === 0) chownSync(file("server.key"), Number(execFileSync("id", ["-u", "postgres"])), 0)
  }

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    authority("ours")
    authority("theirs")
    certificate("right", "ours")
    certificate("misnamed", "ours", { host: "db.example" })
    certificate("expired", "ours", { days: -1 })
    certificate("foreign", "theirs")
    const own = ["-days", "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    openssl("req", "-x509", ...curve, ...own, "-keyout", "alone.key", "-out", "alone.crt")
    await show("right")
    const settings = { ssl: "on", ssl_cert_file: file("server.crt"), ssl_key_file: file("server.key") }
    server = await startServer({ settings })
  })
  afterAll(async () => {
    await server?.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The certificate that the server shows to new connections. */
  const shown = async (): Promise<string> => {
    const raw = connect(server.port, "127.0.0.1")
    await once(raw, "connect")
    raw.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
    await once(raw, "data")
    const socket = connectTls({ socket: raw, rejectUnauthorized: false })
    await once(socket, "secureConnect")
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }

  /** What comes of each mode, with our authority named where a certificate is checked. */
  const outcomes = async (name: string) => {
    const before = await shown()
    await show(name)
    process.kill(server.pid(), "SIGHUP")
    for (let tries = 0; name !== "right" && tries < 200 && (await shown()) === before; tries++) await wait(50)
    const address = (mode: string) => {
      const trusting = /^(require|verify)/.test(mode) ? `&sslrootcert=${file("ours.crt")}` : ""
      return `${server.url.replace("127.0.0.1", "localhost")}?sslmode=${mode}${trusting}`
    }
    const modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]
    return Object.fromEntries(await Promise.all(modes.map(async (mode) => [mode, await tried(address(mode))])))
  }

  const unchecked = { disable: "plain", allow: "encrypted", prefer: "encrypted" }
  const refused = (why: RegExp) => {
    const told = expect.stringMatching(why)
    return { ...unchecked, require: told, "verify-ca": told, "verify-full": told }
  }

  it("right, of an authority that is named, is spoken to in secret", async () => {
    const well = { require: "encrypted", "verify-ca": "encrypted", "verify-full": "encrypted" }
    expect(await outcomes("right")).toEqual({ ...unchecked, ...well })
    // Without the file those authorities count that Node knows.
    expect(await tried(`${server.url.replace("127.0.0.1", "localhost")}?sslmode=verify-full`)).toMatch(unknownAuthority)
  })

  it.each([
    ["signed by itself", "alone", unknownAuthority],
    ["of another authority", "foreign", unknownAuthority],
    ["expired", "expired", /^its certificate has expired$/],
    ["for another name", "misnamed", /^its certificate is for another name than the address has \(DNS:db\.example\)$/]
  ])("%s is refused by all modes that check", async (_, name, why) => {
    expect(await outcomes(name)).toEqual(refused(why))
  })

  it("checked against a file without certificates is not asked for anything", async () => {
    writeFileSync(file("empty.crt"), "no certificate\n")
    expect(await tried(`${server.url}?sslmode=verify-full&sslrootcert=${file("empty.crt")}`)).toMatch(
      /holds no certificate/
    )
    expect(await tried(`${server.url}?sslmode=verify-full&sslrootcert=${file("missing.crt")}`)).toMatch(/ENOENT/)
  })
})

describe("something on the way that says the server cannot encrypt", () => {
  it.each(["require", "verify-ca", "verify-full"])("learns nothing with sslmode=%s", async (mode) => {
    const heard: Array<Buffer> = []
    const sockets = new Set<Socket>()
    const between = createServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("data", (bytes) => {
        heard.push(bytes)
        socket.write("N")
      })
    })
    between.listen(0, "127.0.0.1")
    await once(between, "listening")
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      between.close()
    })
    const { port } = between.address() as AddressInfo
    const address = `postgres://tolem:Kyzyl-Tulpan@127.0.0.1:${port}/shop?sslmode=${mode}`
    expect(await tried(address)).toBe("it does not offer TLS, which sslmode asks for; nothing was sent to it")
    // Nothing but the question of eight bytes: no name, no password.
    expect(heard.every((bytes) => bytes.length === 8)).toBe(true)
  })
})
