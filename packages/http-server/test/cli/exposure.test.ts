/** What a server lets others reach, and what it says about it. */
import { Option } from "effect"
import { describe, expect, it } from "vitest"
import { hostOf } from "../../src/cli/kit/Service.ts"
import { folder, run, service } from "./support.ts"

const addressFor = (baseUrl?: string, host?: string) =>
  hostOf({ host: Option.fromUndefinedOr(host), baseUrl: Option.fromUndefinedOr(baseUrl) })

const plain = "travel in clear text"

describe("the address that a server listens at", () => {
  it("is of this machine alone while its base address is", () => {
    const local = [undefined, "http://localhost:8080", "http://127.0.0.1", "http://[::1]:3000", "https://pay.localhost"]
    for (const url of local) expect(addressFor(url), url).toBe("127.0.0.1")
    const others = ["https://pay.example.kz", "http://10.0.0.5:3000", "http://localhost.example.kz"]
    for (const url of others) expect(addressFor(url), url).toBeUndefined()
  })

  it("is what it is told, in any case", () => {
    expect(addressFor(undefined, "0.0.0.0")).toBe("0.0.0.0")
    expect(addressFor("https://pay.example.kz", "10.0.0.5")).toBe("10.0.0.5")
  })

  it("cannot be reached from elsewhere, though the machine has other addresses", async () => {
    const { url, ready, said } = await service(folder())
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.2:${ready.port}/health/live`)).rejects.toThrow()
    expect(said.stderr).not.toContain(plain)
  })
})

describe("a server whose base address is plain http, and not of this machine", () => {
  it("says at its start that everything can be read on the way", async () => {
    const variables = { TOLEM_BASE_URL: "http://pay.example.kz" }
    const { said } = await service(folder(), ["serve", "--host", "127.0.0.1"], variables)
    expect(said.stderr).toContain(plain)
  })
})

describe("in production", () => {
  it.each([["demo"], ["provider-sandbox", "serve", "--port", "0"]])("%s does not run", async (...args) => {
    const { code, stderr, stdout } = await run(folder(), args, { NODE_ENV: "production" })
    expect([code, stdout]).toEqual([1, ""])
    expect(JSON.parse(stderr)).toMatchObject({
      error: "development_only",
      message: expect.stringContaining("NODE_ENV")
    })
  })
})
