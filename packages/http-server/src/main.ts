#!/usr/bin/env node
/**
 * The program `tolem`. What is published has the whole of it in a few files, which load in a quarter of the time; they
 * are left aside if there is a configuration file, as its parts are to share their modules with the server.
 */
import { existsSync } from "node:fs"
import module from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { wrongNode } from "@tolem/core/work/NodeVersion"
import { mayBeConfigured } from "./cli/config/ConfigNames.ts"
import * as YoungHeap from "./cli/kit/YoungHeap.ts"

const bundle = new URL("./program/Tolem.js", import.meta.url)
const nodeModules = new URL("./program/NodeModules.js", import.meta.url)

/**
 * The modules one by one, or all at once. Node has its own modules compiled in its binary, and V8 takes these only
 * while its options are the usual ones: so they are loaded before the heap is held.
 */
const load = async (): Promise<typeof import("./cli/Tolem.ts")> => {
  const start = { args: process.argv.slice(2), variables: process.env, folder: process.cwd() }
  if (!existsSync(bundle) || mayBeConfigured(start)) return import("./cli/Tolem.ts")
  await import(nodeModules.href)
  YoungHeap.hold()
  const program = await import(bundle.href)
  YoungHeap.release()
  return program
}

/** What Node has compiled, in a folder of this user: what others may write to must not be run. */
const keepCompiled = (): void => {
  const { NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env
  if (NODE_COMPILE_CACHE !== undefined) return
  module.enableCompileCache(join(XDG_CACHE_HOME || join(homedir(), ".cache"), "tolem"))
}

const wrong = wrongNode(process.versions.node)
if (wrong === undefined) {
  keepCompiled()
  const { main } = await load()
  main()
} else {
  process.stderr.write(`tolem: ${wrong}\n`)
  process.exitCode = 1
}
