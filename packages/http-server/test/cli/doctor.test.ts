/** `tolem doctor`: what it finds of an installation, and that no check is kept from running by another. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { nodePlatform } from "@tolem/adapter-node"
import { createDatabase, createMigrated } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { databaseChecks } from "../../src/cli/doctor/DatabaseChecks.ts"
import * as FileChecks from "../../src/cli/doctor/FileChecks.ts"
import { parseDatabase } from "../../src/cli/kit/Database.ts"
import * as Clocks from "../support/clock.ts"
import { examine, migrated, sound } from "./examining.ts"
import { folder, read, service } from "./support.ts"

const names = [
  ...["settings", "configuration", "time zone", "database", "schema", "clock", "keys", "secrets", "files", "disk"],
  ...["base URL", "TLS", "webhook networks", "mail", "telegram", "logins", "provider"]
]

const filesOf = (path: string) =>
  readdirSync(path).map((name) => {
    const { mtimeMs, size, mode } = statSync(join(path, name))
    return { name, mtimeMs, size, mode, text: readFileSync(join(path, name), "base64") }
  })

const change = (cwd: string, sql: string) => {
  const db = new DatabaseSync(join(cwd, ".tolem/tolem.db"))
  db.exec(sql)
  db.close()
}

describe("a sound installation", () => {
  it("has nothing that failed, and is left as it was", async () => {
    const cwd = await migrated()
    const before = filesOf(join(cwd, ".tolem"))
    const seen = await examine(cwd, [], sound)
    expect(seen.failed).toEqual([])
    expect(seen.names).toEqual(names)
    expect(filesOf(join(cwd, ".tolem"))).toEqual(before)
  })

  it("is checked while a server runs on it", async () => {
    const cwd = folder()
    await service(cwd)
    expect((await examine(cwd, [], sound)).failed).toEqual([])
  })

  it("is shown to people as a line for each check", async () => {
    const { stdout } = await read(await migrated(), "doctor")
    const lines = stdout.trimEnd().split("\n")
    expect(lines.length).toBe(names.length)
    for (const [at, line] of lines.entries()) {
      expect(line).toMatch(/^(ok|warning|failed) /)
      expect(line).toContain(names[at])
    }
  })
})

describe("settings", () => {
  it("that are wrong are all told of, and nothing else is kept from being checked", async () => {
    const seen = await examine(await migrated(), ["--port", "99999"], {
      ...sound,
      TOLEM_READS_PER_MINUTE: "many",
      TOLEM_LETTER_DAYS: "-1"
    })
    expect(seen.failed).toEqual(["settings"])
    expect(seen.of("settings")?.what).toMatch(/--port.*TOLEM_READS_PER_MINUTE.*--letter-days/)
    expect(seen.names).toEqual(names)
  })

  it("of a configuration file are told of with file and line", async () => {
    const cwd = await migrated()
    writeFileSync(join(cwd, "tolem.config.mjs"), "export default {\n  settings: { readsPerMinute: 'x' }\n}\n")
    const seen = await examine(cwd, [], sound)
    expect(seen.failed).toEqual(["configuration"])
    expect(seen.of("configuration")?.what).toMatch(/tolem\.config\.mjs:2: settings\.readsPerMinute/)
  })
})

describe("the database", () => {
  it("is not made", async () => {
    const cwd = folder()
    const seen = await examine(cwd, [], sound)
    expect(seen.failed).toEqual(["database", "schema", "clock", "secrets"])
    expect(seen.names).toEqual(names)
    expect(seen.of("database")).toMatchObject({
      what: "There is no database sqlite:.tolem/tolem.db",
      todo: "Name another with --database, or make it: tolem migrate --database 'sqlite:.tolem/tolem.db'"
    })
    expect(readdirSync(cwd)).toEqual([])
  })

  it("that is none is told of", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "some.log"), "no database".repeat(1000))
    mkdirSync(join(cwd, "some"))
    for (const [name, what] of [
      ["some.log", "the file holds something else"],
      ["some", "it is a folder"]
    ]) {
      const seen = await examine(cwd, ["--database", `sqlite:${name}`], sound)
      expect(seen.of("database")?.what).toBe(`sqlite:${name} is not a database: ${what}`)
      expect(seen.of("keys")).toMatchObject({ what: "cannot be told without the database", todo: "See database" })
    }
  })

  it("lacks steps, has some of a newer version, or lacks one that is passed over", async () => {
    const cwd = await migrated()
    const newest = (await examine(cwd, [], sound)).of("schema")?.what.replace("up to date, ", "")
    change(cwd, "insert into tolem_migrations (migration_id, name) values (9999, 'future')")
    const newer = await examine(cwd, [], sound)
    expect(newer.of("schema")).toMatchObject({ status: "warning", what: expect.stringContaining("9999_future") })
    expect(newer.failed).toEqual([])

    change(cwd, "delete from tolem_migrations where migration_id = 9999 or migration_id = 2")
    expect((await examine(cwd, [], sound)).of("schema")?.what).toMatch(/lacks 0002_views, which no migration runs/)

    change(cwd, "delete from tolem_migrations where migration_id in (select max(migration_id) from tolem_migrations)")
    change(cwd, "insert into tolem_migrations (migration_id, name) values (2, 'views')")
    expect((await examine(cwd, [], sound)).of("schema")?.what).toBe(`lacks ${newest}`)

    change(cwd, "delete from tolem_migrations where migration_id > 1")
    const older = await examine(cwd, [], sound)
    expect(older.of("schema")?.what).toMatch(/^lacks 0002_views, 0003_secret_checks, 0004_connections and \d+ more$/)
    expect(older.of("schema")?.todo).toMatch(/tolem migrate --database 'sqlite:.tolem\/tolem.db'/)
  })

  it("that a copy is made into is told of", async () => {
    const cwd = await migrated()
    change(cwd, "create table tolem_copy (id text)")
    expect((await examine(cwd, [], sound)).of("database")?.what).toMatch(/a copy into .* has not ended/)
  })
})

describe("keys", () => {
  const strong = "oK9fVb2mXq7LrT4wZc8NhJ3sPd6YgU1eQaRi5tBxWzE="

  it("that are gone fail, and so do the secrets", async () => {
    const cwd = await migrated()
    rmSync(join(cwd, ".tolem/tolem.db.key"))
    const seen = await examine(cwd, [], sound)
    expect(seen.failed).toEqual(["keys", "secrets"])
    expect(readdirSync(join(cwd, ".tolem"))).toEqual(["tolem.db"])
  })

  it("that open nothing are told of, and not shown", async () => {
    const seen = await examine(await migrated(), [], { ...sound, TOLEM_SECRET_KEY: strong })
    expect(seen.failed).toEqual(["secrets"])
    expect(seen.of("secrets")?.what).toMatch(/^1 do not open, as secret-check: no key opens secret_checks\.sealed/)
    expect(seen.stdout + seen.stderr).not.toContain(strong)
  })

  it("that can be guessed are told of", async () => {
    const seen = await examine(await migrated(), [], { ...sound, TOLEM_SECRET_KEY: "hush" })
    expect(seen.failed).toEqual(["keys", "secrets"])
    expect(seen.stdout + seen.stderr).not.toContain("hush")
  })

  it("that others can read are warned about", async () => {
    const cwd = await migrated()
    chmodSync(join(cwd, ".tolem/tolem.db.key"), 0o644)
    expect((await examine(cwd, [], sound)).of("keys")).toMatchObject({
      status: "warning",
      todo: "chmod 600 '.tolem/tolem.db.key'"
    })
  })
})

describe("files", () => {
  it("that others can put theirs in the place of fail; those that they can read are warned about", async () => {
    const cwd = await migrated()
    chmodSync(join(cwd, ".tolem/tolem.db"), 0o644)
    expect((await examine(cwd, [], sound)).of("files")).toMatchObject({ status: "warning" })
    chmodSync(join(cwd, ".tolem"), 0o777)
    expect((await examine(cwd, [], sound)).failed).toEqual(["files"])
  })

  it("have room on their disk, or fail", async () => {
    const location = Result.getOrThrow(parseDatabase(`sqlite:${join(await migrated(), ".tolem/tolem.db")}`))
    expect(await Effect.runPromise(FileChecks.disk(location))).toMatchObject({ what: expect.stringMatching(/MB free/) })
    const told = await Effect.runPromise(FileChecks.disk(location, Number.MAX_SAFE_INTEGER))
    expect(told).toMatchObject({ status: "failed", todo: expect.stringContaining("Make room") })
  })
})

describe("the clock", () => {
  const databases = {
    SQLite: async () => `sqlite:${join(await migrated(), ".tolem/tolem.db")}`,
    PostgreSQL: async () => {
      const made = await createMigrated()
      onTestFinished(() => made.drop())
      return made.url
    }
  }

  it.each(Object.entries(databases))("is held against that of %s", async (_, make) => {
    const location = Result.getOrThrow(parseDatabase(await make()))
    const ahead = async (ms: number) => {
      const findings = await databaseChecks(location).pipe(
        Effect.provide(Layer.mergeAll(NodeServices.layer, nodePlatform(), Clocks.layer({ now: Date.now() + ms }))),
        Effect.runPromise
      )
      return findings.find(({ check }) => check === "clock")
    }
    expect(await ahead(0)).toMatchObject({ status: "ok" })
    expect(await ahead(5_000)).toMatchObject({ status: "warning", what: expect.stringMatching(/s ahead of/) })
    expect(await ahead(600_000)).toMatchObject({ status: "failed", what: expect.stringMatching(/s ahead of/) })
    expect(await ahead(-600_000)).toMatchObject({ status: "failed", what: expect.stringMatching(/s behind/) })
  })
})

describe("on PostgreSQL", () => {
  const key = { TOLEM_SECRET_KEY: "oK9fVb2mXq7LrT4wZc8NhJ3sPd6YgU1eQaRi5tBxWzE=" }
  const database = async (make: typeof createDatabase) => {
    const made = await make()
    onTestFinished(() => made.drop())
    return made
  }

  it("a sound installation has nothing that failed", async () => {
    const { url } = await database(createMigrated)
    const seen = await examine(folder(), ["--database", url], { ...sound, ...key })
    expect(seen.failed).toEqual([])
    expect(seen.names).toEqual(names)
    expect(seen.of("clock")?.what).toContain("the database's")
  })

  it("a database without a schema stays without one", async () => {
    const made = await database(createDatabase)
    const seen = await examine(folder(), ["--database", made.url], { ...sound, ...key })
    expect(seen.failed).toEqual(["schema", "secrets"])
    expect(seen.of("schema")).toMatchObject({
      what: "there is none yet",
      todo: expect.stringContaining("tolem migrate")
    })
    expect(await made.query("select 1 from pg_tables where schemaname = 'public'")).toEqual([])
  })

  it("one that cannot be reached or written is told of, without its password", async () => {
    const { url, query } = await database(createMigrated)
    const { pathname } = new URL(url)
    const there = new URL(url)
    const away = Object.assign(new URL(url), { pathname: "/tolem_nowhere", password: "hush-hush" })
    const lost = await examine(folder(), ["--database", away.href], { ...sound, ...key })
    expect(lost.failed).toEqual(["database", "schema", "clock", "secrets"])
    expect(lost.stdout + lost.stderr).not.toContain("hush-hush")
    expect(lost.of("database")).toMatchObject({
      what: expect.stringMatching(/^Cannot open the database postgres.*password authentication failed/),
      todo: "Give the user and password that its server has; an address without one takes TOLEM_DATABASE_PASSWORD"
    })
    const without = await examine(folder(), ["--database", Object.assign(new URL(url), { password: "" }).href], sound)
    expect(without.of("database")).toEqual({
      ...lost.of("database"),
      what: expect.stringMatching(/requested password authentication$/)
    })
    const missing = Object.assign(new URL(url), { pathname: "/tolem_nowhere" })
    const keyless = await examine(folder(), ["--database", missing.href], sound)
    expect(keyless.of("database")).toMatchObject({
      what: expect.stringMatching(/^There is no database postgres.*tolem_nowhere$/),
      todo: expect.stringMatching(/^Name another with --database, or make it on that server .*tolem migrate/)
    })
    expect(keyless.of("keys")).toMatchObject({ status: "failed", todo: "See database" })
    await query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`)
    const standby = await examine(folder(), ["--database", there.href], { ...sound, ...key })
    expect(standby.of("database")?.what).toMatch(/cannot be written$/)
  })
})
