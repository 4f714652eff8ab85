/** What a server lets others reach, and what it says about it. */
import https from "node:https"
import { Option } from "effect"
import { describe, expect, it } from "vitest"
import { hostOf } from "../../src/cli/kit/Service.ts"
import { hasOpenssl, makeIdentity } from "../support/identities.ts"
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

describe.skipIf(!hasOpenssl)("a server with a certificate", () => {
  const get = (url: string, ca: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      https.get(url, { ca }, (answer) => resolve(answer.resume().statusCode)).on("error", reject)
    })

  it("speaks TLS, and names an address of that kind", async () => {
    const own = folder()
    const { certificateFile, keyFile, certificate } = makeIdentity(own, "localhost")
    const { ready, said } = await service(own, ["serve", "--tls-cert", certificateFile, "--tls-key", keyFile])
    expect(ready).toMatchObject({ baseUrl: `https://localhost:${ready.port}` })
    expect(await get(`https://127.0.0.1:${ready.port}/health/ready`, certificate)).toBe(200)
    expect(said.stderr).not.toContain(plain)
  })

  it("does not start with half of what it needs, nor with a key of another", async () => {
    const own = folder()
    const { certificateFile } = makeIdentity(own, "localhost")
    const { keyFile } = makeIdentity(own, "other")
    for (const [args, words] of [
      [["--tls-cert", certificateFile], "belong together"],
      [["--tls-cert", certificateFile, "--tls-key", keyFile], "not that of the certificate"]
    ] as const) {
      const { code, stderr } = await run(own, ["serve", "--port", "0", ...args])
      expect(code).toBe(1)
      expect(stderr).toContain(words)
      expect(stderr).not.toContain("PRIVATE")
    }
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
