import { CodeChannels } from "@tolem/core/login/CodeChannel"
import { ConfigProvider, Effect, Option, Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as LoginChannels from "../../src/cli/kit/LoginChannels.ts"
import { isSetUp, parseMail } from "../../src/cli/kit/Mail.ts"
import { folder, run } from "./support.ts"

const from = "Shop <shop@example.kz>"

describe("the address of a mail server", () => {
  it("says host, port, encryption and credentials", () => {
    const options = Result.getOrThrow(parseMail("smtps://shop%40example.kz:p%3Ass@mail.example.kz", from))
    expect(options).toMatchObject({ host: "mail.example.kz", port: 465, secure: true, plain: false, from })
    expect(options.credentials?.user).toBe("shop@example.kz")
    expect(Redacted.value(options.credentials!.password)).toBe("p:ss")
    const started = Result.getOrThrow(parseMail("smtp://mail.example.kz", from))
    expect(started).toMatchObject({ port: 587, secure: false, plain: false, credentials: null })
    expect(Result.getOrThrow(parseMail("smtp://[::1]:2525?plain=1", from))).toMatchObject({ host: "::1", plain: true })
  })

  it("is refused where it is none, or would send in the clear, without repeating its password", () => {
    for (const [url, sender] of [
      ["http://user:hush@mail.example.kz", from],
      ["nonsense hush", from],
      ["smtp://user:hush@mail.example.kz?plain=1", from],
      ["smtp://user:hush@mail.example.kz", ""],
      ["smtp://user:hush@mail.example.kz", "Shop\r\nBcc: <a@b.kz>"],
      ["smtp://user:%zzhush@mail.example.kz", from]
    ] as const) {
      const parsed = parseMail(url, sender)
      expect(Result.isFailure(parsed), url).toBe(true)
      expect(JSON.stringify(parsed)).not.toContain("hush")
    }
  })

  it("keeps a command from running where it is wrong", async () => {
    const command = ["org", "create", "--name", "Dastarkhan", "--owner-phone", "77001234567", "--json"]
    const { code, stderr } = await run(folder(), command, { TOLEM_SMTP_URL: "http://user:hush@x" })
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: "invalid_mail" })
    expect(stderr).not.toContain("hush")
  })
})

describe("codes by e-mail", () => {
  const named = (flag: string | null, env: Record<string, string>) =>
    Effect.gen(function* () {
      const given = flag === null ? Option.none<string>() : Option.some(flag)
      const channels = yield* LoginChannels.layer(given, [], yield* isSetUp(undefined))
      const found = yield* Effect.provide(Effect.serviceOption(CodeChannels), channels)
      return Option.getOrElse(found, () => []).map(({ name }) => name)
    }).pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
      Effect.catchTag("UsageError", ({ message }) => Effect.succeed(message)),
      Effect.runPromise
    )

  it("are among the channels where letters are sent, unless others are named", async () => {
    const mail = { TOLEM_SMTP_URL: "smtp://mail.example.kz", TOLEM_MAIL_FROM: from }
    const gateway = {
      TOLEM_SMS_GATEWAY: JSON.stringify({
        url: "https://gateway.example/v1",
        json: { to: "{phone}", text: "{text}" },
        text: "{code}"
      })
    }
    expect(await named(null, mail)).toEqual(["email"])
    expect(await named(null, { ...mail, ...gateway })).toEqual(["sms", "email"])
    expect(await named("sms", { ...mail, ...gateway })).toEqual(["sms"])
    expect(await named("email,console", mail)).toEqual(["email", "console"])
    expect(await named(null, {})).toEqual([])
    expect(await named("email", {})).toMatch(/"email" is none of console/)
    expect(await named("email", { TOLEM_SMTP_URL: "" })).toMatch(/"email" is none of console/)
  })
})
