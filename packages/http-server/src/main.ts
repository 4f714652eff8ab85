#!/usr/bin/env node
/**
 * The program `tolem`. What is published has the whole of it in a few files, which load in a quarter of the time; they
 * are left aside if there is a configuration file, as its parts are to share their modules with the server.
 */
import { existsSync } from "node:fs"
import module from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { wrongNode } from "@tolem/core/work/NodeVersion"
import { mayBeConfigured } from "./cli/config/ConfigNames.ts"
import { makeScripts } from "./cli/kit/NodeScripts.ts"
import * as YoungHeap from "./cli/kit/YoungHeap.ts"

const scripts = fileURLToPath(new URL("./program", import.meta.url))

/** Where compiled code is kept, in a folder of this user: what others may write to must not be run. */
const kept = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "tolem")

/** By when a service has started, and sends. */
const startedMs = 4_000

/** The modules one by one, or all at once. */
const load = async (): Promise<typeof import("./cli/Tolem.ts")> => {
  const start = { args: process.argv.slice(2), variables: process.env, folder: process.cwd() }
  if (existsSync(scripts) && !mayBeConfigured(start)) return loadScripts(start.args)
  if (process.env["NODE_COMPILE_CACHE"] === undefined) module.enableCompileCache(kept)
  return import("./cli/Tolem.ts")
}

/**
 * Node has its own modules compiled in its binary, and V8 takes these only while its options are the usual ones: so
 * they are loaded before the heap is held. What services run at their start is more than what other commands do.
 */
const loadScripts = (args: ReadonlyArray<string>): typeof import("./cli/Tolem.ts") => {
  const { NODE_COMPILE_CACHE = kept, NODE_DISABLE_COMPILE_CACHE } = process.env
  const kind = ["serve", "start", "demo"].some((each) => args.includes(each)) ? "services" : "commands"
  const { load, keepLater } = makeScripts({
    scripts,
    kept: NODE_DISABLE_COMPILE_CACHE ? null : join(NODE_COMPILE_CACHE, `${process.version}-${process.arch}`, kind)
  })
  load("NodeModules.cjs")
  YoungHeap.hold()
  const program = load("Tolem.cjs") as typeof import("./cli/Tolem.ts")
  YoungHeap.release()
  keepLater(startedMs)
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
