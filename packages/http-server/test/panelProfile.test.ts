/** What members see and change of what customers see. */
import { Engine } from "@tolem/core/engine/Engine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { as, join, logIn } from "./support/people.ts"
import { PNG } from "./support/png.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

describe("the profile of an organization", () => {
  it("is read by members, and changed by those who may, with a logo that is drawn anew", async () => {
    const owner = await logIn(service, "77010000051")
    const { organizations } = await service.run(Engine)
    const { organization } = await service.run(organizations.create({ name: "Shop", ownerPhone: "77010000051" }))
    const accountant = await logIn(service, "77010000052")
    await join(service, organization.id, accountant, "accountant")
    const path = `/panel/orgs/${organization.id}/profile`
    const logo = Buffer.from(PNG).toString("base64")
    const wanted = { name: "Ақбота", colour: "#D0021B", contact: { whatsapp: "77001234567" }, logo, version: 0 }
    const changed = await as(service, owner, "PATCH", path, wanted)
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ name: "Ақбота", colour: "#d0021b", version: 1 })
    expect((await as(service, accountant, "GET", path)).body).toEqual(changed.body)
    const picture = await fetch(`${service.url}${new URL(String(changed.body["logoUrl"])).pathname}`)
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"])
    expect((await as(service, accountant, "PATCH", path, { name: "x" })).body["error"]).toBe("insufficient_role")
    expect((await as(service, owner, "PATCH", path, { ...wanted, colour: null })).body["error"]).toBe(
      "organization_changed"
    )
    const sites = { allowedOrigins: ["https://shop.kz/", "http://localhost:8080"] }
    const named = await as(service, owner, "PATCH", path, sites)
    expect(named.body).toMatchObject({ allowedOrigins: ["https://shop.kz", "http://localhost:8080"], version: 2 })
    for (const allowedOrigins of ["https://shop.kz", ["*"], ["https://shop.kz/buy"], ["https://*.shop.kz"], [1]]) {
      const refused = await as(service, owner, "PATCH", path, { allowedOrigins })
      expect(refused.body["error"]).toBe("invalid_allowed_origins")
    }
    const none = await as(service, owner, "PATCH", path, { logo: null, contact: null, allowedOrigins: null })
    expect(none.body).toMatchObject({
      logoUrl: null,
      contact: { whatsapp: null },
      colour: "#d0021b",
      allowedOrigins: [],
      version: 3
    })
  })
})
