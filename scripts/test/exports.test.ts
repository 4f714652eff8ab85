import { expect, it } from "vitest"
import { exportsOf, withExports } from "../lib/Exports.ts"

const workspace = {
  folder: "packages/shop",
  manifest: {
    name: "@tolem/shop",
    version: "0.1.0",
    exports: { ".": "./src/index.ts", "./old/Gone": "./src/old/Gone.ts" }
  }
}
const file = (path: string, specifier: string) => ({ path, text: `import type { A } from "${specifier}"` })

it("exports the index, and what other packages import", () =>
  expect(
    exportsOf(workspace, [
      file("packages/api/src/Api.ts", "@tolem/shop/value/Money"),
      file("bench/src/main.ts", "@tolem/shop/error/StorageError"),
      file("packages/shop/test/Ids.test.ts", "@tolem/shop/value/Ids"),
      file("packages/api/src/Client.ts", "@tolem/shop-of-others/value/Mode"),
      file("examples/effect/src/main.ts", "@tolem/shop")
    ])
  ).toEqual({
    ".": "./src/index.ts",
    "./error/StorageError": "./src/error/StorageError.ts",
    "./value/Money": "./src/value/Money.ts"
  }))

it("keeps everything else of a package.json", () =>
  expect(JSON.parse(withExports(workspace, []))).toEqual({
    name: "@tolem/shop",
    version: "0.1.0",
    exports: { ".": "./src/index.ts" }
  }))
