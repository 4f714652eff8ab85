/** Login by code in an application that embeds the engine, and carries the codes itself. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, TolemError } from "@tolem/core"
import { describe, expect, it } from "vitest"

const started = async (send?: (message: { phone: string; code: string }) => Promise<void>) =>
  createEngine({
    database: sqlite({ filename: ":memory:" }),
    platform: nodePlatform(),
    ...(send !== undefined && { codeChannels: [{ name: "sms", send }] }),
    secretKeys: ["a key for tests only, of no use anywhere else"],
    agents: false
  })

const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "it succeeded",
    (error: unknown) => (error instanceof TolemError ? [error.code, error.retryAfterSeconds] : error)
  )

describe("an embedded engine", () => {
  it("logs people in with the codes that the application carries", async () => {
    const sent: Array<{ phone: string; code: string }> = []
    const engine = await started(async (message) => void sent.push(message))
    try {
      const { challengeId, channels } = await engine.logins.begin({ phone: "77001234567" }, "198.51.100.7")
      expect(channels).toEqual(["sms"])
      const [refused, wait] = (await refusalOf(engine.logins.begin({ phone: "77001234567" }))) as [string, number]
      expect(refused).toBe("rate_limited")
      expect(wait).toBeGreaterThanOrEqual(1)
      expect(wait).toBeLessThanOrEqual(60)
      const { token, account } = await engine.logins.finish({ challengeId, code: sent[0]?.code })
      expect(account.phone).toBe("7700*****67")
      expect((await engine.logins.session(token)).account).toEqual(account)
      await engine.logins.end(token)
      expect(await refusalOf(engine.logins.session(token))).toEqual(["unauthorized", null])
      expect(await engine.logins.endAll(account.id)).toEqual({ ended: 0 })
    } finally {
      await engine.close()
    }
  })

  it("says so where the application could not send, or carries nothing", async () => {
    const broken = await started(() => Promise.reject(new Error("no signal")))
    const silent = await started()
    try {
      expect(await refusalOf(broken.logins.begin({ phone: "77001234567" }))).toEqual(["no_channel", null])
      expect(await refusalOf(silent.logins.begin({ phone: "77001234567" }))).toEqual(["no_channel", null])
    } finally {
      await Promise.all([broken.close(), silent.close()])
    }
  })
})
