/** Every call about an organization, with every role, with a stranger, and without a session. */
import { PanelApi } from "@tolem/api/PanelApi"
import { NeededPermission } from "@tolem/api/PanelSecurity"
import { Role } from "@tolem/core/merchant/Merchant"
import { permissions, reachOf } from "@tolem/core/merchant/Permission"
import { Mode } from "@tolem/core/value/Mode"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { as, join, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Key, type Service, start } from "./support/service.ts"

const endpoints: Array<{ readonly method: string; readonly path: string; readonly permission: string | undefined }> = []
HttpApi.reflect(PanelApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path, annotations } }) => {
    if (!path.startsWith("/panel/orgs/:organizationId")) return
    endpoints.push({ method, path, permission: Context.getOrUndefined(annotations, NeededPermission) })
  }
})

let service: Service
const people = new Map<Role, Person>()
let stranger: Person
/** An organization with a member of each role, which nothing changes. */
let still: string
let key: Key

beforeAll(async () => {
  service = await start()
  for (const [index, role] of Role.literals.entries()) {
    people.set(role, await logIn(service, String(77_080_000_001 + index)))
  }
  stranger = await logIn(service, "77080000009")
  await organizationOf(service, stranger)
  still = await staffed()
  key = await service.key({ organizationId: still })
})
afterAll(() => service.stop())

const owner = () => people.get("owner")!

/** A fresh organization with a member of each role. */
const staffed = async () => {
  const id = await organizationOf(service, owner())
  for (const [role, person] of people) if (role !== "owner") await join(service, id, person, role)
  return id
}

const addressOf = (path: string, organizationId: string, mode?: string) => {
  const address = path.replace(":organizationId", organizationId).replaceAll(/:\w+/g, "none")
  return mode === undefined ? address : `${address}?mode=${mode}`
}
/** As `as`; of a stream the beginning only. */
const asked = async (person: Person, method: string, path: string, body?: unknown) => {
  if (!/\/changes(\?|$)/.test(path)) return outcomeOf(await as(service, person, method, path, body))
  const headers = { authorization: `Bearer ${person.token}` }
  const answer = await fetch(`${service.url}${path}`, { headers })
  if (answer.status !== 200) return `${answer.status} ${JSON.parse(await answer.text()).error}`
  await answer.body?.cancel()
  return "200"
}
const bodyOf = (method: string) => (method === "GET" ? undefined : {})

describe("a call about an organization", () => {
  it("has its row in the table of permissions", () => {
    expect(endpoints.length).toBeGreaterThan(0)
    for (const { method, path, permission } of endpoints) {
      expect(permission === undefined ? "no permission" : Object.keys(permissions), `${method} ${path}`).toContain(
        permission
      )
    }
    const used = endpoints.map(({ permission }) => permission)
    expect(Object.keys(permissions).filter((permission) => !used.includes(permission as never))).toEqual([])
  })

  it.each(endpoints)("is made by the roles that the table lets, and by no others: $method $path", async (endpoint) => {
    const { method, path, permission } = endpoint
    let id = method === "GET" ? still : await staffed()
    for (const mode of Mode.literals) {
      for (const [role, person] of people) {
        const answer = await asked(person, method, addressOf(path, id, mode), bodyOf(method))
        const isLet = reachOf(role, permission as never, mode) !== null
        const wanted = isLet ? /^(2|400|404|409|422|403 (fresh|partner)|503 no_channel)/ : /^403 insufficient_role$/
        expect(answer, `${role} in ${mode}`).toMatch(wanted)
        // Some calls change it so that no other could be made.
        if (isLet && method !== "GET") id = await staffed()
      }
    }
  })

  it.each(endpoints)("is not made by strangers: $method $path", async ({ method, path }) => {
    for (const organizationId of [still, "org_none", "%00"]) {
      const answer = await asked(stranger, method, addressOf(path, organizationId), bodyOf(method))
      expect(answer).toBe("403 forbidden")
    }
    const address = addressOf(path, still)
    expect(outcomeOf(await call(service, method, address, { body: bodyOf(method) }))).toBe("401 unauthorized")
    expect(outcomeOf(await call(service, method, address, { key, body: bodyOf(method) }))).toBe("401 unauthorized")
  })

  it("names a mode that there is, once", async () => {
    const at = async (query: string) => outcomeOf(await as(service, owner(), "GET", `/panel/orgs/${still}${query}`))
    expect(await at("?mode=test")).toBe("422 invalid_mode")
    expect(await at("?mode=live&mode=live")).toBe("422 invalid_mode")
    expect(await at("?mode=live")).toBe("200")
  })
})

describe("a person's organizations", () => {
  it("are listed with their roles, and each is read with what they may do there", async () => {
    const cashier = people.get("cashier")!
    const { body: list } = await as(service, cashier, "GET", "/panel/orgs")
    expect(list["organizations"]?.find((one) => one["id"] === still)).toMatchObject({ name: "Shop", role: "cashier" })
    const { body } = await as(service, cashier, "GET", `/panel/orgs/${still}`)
    expect(body).toMatchObject({
      id: still,
      mode: "sandbox",
      role: "cashier",
      tariff: { code: "scale", monthlyLimit: 50_000, monthlyUsed: 0, dailyUsed: 0 },
      permissions: { "invoices:read": "own", "keys:read": null, "organization:read": "all" }
    })
    expect((await as(service, stranger, "GET", "/panel/orgs")).text).not.toContain(still)
    expect(outcomeOf(await call(service, "GET", "/panel/orgs"))).toBe("401 unauthorized")
  })
})
