import { Result } from "effect"
import { expect, it } from "vitest"
import { visibleTo } from "../../src/error/Visibility.ts"
import { scopeOf, type Viewer } from "../../src/value/Tenant.ts"

const shop = (mode: Viewer["mode"], connectionId: string | null = null, organizationId = "org_shop"): Viewer => ({
  organizationId,
  mode,
  connectionId
})

const seen = (viewer: Viewer, thing: Viewer | undefined) =>
  Result.match(
    visibleTo(viewer, thing, () => ({ code: "not_found" })),
    { onSuccess: () => "seen", onFailure: ({ code }) => code }
  )

it.each([
  ["nothing", shop("live"), undefined, "not_found"],
  ["its own", shop("live"), shop("live"), "seen"],
  ["that of another organization", shop("live"), shop("live", null, "org_other"), "forbidden"],
  ["that, in the other mode as well", shop("live"), shop("sandbox", null, "org_other"), "forbidden"],
  ["the other mode", shop("live"), shop("sandbox"), "not_found"],
  ["any cashier's", shop("live"), shop("live", "con_1"), "seen"],
  ["its cashier's", shop("live", "con_1"), shop("live", "con_1"), "seen"],
  ["another cashier's", shop("live", "con_1"), shop("live", "con_2"), "not_found"],
  ["no cashier's", shop("live", "con_1"), shop("live"), "not_found"],
  ["its sandbox, which has no cashiers", shop("sandbox", "con_1"), shop("sandbox"), "seen"]
] as const)("a viewer who asks for %s", (_, viewer, thing, expected) => {
  expect(seen(viewer, thing)).toBe(expected)
})

it("lists of a sandbox have no cashier", () => {
  expect(scopeOf(shop("live", "con_1"))).toEqual(shop("live", "con_1"))
  expect(scopeOf(shop("sandbox", "con_1"))).toEqual(shop("sandbox"))
})
