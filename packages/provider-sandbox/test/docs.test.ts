/** What the document about the sandbox says is what the code does. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { abilityNames } from "@tolem/core/provider/Abilities"
import { RefusalCode } from "@tolem/core/provider/Answer"
import { defaultTimeoutMs } from "@tolem/core/provider/Deadline"
import { Schema } from "effect"
import * as Cashiers from "../src/Cashiers.ts"
import * as ControlRoutes from "../src/ControlRoutes.ts"
import * as Protocol from "../src/Protocol.ts"
import * as ProviderRoutes from "../src/ProviderRoutes.ts"
import * as ReceiptRoute from "../src/ReceiptRoute.ts"
import * as SandboxBank from "../src/SandboxBank.ts"
import { Fault, FaultyCall, Script } from "../src/Scenario.ts"
import { phoneOf, scenarios, tengeOf } from "../src/Scenarios.ts"
import * as Wire from "../src/Wire.ts"

const text = readFileSync(new URL("../../../docs/provider-sandbox.md", import.meta.url), "utf8")
const protocol = readFileSync(new URL("../../../docs/provider-protocol.md", import.meta.url), "utf8")
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

describe("the document about the protocol", () => {
  it("names every call, and none that there is not", () => {
    const there = ProviderRoutes.make(SandboxBank.make()).map(
      ({ method, path }) => `${method} ${path.replace(":key", "{}")}`
    )
    const named = Array.from(protocol.matchAll(/^\| `([A-Z]+ \/v1[^`]*)` \|/gm), ([, route = ""]) =>
      route.replace(/\{\w+\}/, "{}")
    )
    assert.sameMembers(named, there)
  })

  it("has examples that can be read", () => {
    const [payment, operations, description] = Array.from(
      protocol.matchAll(/```json\n([^`]*)```/g),
      ([, json = ""]) => json
    )
    assert.isDefined(Wire.paymentOf(decode(Wire.PaymentBody, payment ?? "")))
    assert.strictEqual(Wire.operationPageOf(decode(Wire.Operations, operations ?? "")).operations.length, 2)
    assert.deepStrictEqual(decode(Wire.Description, description ?? "").versions, [Protocol.version])
  })

  it("has every word of refusals, of states and of what a provider can do", () => {
    for (const word of [...RefusalCode, ...Wire.PaymentBody.fields.state.literals])
      assert.include(protocol, `\`${word}\``)
    const table = Array.from(protocol.matchAll(/^\| `(\w+)`(?: \(as `\w+`[^|]*\))? \| [^|]* \|$/gm), ([, name]) => name)
    for (const name of abilityNames) assert.include(table, name)
    assert.include(protocol.toLowerCase(), `\`${Protocol.secretHeader}\``)
    assert.include(protocol, `waits ${defaultTimeoutMs / 1000} seconds`)
  })
})
