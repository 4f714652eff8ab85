import { describe, expect, it } from "vitest"
import type { Tenant } from "../../src/value/Tenant.ts"
import * as Shares from "../../src/work/Shares.ts"

const tenant = (organizationId: string): Tenant => ({ organizationId, mode: "live" })
const [hog, second, victim] = [tenant("hog"), tenant("second"), tenant("victim")]
const enter = (shares: Shares.Shares, who: Tenant, count: number) => {
  for (let n = 0; n < count; n++) shares.enter(who)
}

describe("shares", () => {
  it("leave as many places as one takes, and always one for who comes", () => {
    const shares = Shares.make(64)
    let claims = 0
    for (let among = shares.choose([hog], 16); among !== undefined; among = shares.choose([hog], 16)) {
      enter(shares, hog, among.each)
      claims++
      expect(claims).toBeLessThan(64)
    }
    expect(shares.running()).toBeGreaterThanOrEqual(30)
    expect(shares.running()).toBeLessThanOrEqual(32)
    for (let n = 0; n < 30; n++) {
      const among = shares.choose([hog, tenant(`comer ${n}`)], 16)
      expect(among?.tenants).toEqual([tenant(`comer ${n}`)])
      enter(shares, tenant(`comer ${n}`), 1)
    }
  })

  it("serve first who was served longest ago, where there is a place for some only", () => {
    const shares = Shares.make(64)
    const order = []
    for (let n = 0; n < 6; n++) {
      const among = shares.choose([hog, second, victim], 1)
      order.push(among?.tenants[0]?.organizationId)
    }
    expect(order).toEqual(["hog", "second", "victim", "hog", "second", "victim"])
  })

  it("give each as many as the others, and name those who may have no more", () => {
    const shares = Shares.make(64)
    expect(shares.choose([hog, second, victim], 30)).toMatchObject({ tenants: [hog, second, victim], each: 10 })
    enter(shares, hog, 40)
    expect(shares.isTight()).toBe(true)
    const among = shares.choose([hog, victim], 30)
    expect(among?.tenants).toEqual([victim])
    expect([...(among?.busy ?? [])]).toEqual(["live hog"])
    for (let n = 0; n < 40; n++) shares.leave(hog)
    expect([shares.isTight(), shares.running()]).toEqual([false, 0])
  })

  it("have none left when all are taken", () => {
    const shares = Shares.make(2)
    enter(shares, hog, 1)
    enter(shares, second, 1)
    expect(shares.choose([victim], 10)).toBeUndefined()
  })
})
