/** The real program, as a person or a script runs it: in a process that is not the caller's. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"

/** The program of the reference server. */
export const program = join(import.meta.dirname, "../../../packages/http-server/src/main.ts")

/** What a run has made of a program's source, or the source itself. */
export const madeOf = (script: string): string => {
  const made: Readonly<Record<string, string>> = JSON.parse(process.env["TOLEM_TEST_PROGRAMS"] ?? "{}")
  return made[script] ?? script
}

/** Environment variables. */
export type Variables = Readonly<Record<string, string>>

/** The environment of a program: this process's, without what would decide for it, and `given`. */
export const environment = (given: Variables = {}): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => !/^(TOLEM_|NODE_OPTIONS|VITEST)/.test(name))
  return { ...Object.fromEntries(own), ...given }
}

/** How a program is run. */
export interface RunOptions {
  readonly cwd?: string
  readonly variables?: Variables
  /** A script that is run in place of the program. */
  readonly script?: string
  /** Runs the program's source itself, whatever was made of it: for what imports modules of the program. */
  readonly fromSource?: boolean
  /** Arguments for Node itself, before the script. */
  readonly node?: ReadonlyArray<string>
  /** A command that runs Node with what follows, such as a shell that sets limits. */
  readonly under?: readonly [command: string, ...args: ReadonlyArray<string>]
  /** Shows standard error in place of keeping it. */
  readonly showsErrors?: boolean
}

/** How a program ended and what it said. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A program that runs. */
export interface Running {
  readonly pid: number
  /** What it has said so far. */
  readonly said: { stdout: string; stderr: string }
  /** Waits until its standard output matches; fails if it ends before. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly signal: (name: NodeJS.Signals) => void
  readonly ended: Promise<Ended>
  readonly isAlive: () => boolean
  /** Asks it to end, and waits. May be called again. */
  readonly stop: () => Promise<Ended>
  /** Ends it without asking, and waits. May be called again. */
  readonly kill: () => Promise<Ended>
}

const running = new Set<ChildProcess>()

/** Ends every program of this process without asking or waiting. */
export const killAll = (): void => {
  for (const child of running) child.kill("SIGKILL")
}

/** Starts the program. The caller ends it. */
export const begin = (args: ReadonlyArray<string>, options: RunOptions = {}): Running => {
  const { cwd, variables, script = program, node = [], under = [], showsErrors = false, fromSource = false } = options
  const [command = "", ...rest] = [...under, process.execPath, ...node, fromSource ? script : madeOf(script), ...args]
  const child = spawn(command, rest, {
    cwd,
    env: environment(variables),
    stdio: ["ignore", "pipe", showsErrors ? "inherit" : "pipe"]
  })
  running.add(child)
  const said = { stdout: "", stderr: "" }
  const watchers = new Set<() => void>()
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      said[name] += chunk
      for (const watcher of watchers) watcher()
    })
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once("exit", () => running.delete(child))
    child.once("close", (code) => resolve({ code, ...said }))
  })
  const end = (name: NodeJS.Signals) => () => {
    child.kill(name)
    return ended
  }
  return {
    pid: child.pid ?? 0,
    said,
    says: (pattern) =>
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
      }),
    signal: (name) => void child.kill(name),
    ended,
    isAlive: () => running.has(child),
    stop: end("SIGTERM"),
    kill: end("SIGKILL")
  }
}

/** Waits until a service says where it listens. */
export const listening = async (service: Running, beganAt = performance.now()) => {
  const [, line = ""] = await service.says(/^(\{.*"port":.*\})\n/m)
  const ready = JSON.parse(line)
  const port: number = ready.port
  return { ...service, ready, port, url: `http://127.0.0.1:${port}`, readyMs: performance.now() - beganAt }
}

/** A service that listens. `ready` is what it said then; `url` names this machine by its number. */
export type Service = Awaited<ReturnType<typeof listening>>

/** Starts a service, as `serve` is one, on any free port. */
export const serve = (args: ReadonlyArray<string>, options?: RunOptions): Promise<Service> => {
  const beganAt = performance.now()
  return listening(begin([...args, "--port", "0", "--json"], options), beganAt)
}

/** Flags of a server on `database` that may be called as often as one likes, and logs errors at most. */
export const unlimited = (database: string): ReadonlyArray<string> => [
  "serve",
  "--host",
  "127.0.0.1",
  "--database",
  database,
  "--writes-per-minute",
  "1000000000",
  "--reads-per-minute",
  "1000000000",
  "--sandbox-invoices-per-day",
  "0",
  "--sandbox-days",
  "0",
  "--log-level",
  "error"
]

/** Runs a command to its end and answers the JSON that it prints; fails if the command does. */
export const result = async (args: ReadonlyArray<string>, options?: RunOptions) => {
  const { code, stdout, stderr } = await begin([...args, "--json"], options).ended
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}
