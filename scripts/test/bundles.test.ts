/** What a browser loads of parts that are made for it: as small as documents say, without the engine's library. */
import { resolve } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"
import { root } from "../lib/Workspace.ts"

const kilobyte = 1024

it.each([
  ["the webhook verifier", "packages/api/src/WebhookVerifier.ts", 1 * kilobyte],
  ["the client for promises", "packages/api/src/PromiseClient.ts", 3 * kilobyte]
])("%s is a small bundle of its own", async (_, input, most) => {
  const bundle = await rolldown({ input: resolve(root, input), platform: "browser" })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  const [chunk] = output
  expect(chunk.imports.concat(chunk.dynamicImports)).toEqual([])
  expect(Object.keys(chunk.modules).filter((module) => module.includes("node_modules"))).toEqual([])
  const size = gzipSync(chunk.code).byteLength
  expect(size).toBeGreaterThan(200)
  expect(size).toBeLessThan(most)
})
