/** The real program, as a person or a script runs it: in a process that is not the test's, and a folder of its own. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Program from "@tolem/testing-harness/Program"
import { type Ended, environment, type Running, type Variables } from "@tolem/testing-harness/Program"
import { onTestFinished } from "vitest"

/** A fresh folder, gone after the test. */
export const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "tolem-cli-"))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** The same program, killed if it still runs when the test has ended. */
export const owned = <A extends Running>(child: A): A => {
  onTestFinished(async () => void (await child.kill()))
  return child
}

/** Starts the program in `cwd`. It is killed if it still runs when the test has ended. */
export const begin = (
  cwd: string,
  args: ReadonlyArray<string>,
  variables: Variables = {},
  script = Program.program
): Running => owned(Program.begin(args, { cwd, variables, script, fromSource: isAltered(cwd, args, variables) }))

/** Whether a preload or a file of the operator's has a say in what the program is: they import modules of it. */
const isAltered = (cwd: string, args: ReadonlyArray<string>, variables: Variables): boolean =>
  /--import/.test(variables["NODE_OPTIONS"] ?? "") ||
  args.includes("--config") ||
  readdirSync(cwd).some((name) => name.startsWith("tolem.config."))

const hostProgram = fileURLToPath(new URL("programs/host.ts", import.meta.url))
const host = { process: undefined as ChildProcess | undefined, isBusy: false }

/** The process that runs commands one after another. It ends with the process of the tests. */
const hostProcess = (): ChildProcess => {
  const child = host.process ?? fork(hostProgram, { env: environment({}), execArgv: [] })
  if (host.process === undefined) {
    child.once("exit", () => (host.process = undefined))
    child.unref()
    child.channel?.unref()
  }
  host.process = child
  return child
}

const runInHost = async (
  cwd: string,
  args: ReadonlyArray<string>,
  variables: Variables,
  terminal = false
): Promise<Ended> => {
  const child = hostProcess()
  host.isBusy = true
  child.channel?.ref()
  const cancelled = new AbortController()
  const { signal } = cancelled
  try {
    const ended = once(child, "exit", { signal }).then(([code]) => {
      throw new Error(`the host of commands ended with ${code} at ${args.join(" ")}`)
    })
    const answered = once(child, "message", { signal })
    child.send({ cwd, args, env: environment(variables), terminal })
    return (await Promise.race([answered, ended]))[0]
  } finally {
    cancelled.abort()
    child.channel?.unref()
    host.isBusy = false
  }
}

/**
 * Runs the program to its end. One after the other, commands take turns in a process that is kept; those that run at
 * the same time as another have processes of their own, as services have.
 */
export const run = (cwd: string, args: ReadonlyArray<string>, variables: Variables = {}): Promise<Ended> =>
  host.isBusy || "NODE_OPTIONS" in variables ? begin(cwd, args, variables).ended : runInHost(cwd, args, variables)

/** Runs the program to its end as on a terminal, where results are for people. The clock is that of Almaty. */
export const read = (cwd: string, ...args: ReadonlyArray<string>): Promise<Ended> => readWith({}, cwd, ...args)

/** The same with these variables. */
export const readWith = (variables: Variables, cwd: string, ...args: ReadonlyArray<string>): Promise<Ended> =>
  runInHost(cwd, args, { TZ: "Asia/Almaty", ...variables }, true)

/** Runs a command that succeeds, and answers the JSON that it prints. */
export const result = async (cwd: string, ...args: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run(cwd, args)
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Starts `serve` or `start` on any free port and answers where it listens; `script` is run in place of the program. */
export const service = (
  cwd: string,
  args: ReadonlyArray<string> = ["serve"],
  variables: Variables = {},
  script?: string
) => Program.listening(begin(cwd, [...args, "--port", "0", "--json"], variables, script))
