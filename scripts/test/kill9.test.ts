import { expect, inject, it } from "vitest"
import { kill9 } from "../chaos/Kill9.ts"

/** `npm run test:slow` has more, and `npm run chaos -- kill9` as many as one likes. */
const kills = inject("isWhole") ? 6 : 1

it(`loses nothing that it acknowledged when it is killed ${kills} times under load`, async () => {
  const { violations, payments } = await kill9(kills, () => {})
  expect(violations).toEqual([])
  expect(payments).toBeGreaterThan(0)
}, 600_000)
