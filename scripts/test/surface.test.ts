import * as api from "@tolem/api"
import * as sandbox from "@tolem/provider-sandbox"
import { expect, it } from "vitest"

it("x", () => {
  expect(Object.keys(api)).toBeTruthy()
  expect(Object.keys(sandbox)).toBeTruthy()
})
