/** The real program, as a person or a script runs it: in a process that is not the test's, and a folder of its own. */
import { type ChildProcess, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

const program = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** How a program ended and what it said. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A program that runs. */
export interface Running {
  /** What it has said so far. */
  readonly said: { stdout: string; stderr: string }
  /** Waits until its standard output matches; fails where it ends before. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly signal: (name: NodeJS.Signals) => void
  readonly ended: Promise<Ended>
}

const killed = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once("close", () => resolve())
    child.kill("SIGKILL")
  })

/** A fresh folder, gone after the test. */
export const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "tolem-cli-"))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

type Variables = Readonly<Record<string, string>>

// Variables of the person who runs the tests must not decide them.
const environment = (given: Variables) => {
  const own = Object.entries(process.env).filter(([name]) => !/^(TOLEM_|NODE_OPTIONS|VITEST)/.test(name))
  return { ...Object.fromEntries(own), ...given }
}

/** Starts the program in `cwd`. It is killed where it still runs when the test has ended. */
export const begin = (cwd: string, args: ReadonlyArray<string>, variables: Variables = {}): Running => {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: environment(variables) })
  let running = true
  onTestFinished(() => (running ? killed(child) : undefined))
  const said = { stdout: "", stderr: "" }
  const watchers = new Set<() => void>()
  const hear = (name: "stdout" | "stderr") => (chunk: string) => {
    said[name] += chunk
    for (const watcher of watchers) watcher()
  }
  child.stdout.setEncoding("utf8").on("data", hear("stdout"))
  child.stderr.setEncoding("utf8").on("data", hear("stderr"))
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => {
      running = false
      resolve({ code, ...said })
    })
  })
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(said.stdout)
        if (found === null) return
        watchers.delete(look)
        resolve(found)
      }
      watchers.add(look)
      look()
      ended.then(({ code }) => reject(new Error(`ended with ${code}: ${said.stdout}${said.stderr}`)))
    })
  return { said, says, signal: (name) => void child.kill(name), ended }
}

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

const runInHost = async (cwd: string, args: ReadonlyArray<string>, variables: Variables): Promise<Ended> => {
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
    child.send({ cwd, args, env: environment(variables) })
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

/** Runs a command that succeeds, and answers the JSON that it prints. */
export const result = async (cwd: string, ...args: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run(cwd, args)
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Starts `serve` or `start` on any free port and answers where it listens. */
export const service = async (cwd: string, args: ReadonlyArray<string> = ["serve"], variables: Variables = {}) => {
  const server = begin(cwd, [...args, "--port", "0", "--json"], variables)
  const ready = JSON.parse((await server.says(/^\{.*\}\n/))[0])
  return { ...server, ready, url: `http://localhost:${ready.port}` }
}

/** Calls the service at `url`. */
export const call = async (url: string, apiKey: string, path: string, body?: object) => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body)
  })
  return { status: response.status, body: await response.json() }
}
