import * as adapterNode from "@tolem/adapter-node"
import * as adapterPostgres from "@tolem/adapter-postgres"
import * as adapterSharp from "@tolem/adapter-sharp"
import * as adapterSmtp from "@tolem/adapter-smtp"
import * as adapterSql from "@tolem/adapter-sql"
import * as adapterSqlite from "@tolem/adapter-sqlite"
import * as adapterTelegram from "@tolem/adapter-telegram"
import * as api from "@tolem/api"
import * as core from "@tolem/core"
import * as httpServer from "@tolem/http-server"
import * as providerSandbox from "@tolem/provider-sandbox"
import * as testing from "@tolem/testing"
import { expect, it } from "vitest"
import { published } from "../lib/Workspace.ts"

const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "adapter-node": Object.keys(adapterNode),
  "adapter-postgres": Object.keys(adapterPostgres),
  "adapter-sharp": Object.keys(adapterSharp),
  "adapter-smtp": Object.keys(adapterSmtp),
  "adapter-telegram": Object.keys(adapterTelegram),
  "adapter-sql": Object.keys(adapterSql),
  "adapter-sqlite": Object.keys(adapterSqlite),
  api: Object.keys(api),
  core: Object.keys(core),
  "http-server": Object.keys(httpServer),
  "provider-sandbox": Object.keys(providerSandbox),
  testing: Object.keys(testing)
}

it("shows the public names of every package, so that no change of them goes unseen", async () => {
  const text = Object.entries(names).map(([name, each]) => `@tolem/${name}\n${each.toSorted().join("\n")}\n`)
  await expect(text.join("\n")).toMatchFileSnapshot("public-names.txt")
})

it("knows every package", () => {
  const all = published().map(({ folder }) => folder.replace("packages/", ""))
  expect(Object.keys(names).sort()).toEqual(all.sort())
})
