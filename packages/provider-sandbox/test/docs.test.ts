/** What the document about the sandbox says is what the code does. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { defaultTimeoutMs } from "@tolem/core/provider/Deadline"
import { Schema } from "effect"
import * as Cashiers from "../src/Cashiers.ts"
import * as ControlRoutes from "../src/ControlRoutes.ts"
import * as ProviderRoutes from "../src/ProviderRoutes.ts"
import * as ReceiptRoute from "../src/ReceiptRoute.ts"
import * as SandboxBank from "../src/SandboxBank.ts"
import { Fault, FaultyCall, Script } from "../src/Scenario.ts"
import { phoneOf, scenarios, tengeOf } from "../src/Scenarios.ts"

const text = readFileSync(new URL("../../../docs/provider-sandbox.md", import.meta.url), "utf8")
const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, json: string): S["Type"] =>
  Schema.decodeUnknownSync(schema)(JSON.parse(json))

describe("the document", () => {
  it("has the table of the scenarios", () => {
    const rows = scenarios.map((scenario) => {
      const { name, about } = scenario
      return `| \`${name}\` | ${tengeOf(scenario) ?? ""} | ${phoneOf(scenario) ?? ""} | ${about} |`
    })
    const table = ["| Scenario | Amount, KZT | Phone | What happens |", "|---|---|---|---|", ...rows].join("\n")
    const inText = /<!-- scenarios -->\n\n([^#]*?)\n\n##/.exec(text)?.[1]
    assert.strictEqual(inText, table)
  })

  it("names every route, and none that there is not", () => {
    const bank = SandboxBank.make()
    const routes = [...ProviderRoutes.make(bank), ...ControlRoutes.make(bank), ReceiptRoute.make(bank)]
    const there = [...routes.map(({ method, path }) => `${method} ${path}`), "GET /health"]
    const named = Array.from(text.matchAll(/^\| `([A-Z]+ \/[^`]*)` \|/gm), ([, route]) => route)
    assert.sameMembers(named, there)
  })

  it("shows every kind of fault as it can be sent, and names every call", () => {
    const shown = Array.from(text.matchAll(/^\| `(\{"kind".*?\})` \|/gm), ([, fault]) => decode(Fault, fault ?? ""))
    assert.strictEqual(new Set(shown.map(({ kind }) => kind)).size, Fault.members.length)
    assert.strictEqual(shown.length, Fault.members.length)
    for (const call of FaultyCall.literals) assert.include(text, `\`${call}\``)
  })

  it("has an example of a script that can be sent", () => {
    const json = /```json\n([^`]*)```/.exec(text)?.[1] ?? ""
    assert.strictEqual(decode(Script, json).steps[0]?.ms, -2000)
  })

  it("tells the durations that there are", () => {
    assert.include(text, `waits ${defaultTimeoutMs / 1000} s`)
    assert.include(text, `(${Cashiers.processMs / 60_000} minutes)`)
  })
})
