import { expect, it } from "vitest"
import { publishedManifest } from "../lib/Publication.ts"

it("publishes what was built in place of the sources, and nothing that only developers need", () => {
  const manifest = {
    name: "@tolem/http-server",
    version: "0.1.0",
    license: "MIT",
    exports: { ".": "./src/index.ts", "./*": "./src/*.ts" },
    bin: { tolem: "./src/main.ts" },
    dependencies: { effect: "4.1.0" },
    devDependencies: { "@types/qrcode": "1.5.6" }
  }
  expect(publishedManifest(manifest)).toEqual({
    name: "@tolem/http-server",
    version: "0.1.0",
    license: "MIT",
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      "./*": { types: "./*.d.ts", default: "./*.js" },
      "./package.json": "./package.json"
    },
    bin: { tolem: "main.js" },
    dependencies: { effect: "4.1.0" }
  })
})
