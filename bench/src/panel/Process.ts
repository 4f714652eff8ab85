/** What a process of this machine has used, as Linux tells it. */
import { existsSync, readFileSync } from "node:fs"

/** Whether this machine tells it. */
export const isTold: boolean = existsSync("/proc/self/stat")

/** Ticks a second of `/proc`: `USER_HZ`, which is 100 on every platform of Linux that Node runs on. */
const ticksPerSecond = 100

/** Milliseconds of CPU time that the process has used until now, in all its threads. */
export const cpuMs = (pid: number): number => {
  // What is before the last parenthesis is the name, which may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** Megabytes in memory. */
export interface Memory {
  /** That the process has made itself. */
  readonly own: number
  /** Pages of files that it has mapped: the system takes them away when others want the room. */
  readonly ofFiles: number
}

/** What the process holds in memory now. */
export const memory = (pid: number): Memory => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const megabytes = (name: string) => {
    const [, kibibytes = "0"] = new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status) ?? []
    return (Number(kibibytes) * 1024) / 1e6
  }
  return { own: megabytes("RssAnon"), ofFiles: megabytes("RssFile") }
}
