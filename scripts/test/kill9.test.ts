import { expect, it } from "vitest"
import { kill9 } from "../chaos/Kill9.ts"

it("loses nothing that it acknowledged when it is killed 4 times under load", async () => {
  const { violations, payments } = await kill9(4, () => {})
  expect(violations).toEqual([])
  expect(payments).toBeGreaterThan(0)
}, 600_000)
