#!/usr/bin/env node
/**
 * The program `tolem`. What is published has the whole of it in a few files, which load in a quarter of the time; they
 * are left aside if there is a configuration file, as its parts are to share their modules with the server.
 */
import { existsSync } from "node:fs"
import module from "node:module"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { fileURLToPath } from "node:url"
import { wrongNode } from "@tolem/core/work/NodeVersion"
import { mayBeConfigured } from "./cli/config/ConfigNames.ts"
import { makeScripts } from "./cli/kit/NodeScripts.ts"
import * as YoungHeap from "./cli/kit/YoungHeap.ts"

const scripts = fileURLToPath(new URL("./program", import.meta.url))

/** Where compiled code is kept, in a folder of this user: what others may write to must not be run. Null: nowhere. */
const keptIn = (): string | null => {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env
  if (NODE_DISABLE_COMPILE_CACHE) return null
  try {
    const folder = NODE_COMPILE_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "tolem")
    // In the folder that is worked in may be what others have put there.
    return isAbsolute(folder) ? folder : null
  } catch {
    // Not every user has a home.
    return null
  }
}

/** When what a service has compiled is kept: by then it has started and sends, also on a slow machine. */
const keptAfterMs = 10_000

const services = new Set(["serve", "start", "demo"])
const withoutService = new Set(["--help", "-h", "--version", "-v"])

/** The modules one by one, or all at once. */
const load = async (): Promise<typeof import("./cli/Tolem.ts")> => {
  const start = { args: process.argv.slice(2), variables: process.env, folder: process.cwd() }
  if (existsSync(scripts) && !mayBeConfigured(start)) return loadScripts(start.args)
  const kept = keptIn()
  if (kept !== null) module.enableCompileCache(kept)
  return import("./cli/Tolem.ts")
}

/**
 * Node has its own modules compiled in its binary, and V8 takes these only while its options are the usual ones: so
 * they are loaded before the heap is held. What services run at their start is more than what other commands do.
 */
const loadScripts = (args: ReadonlyArray<string>): typeof import("./cli/Tolem.ts") => {
  const kept = keptIn()
  const isService =
    services.has(args.find((arg) => !arg.startsWith("-")) ?? "") && !args.some((arg) => withoutService.has(arg))
  const kind = isService ? "services" : "commands"
  const { load, keepLater } = makeScripts({
    scripts,
    kept: kept === null ? null : join(kept, `${process.version}-${process.arch}`, kind)
  })
  load("NodeModules.cjs")
  YoungHeap.hold()
  const program = load("Tolem.cjs") as typeof import("./cli/Tolem.ts")
  YoungHeap.release()
  keepLater(keptAfterMs)
  return program
}

const wrong = wrongNode(process.versions.node)
if (wrong === undefined) {
  const { main } = await load()
  main()
} else {
  process.stderr.write(`tolem: ${wrong}\n`)
  process.exitCode = 1
}
