/** What `tolem doctor` finds of the world around a server: certificates, addresses, mail, logins, the provider. */
import { join } from "node:path"
import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import * as FileChecks from "../../src/cli/doctor/FileChecks.ts"
import * as ServiceChecks from "../../src/cli/doctor/ServiceChecks.ts"
import * as Clocks from "../support/clock.ts"
import { hasOpenssl, makeIdentity } from "../support/identities.ts"
import { receive } from "../support/smtp.ts"
import { examine, migrated, sound } from "./examining.ts"
import { service } from "./support.ts"

describe.runIf(hasOpenssl)("TLS", () => {
  const shown = (cwd: string, name: string, key = name) => [
    ...["--tls-cert", join(cwd, `${name}.crt`), "--tls-key", join(cwd, `${key}.key`)]
  ]
  const here = { TOLEM_BASE_URL: "https://localhost" }

  it("is good where the key is that of a certificate for the address", async () => {
    const cwd = await migrated()
    makeIdentity(cwd, "one")
    expect((await examine(cwd, shown(cwd, "one"), here)).of("TLS")).toMatchObject({
      status: "ok",
      what: expect.stringMatching(/good for (29|30) days/)
    })
    expect((await examine(cwd, shown(cwd, "one"), sound)).of("TLS")?.what).toMatch(/does not name pay\.example\.kz/)
  })

  it("fails with another's key, past its time, without a file, and with one of the two only", async () => {
    const cwd = await migrated()
    makeIdentity(cwd, "one")
    makeIdentity(cwd, "two")
    const mixed = (await examine(cwd, shown(cwd, "one", "two"), here)).of("TLS")
    expect(mixed?.what).toMatch(/^(?!TLS).*not that of the certificate/)
    expect((await examine(cwd, shown(cwd, "three"), here)).of("TLS")?.what).toMatch(/cannot read .*three\.crt: ENOENT/)
    const half = await examine(cwd, ["--tls-cert", join(cwd, "one.crt")], here)
    expect(half.failed).toEqual(["TLS"])
    const { certificateFile, keyFile } = makeIdentity(cwd, "short", 3)
    const files = { certificateFile: Option.some(certificateFile), keyFile: Option.some(keyFile) }
    const at = (days: number) =>
      Effect.runPromise(
        Effect.provide(FileChecks.tls(files, undefined), Clocks.layer({ now: Date.now() + days * 86_400_000 }))
      )
    expect(await at(1)).toMatchObject({ status: "warning", what: expect.stringMatching(/more days$/) })
    expect(await at(4)).toMatchObject({ status: "failed", what: expect.stringMatching(/past its time/) })
    expect(await at(-4)).toMatchObject({ status: "failed", what: expect.stringMatching(/not valid yet/) })
  })
})

