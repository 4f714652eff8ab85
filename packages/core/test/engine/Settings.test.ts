import { describe, expect, expectTypeOf, it } from "vitest"
import { defaults, type Settings, type SettingsPart, withSettings } from "../../src/engine/Settings.ts"

describe("Settings", () => {
  it("keeps what a group does not name", () => {
    const settings = withSettings(defaults, { webhook: { timeoutMs: 5000 }, live: { calls: { callsAtOnce: 7 } } })
    expect(settings).toStrictEqual({
      ...defaults,
      webhook: { ...defaults.webhook, timeoutMs: 5000 },
      live: { ...defaults.live, calls: { ...defaults.live.calls, callsAtOnce: 7 } }
    })
  })

  it("takes lists whole, and what may be null", () => {
    const seller = { organizationId: "org_1", mode: "live" } as const
    const settings = withSettings(defaults, { webhook: { retryWaitsMs: [1] }, tariffs: { seller } })
    expect(settings.webhook.retryWaitsMs).toStrictEqual([1])
    expect(settings.tariffs).toStrictEqual({ ...defaults.tariffs, seller })
    expect(withSettings(settings, { tariffs: { seller: null } }).tariffs.seller).toBeNull()
  })

  it("changes neither of the two", () => {
    const before = structuredClone(defaults)
    const part = { batch: { writers: 3 } }
    withSettings(defaults, part)
    expect(defaults).toStrictEqual(before)
    expect(part).toStrictEqual({ batch: { writers: 3 } })
  })

  it("asks a getter anew each time, also through a second change", () => {
    let port = 0
    const part: SettingsPart = {
      get baseUrl() {
        return `http://localhost:${port}`
      }
    }
    const settings = withSettings(withSettings(defaults, part), { maxBulk: 5 })
    port = 3000
    expect(settings.baseUrl).toBe("http://localhost:3000")
  })

  it("compiles with the members that there are, and a whole seller", () => {
    expectTypeOf<keyof NonNullable<SettingsPart["webhook"]>>().toEqualTypeOf<keyof Settings["webhook"]>()
    expectTypeOf<{ organizationId: string }>().not.toExtend<NonNullable<SettingsPart["tariffs"]>["seller"]>()
    expectTypeOf<{ timeoutMs: string }>().not.toExtend<SettingsPart["webhook"]>()
  })
})
