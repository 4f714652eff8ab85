/** The console of the platform: every call, with all who may not make it, and what operators do there. */
import { PanelApi } from "@tolem/api/PanelApi"
import { NeededDuty } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { type Duty, duties } from "@tolem/core/operator/Duty"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { as, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

const endpoints: Array<{ readonly method: string; readonly path: string; readonly duty: Duty | undefined }> = []
HttpApi.reflect(PanelApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path, annotations } }) => {
    if (!path.startsWith("/panel/operator/")) return
    endpoints.push({ method, path, duty: Context.getOrUndefined(annotations, NeededDuty) })
  }
})

let service: Service
let operator: Person
let member: Person
/** An operator whose code is stale. */
let late: Person
let organizationId: string

const makeOperator = async ({ phone }: Person) => {
  const { operators } = await service.run(Engine)
  await service.run(operators.grant(phone))
}

beforeAll(async () => {
  service = await start({ now: Date.UTC(2026, 0, 5, 5) })
  late = await logIn(service, "77090000003")
  await makeOperator(late)
  service.time.now += service.settings.login.freshMs + 1
  operator = await logIn(service, "77090000001")
  await makeOperator(operator)
  member = await logIn(service, "77090000002")
  organizationId = await organizationOf(service, member)
})
afterAll(() => service.stop())

const addressOf = (path: string) => path.replaceAll(/:\w+/g, "none")
const bodyOf = (method: string) => (method === "GET" ? undefined : {})

describe("a call of the console", () => {
  it("has its row in the table of duties, and each row a call", () => {
    const used = new Set(endpoints.map(({ duty }) => duty))
    for (const { method, path, duty } of endpoints) {
      expect(duty === undefined ? "no duty" : Object.keys(duties), `${method} ${path}`).toContain(duty)
    }
    expect(Object.keys(duties).filter((duty) => !used.has(duty as Duty))).toEqual([])
  })

  it("takes a fresh code if it changes something", () => {
    for (const { method, path, duty } of endpoints) if (method !== "GET") expect(duties[duty!].fresh, path).toBe(true)
  })

  it.each(endpoints)("is an operator's alone: $method $path", async ({ method, path }) => {
    const address = addressOf(path)
    expect(outcomeOf(await as(service, member, method, address, bodyOf(method)))).toBe("403 forbidden")
    const real = path.replace(":id", organizationId)
    expect(outcomeOf(await as(service, member, method, addressOf(real), bodyOf(method)))).toBe("403 forbidden")
    expect(outcomeOf(await call(service, method, address, { body: bodyOf(method) }))).toBe("401 unauthorized")
    const key = await service.key({ organizationId })
    expect(outcomeOf(await call(service, method, address, { key, body: bodyOf(method) }))).toBe("401 unauthorized")
    expect(outcomeOf(await as(service, operator, method, address, bodyOf(method)))).toMatch(/^(200|404|422)/)
  })

  it.each(endpoints.filter(({ method }) => method !== "GET"))(
    "is refused to other sites, and with a stale code: $method $path",
    async ({ method, path }) => {
      const address = addressOf(path)
      const headers = { cookie: `tolem_session=${operator.token}`, origin: "https://elsewhere.example" }
      expect(outcomeOf(await call(service, method, address, { headers, body: {} }))).toBe("403 cross_site_request")
      expect(outcomeOf(await as(service, late, method, address, {}))).toBe("403 fresh_code_required")
    }
  )
})