describe("addresses", () => {
  it("of the service fail if strangers could read on the way, and are warned about if there are none", async () => {
    const cwd = await migrated()
    const usual = async (...args: ReadonlyArray<string>) => (await examine(cwd, args)).of("base URL")
    expect(await usual()).toMatchObject({ status: "warning", what: "customers are sent to http://localhost:3000" })
    expect((await usual("--port", "3111"))?.what).toBe("customers are sent to http://localhost:3111")
    expect(ServiceChecks.usualBase(443, true)).toBe("https://localhost:443")
    expect(ServiceChecks.usualBase(0, false)).toBe("http://localhost with the port that the system chooses")
    expect((await examine(cwd, ["--base-url", "http://localhost:3000"])).of("base URL")?.status).toBe("warning")
    expect((await examine(cwd, ["--base-url", "http://pay.example.kz"])).failed).toEqual(["base URL"])
    expect((await examine(cwd, ["--base-url", "pay"])).failed).toEqual(["base URL"])
  })

  it("of webhooks are those that the base address leaves open", async () => {
    const told = async (listed: ReadonlyArray<string>, base: string | null | undefined) =>
      (await Effect.runPromise(ServiceChecks.networks(listed, base))).what
    const sandbox =
      "and those of the sandbox to this machine and private networks too: the base address is of this machine"
    const own = `webhooks of live mode go to public addresses only, ${sandbox}`
    expect(await told([], undefined)).toBe(own)
    expect(await told([], "http://localhost:3000")).toBe(own)
    expect(await told([], "https://pay.example.kz")).toBe("webhooks go to public addresses only")
    expect(await told([], null)).toBe("webhooks of live mode go to public addresses only")
    expect(await told(["10.1.0.0/16"], "https://pay.example.kz")).toBe("webhooks may go to 10.1.0.0/16")
    expect(await told(["10.1.0.0/16"], undefined)).toBe(`webhooks may go to 10.1.0.0/16, ${sandbox}`)
    expect((await examine(await migrated())).of("webhook networks")?.what).toBe(own)
  })

  it("of webhooks fail if they open all networks or are none, and are warned about if they lead nowhere", async () => {
    const cwd = await migrated()
    const networks = (text: string) => examine(cwd, ["--webhook-private-networks", text], sound)
    expect((await networks("10.1.0.0/16,localhost")).of("webhook networks")?.status).toBe("ok")
    expect((await networks("10.1.0.0/16,0.0.0.0/0")).failed).toEqual(["webhook networks"])
    expect((await networks("10.1.0.0/99")).failed).toEqual(["webhook networks"])
    expect((await networks("nowhere.invalid")).of("webhook networks")).toMatchObject({
      status: "warning",
      what: "nowhere.invalid cannot be resolved here"
    })
  })
})

describe("what a server reaches", () => {
  it("takes letters, or the check of mail fails without showing the password", async () => {
    const cwd = await migrated()
    const server = await receive()
    const mail = {
      ...sound,
      TOLEM_SMTP_URL: `smtp://127.0.0.1:${server.port}?plain=1`,
      TOLEM_MAIL_FROM: "shop@example.kz"
    }
    expect((await examine(cwd, [], mail)).of("mail")?.status).toBe("ok")
    expect(server.letters).toEqual([])
    await server.stop()
    expect((await examine(cwd, [], mail)).of("mail")?.what).toMatch(/does not take letters: no connection can be made/)
    const wrong = await examine(cwd, [], { ...mail, TOLEM_SMTP_URL: "http://user:hush@x" })
    expect(wrong.failed).toEqual(["mail"])
    expect(wrong.stdout + wrong.stderr).not.toContain("hush")
  })

  it("carries login codes by channels that there are", async () => {
    const cwd = await migrated()
    expect((await examine(cwd, [], sound)).of("logins")?.status).toBe("warning")
    expect((await examine(cwd, ["--login-channel", "console"], sound)).of("logins")?.status).toBe("warning")
    expect((await examine(cwd, ["--login-channel", "pigeon"], sound)).failed).toEqual(["logins"])
  })

  it("is a provider that speaks the protocol and knows the secret", async () => {
    const cwd = await migrated()
    const secret = "provider-secret-of-thirty-two-signs-7f3a"
    const bank = await service(cwd, ["provider-sandbox", "serve"], { TOLEM_PROVIDER_SANDBOX_SECRET: secret })
    const ask = (given: string) =>
      examine(cwd, ["--provider-url", bank.url], { ...sound, TOLEM_PROVIDER_SECRET: given })
    expect((await ask(secret)).of("provider")?.status).toBe("ok")
    const wrong = await ask("another-secret-of-thirty-two-signs-0b1c")
    expect(wrong.of("provider")).toMatchObject({ status: "failed", what: expect.stringContaining("secret_rejected") })
    expect(wrong.stdout + wrong.stderr).not.toContain("another-secret")
    await bank.kill()
    expect((await ask(secret)).failed).toEqual(["provider"])
    expect((await ask("short")).failed).toEqual(["provider"])
  })
})
