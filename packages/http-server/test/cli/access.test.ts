/** Who has the console of the platform: given and taken at the command line, which a server that runs obeys at once. */
import { describe, expect, it } from "vitest"
import { englishPlatform } from "../../../cabinet/src/texts/EnglishPlatform.ts"
import { kazakhPlatform } from "../../../cabinet/src/texts/KazakhPlatform.ts"
import { russianPlatform } from "../../../cabinet/src/texts/RussianPlatform.ts"
import { eventually } from "../support/eventually.ts"
import { folder, read, result, run, service } from "./support.ts"

const refusalOf = async (cwd: string, args: ReadonlyArray<string>) => {
  const { code, stderr } = await run(cwd, args)
  return `${code} ${JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").error}`
}

const phone = "77001234567"
const access = (verb: string, ...more: ReadonlyArray<string>) => ["operator", "access", verb, ...more]

/** The code that the console channel writes into the log. */
const codeIn = (log: string): string | undefined => /"code":"(\d{6})"/.exec(log)?.[1]

describe("tolem operator access", () => {
  it("gives the console to a person who has logged in, and takes it from their open session", async () => {
    const cwd = folder()
    const { url, said } = await service(cwd, ["serve", "--login-channel", "console"])
    const panel = (path: string, given: RequestInit = {}) => fetch(`${url}/panel${path}`, given)
    const post = (path: string, body: object) =>
      panel(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    expect(await refusalOf(cwd, access("grant", "--phone", phone))).toBe("1 account_not_found")
    const { challengeId } = await (await post("/login/code", { phone })).json()
    const code = await eventually(() => codeIn(said.stderr) ?? Promise.reject(new Error("not logged yet")))
    const opened = await post("/login/verify", { challengeId, code })
    const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";")
    const asked = async () => (await panel("/operator/health", { headers: { cookie } })).status
    expect(await asked()).toBe(403)

    const given = await result(cwd, ...access("grant", "--phone", phone))
    expect(given).toMatchObject({ phone, isOperator: true, changed: true })
    expect(await asked()).toBe(200)
    // What a whole server has at work, the console says in words.
    const { agents } = await (await panel("/operator/health", { headers: { cookie } })).json()
    expect(agents.length).toBeGreaterThan(10)
    for (const { health } of [englishPlatform, kazakhPlatform, russianPlatform]) {
      const unnamed = agents.filter(({ agent }: { agent: string }) => health.agentNames[agent] === undefined)
      expect(unnamed).toEqual([])
    }
    expect(await result(cwd, ...access("grant", "--phone", phone))).toEqual({ ...given, changed: false })
    const [listed, ...others] = await result(cwd, ...access("list"))
    expect([listed, others]).toMatchObject([{ accountId: given.accountId, phone, grantedBy: expect.any(String) }, []])
    expect((await read(cwd, ...access("list"))).stdout).toContain(given.accountId)

    expect(await result(cwd, ...access("end", "--phone", phone))).toEqual({ ...given, isOperator: false })
    expect(await asked()).toBe(403)
    const again = await read(cwd, ...access("end", "--phone", phone))
    expect(again.stdout).toContain(`${phone} has the console of the platform no more, as before.`)
    expect(await result(cwd, ...access("list"))).toEqual([])

    const records: ReadonlyArray<{ action: string; subject: string; actor: { kind: string } }> = await result(
      cwd,
      "operator",
      "audit"
    )
    const deeds = records.filter(({ action }) => action.startsWith("operator."))
    expect(deeds.map(({ action, subject, actor }) => [action, subject, actor.kind])).toEqual([
      ["operator.ended", given.accountId, "operator"],
      ["operator.granted", given.accountId, "operator"]
    ])
  })

  it("refuses what is no phone, a phone without an account, and a command without one", async () => {
    const cwd = folder()
    await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", phone)
    for (const verb of ["grant", "end"]) {
      expect(await refusalOf(cwd, access(verb, "--phone", "8700"))).toBe("1 invalid_phone")
      expect(await refusalOf(cwd, access(verb, "--phone", "77009998877"))).toBe("1 account_not_found")
      expect((await run(cwd, access(verb))).code).toBe(2)
    }
    expect(await result(cwd, ...access("list"))).toEqual([])
    const records: ReadonlyArray<{ action: string }> = await result(cwd, "operator", "audit")
    expect(records.filter(({ action }) => action.startsWith("operator."))).toEqual([])
  })
})
