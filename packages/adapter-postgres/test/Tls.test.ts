/** How the way to the database is encrypted, with servers that offer TLS and that do not. */
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { it as effect } from "@effect/vitest"
import { type Server, startServer } from "@tolem/testing-postgres/Server"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, describe, expect, inject, it } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as Tls from "../src/Tls.ts"

const script = fileURLToPath(new URL("../../../deploy/certificates.sh", import.meta.url))

const targetOf = (address: string) => Tls.targetOf(Redacted.make(address))

describe("an address", () => {
  it.each([
    ["postgres://a:b@db.example:5433/x", { host: "db.example", port: 5433, mode: "" }, true, false],
    ["postgres://a:b@[fd00::1]/x?sslmode=prefer", { host: "fd00::1", port: 5432, mode: "prefer" }, true, false],
    ["postgres://a:b@10.0.0.5/x?sslmode=disable", { host: "10.0.0.5", port: 5432, mode: "disable" }, false, false],
    ["postgres://db/x?sslmode=verify-full", { host: "db", port: 5432, mode: "verify-full" }, false, false],
    ["postgres://db/y?dbname=x", { host: "db", port: 5432, mode: "" }, true, false],
    ["postgres:///x?host=/run/postgresql", { host: "/run/postgresql", port: 5432, mode: "" }, false, true],
    ["postgres://localhost/x", { host: "localhost", port: 5432, mode: "" }, true, true],
    ["postgres://127.0.0.1/x", { host: "127.0.0.1", port: 5432, mode: "" }, true, true],
    ["postgres://[::1]/x", { host: "::1", port: 5432, mode: "" }, true, true],
    ["postgres://127.0.0.1.example/x", { host: "127.0.0.1.example", port: 5432, mode: "" }, true, false]
  ])("%s says where, and whether that is open and local", (address, target, isOpen, isLocal) => {
    const whole = { ...target, database: "x", authority: "" }
    expect(targetOf(address)).toEqual(whole)
    expect([Tls.isOpen(whole), Tls.isLocal(whole)]).toEqual([isOpen, isLocal])
  })

  effect.live("with percent codes that are no text is refused by the client", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(seen("postgres://127.0.0.1/%zz?sslmode=disable"))
      assert.strictEqual(failed._tag, "SqlError")
      assert.strictEqual(failed.reason._tag, "ConnectionError")
    })
  )
})

/** Whether the connection is encrypted, as the server sees it, and what was logged. */
const seen = Effect.fnUntraced(function* (url: string, options: Partial<Connection.ConnectionOptions> = {}) {
  const logs: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))])
  const ask = SqlClient.SqlClient.use(
    (sql) => sql<{ readonly ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
  )
  const layer = Connection.layer({ url: Redacted.make(url), ...options })
  const [row] = yield* ask.pipe(Effect.provide(layer), Effect.provide(logger))
  return { encrypted: row?.ssl, warned: logs.join().includes("is not encrypted") }
})

describe("a way over the network", () => {
  effect.live("is warned about where it is not encrypted, without the password", () =>
    Effect.gen(function* () {
      const logsOf = Effect.fnUntraced(function* (address: string) {
        const logs: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))])
        const client = Connection.layer({ url: Redacted.make(address) }).pipe(Layer.provide(logger))
        yield* Effect.scoped(Layer.build(client))
        return logs.join()
      })
      const warning = yield* logsOf("postgres://tolem:Kyzyl-Tulpan@db.invalid/x?sslmode=disable")
      assert.include(warning, "db.invalid is not encrypted")
      assert.notInclude(warning, "Kyzyl")
      assert.strictEqual(yield* logsOf("postgres://tolem:secret@db.invalid/x?sslmode=verify-full"), "")
      assert.strictEqual(yield* logsOf("postgres://tolem:secret@127.0.0.1/x?sslmode=disable"), "")
    })
  )
})

describe("a server that does not offer TLS", () => {
  effect.live("is spoken to in plain text, which is fine on one machine", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* seen(inject("postgresUrl")), { encrypted: false, warned: false })
      const failed = yield* Effect.flip(seen(`${inject("postgresUrl")}?sslmode=verify-full`))
      assert.strictEqual(failed._tag, "SqlError")
    })
  )
})

describe("a server that offers TLS", () => {
  let server: Server
  let folder: string
  const url = (host: string, mode = "") => `${server.url.replace("127.0.0.1", host)}${mode}`

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tolem-tls-"))
    chmodSync(folder, 0o755)
    const [key, certificate] = [join(folder, "server.key"), join(folder, "server.crt")]
    execFileSync("sh", [script, "localhost", folder], { stdio: "ignore" })
    chmodSync(key, 0o600)
    // The server runs as another user where this process is root's.
    if (process.getuid?.() === 0) chownSync(key, Number(execFileSync("id", ["-u", "postgres"])), 0)
    const settings = { ssl: "on", ssl_cert_file: certificate, ssl_key_file: key }
    server = await startServer({ settings })
  })
  afterAll(async () => {
    await server.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  effect.live("is spoken to in secret where nothing else is said, no matter who has signed its certificate", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* seen(url("127.0.0.1")), { encrypted: true, warned: false })
      assert.deepStrictEqual(yield* seen(url("127.0.0.1", "?sslmode=prefer")), { encrypted: true, warned: false })
    })
  )

  effect.live("is checked where that is asked for", () =>
    Effect.gen(function* () {
      const unknown = yield* Effect.flip(seen(url("localhost", "?sslmode=verify-full")))
      assert.strictEqual(unknown._tag, "SqlError")
      const trusting = `?sslmode=verify-full&sslrootcert=${join(folder, "ca.crt")}`
      assert.deepStrictEqual(yield* seen(url("localhost", trusting)), { encrypted: true, warned: false })
      // The certificate is for another name.
      const misnamed = yield* Effect.flip(seen(url("127.0.0.1", trusting)))
      assert.strictEqual(misnamed._tag, "SqlError")
      const noFile = yield* Effect.flip(seen(url("localhost", "?sslmode=verify-full&sslrootcert=/nowhere/ca.crt")))
      assert.strictEqual(noFile._tag, "SqlError")
    })
  )

  effect.live("is spoken to in plain text where that is asked for", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* seen(url("127.0.0.1", "?sslmode=disable")), { encrypted: false, warned: false })
    })
  )
})
