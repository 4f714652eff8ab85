/** Commands that lead a person through something: logging a cashier in, and opening pages. */
import { spawn } from "node:child_process"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Ended, environment, madeOf, program } from "@tolem/testing-harness/Program"
import { describe, expect, it } from "vitest"
import { begin, folder, read, readWith, result, run, service } from "./support.ts"

const refusal = (text: string) => JSON.parse(text.trim().split("\n").at(-1) ?? "").error

/** Runs the program with these lines as its standard input. */
const typed = (cwd: string, args: ReadonlyArray<string>, lines: ReadonlyArray<string>) =>
  new Promise<Ended>((resolve) => {
    const child = spawn(process.execPath, [madeOf(program), ...args], { cwd, env: environment() })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
    child.once("close", (code) => resolve({ code, stdout, stderr }))
    child.stdin.end(lines.map((line) => `${line}\n`).join(""))
  })

const cashier = async (cwd: string) => {
  const sandbox = begin(cwd, ["provider-sandbox", "serve", "--port", "0", "--json"])
  const { port } = JSON.parse((await sandbox.says(/^\{.*\}\n/))[0])
  const { organization } = await result(cwd, "org", "create", "--name", "A", "--owner-phone", "77001234567")
  const org = ["--org", organization.id]
  const { id } = await result(cwd, "connection", "create", ...org, "--name", "Till", "--inactive")
  return { org, id, login: ["connection", "login", ...org, "--id", id, "--provider-url", `http://127.0.0.1:${port}`] }
}

describe("connection login", () => {
  it("asks for the phone and the code, and again if the code is wrong", async () => {
    const cwd = folder()
    const { org, id, login } = await cashier(cwd)
    expect(await result(cwd, "connection", "show", ...org, "--id", id)).toMatchObject({ status: "pending" })
    const { code, stdout, stderr } = await typed(cwd, login, ["+7 (701) 555-66-77", "000000", "111111"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ id, status: "active", phone: "7701*****77" })
    expect(stderr).toMatch(/Phone of the cashier Till.*Code that.*wrong.*Code that/s)
    expect(stdout + stderr).not.toContain("111111")
    const text = (await read(cwd, "connection", "show", ...org, "--id", id)).stdout
    expect(text).toMatch(/^status +active$/m)
  })

  it("takes the phone as a flag, and ends with what is missing or wrong", async () => {
    const cwd = folder()
    const { org, id, login } = await cashier(cwd)
    const ended = await typed(cwd, [...login, "--phone", "77015556677"], [])
    expect([ended.code, refusal(ended.stderr)]).toEqual([2, "usage"])
    const silent = await typed(cwd, login, [])
    expect([silent.code, refusal(silent.stderr)]).toEqual([2, "usage"])
    const unknown = await typed(cwd, ["connection", "login", ...org, "--id", "con_none"], [])
    expect([unknown.code, refusal(unknown.stderr)]).toEqual([1, "connection_not_found"])
    const phone = await typed(cwd, login, ["12345"])
    expect([phone.code, refusal(phone.stderr)]).toEqual([1, "invalid_phone"])
    const often = await typed(cwd, [...login, "--phone", "77015556677"], Array(20).fill("000000"))
    expect([often.code, refusal(often.stderr)]).toEqual([1, "too_many_attempts"])
    expect(await result(cwd, "connection", "show", ...org, "--id", id)).toMatchObject({ status: "pending" })
  })
})

describe("open", () => {
  it("prints and opens pages that there are", async () => {
    const cwd = folder()
    const server = await service(cwd)
    const at = ["--url", server.url]
    const { organization } = await result(cwd, "org", "create", "--name", "A", "--owner-phone", "77001234567")
    const of = ["--org", organization.id, "--mode", "sandbox"]
    const { id } = await result(cwd, "invoice", "create", ...of, "--amount", "5")
    const opened = join(cwd, "opened.txt")
    const browser = join(cwd, "browser.sh")
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`)
    chmodSync(browser, 0o755)
    const variables = { BROWSER: browser }

    const page = `${server.url}/pay/${id}`
    expect(await result(cwd, "open", id, ...at)).toEqual({ url: page, opened: false })
    expect((await readWith(variables, cwd, "open", id, ...at, "--print")).stdout).toBe(`${page}\n`)
    expect(existsSync(opened)).toBe(false)
    expect(await readWith(variables, cwd, "open", id, ...at)).toMatchObject({ code: 0, stdout: `${page}\n` })
    await expect.poll(() => existsSync(opened)).toBe(true)
    expect(readFileSync(opened, "utf8")).toBe(page)
    expect((await result(cwd, "open", "docs", ...at)).url).toBe(`${server.url}/docs`)
    const without = await readWith({ BROWSER: join(cwd, "none") }, cwd, "open", "docs", ...at)
    expect(without).toMatchObject({ code: 0, stdout: `${server.url}/docs\n` })
  })

  it("says what is not there", async () => {
    const cwd = folder()
    const server = await service(cwd)
    for (const [code, args] of [
      ["page_not_found", ["inv_none", "--url", server.url]],
      ["server_unreachable", ["--url", "http://127.0.0.1:9"]],
      ["usage", ["cabniet", "--url", server.url]],
      ["usage", ["--url", "shop"]]
    ] as const) {
      const ended = await run(cwd, ["open", ...args])
      expect([refusal(ended.stderr), ended.code]).toEqual([code, code === "usage" ? 2 : 1])
    }
  })
})
