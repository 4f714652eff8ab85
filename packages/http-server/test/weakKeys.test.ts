/** An application that embeds the engine is told of keys that can be guessed, as the command line is. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"
import { expect, it } from "vitest"

const good = "rg3lTq0vQm1nZbW8yKx4Hc7dJs2fPa9u"

const started = (...secretKeys: [string, ...Array<string>]) =>
  createEngine({
    database: sqlite({ filename: ":memory:" }),
    platform: nodePlatform(),
    secretKeys,
    agents: false
  })

it.each([
  [["kyzyl-tulpan"], "at least 32 characters"],
  [["password".repeat(5)], "can be guessed"],
  [[good, "an-old-one"], "at least 32 characters"]
] as ReadonlyArray<[[string, ...Array<string>], string]>)("the keys %j are refused", async (keys, why) => {
  const message = await started(...keys).then(
    () => "it started",
    (error: unknown) => String(error)
  )
  expect(message).toContain(why)
  for (const key of keys) expect(message).not.toContain(key)
})

it("a good key is taken", async () => {
  const engine = await started(good)
  await engine.close()
})
