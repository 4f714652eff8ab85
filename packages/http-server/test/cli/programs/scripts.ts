/**
 * Starts a program of two scripts, keeps what was compiled of them, and prints what came of it. Arguments: the folder
 * of the scripts, where they are kept (empty: nowhere), and what else is done: `call` a function, `hold` the heap, load
 * it `twice`.
 */
import { makeScripts } from "../../../src/cli/kit/NodeScripts.ts"
import * as YoungHeap from "../../../src/cli/kit/YoungHeap.ts"

const [scripts = "", kept = "", ...more] = process.argv.slice(2)
const { load, keep } = makeScripts({ scripts, kept: kept || null })
const failure = () => {
  try {
    return String(load("entry.cjs"))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
if (more.includes("twice")) {
  console.log(JSON.stringify({ first: failure(), second: failure() }))
  process.exit()
}
if (more.includes("hold")) YoungHeap.hold()
const entry = load("entry.cjs") as {
  readonly later: () => string
  readonly again: () => unknown
  readonly path: string
}
YoungHeap.release()
const said = more.includes("call") ? entry.later() : null
keep()
console.log(JSON.stringify({ said, path: entry.path, isOnce: entry.again() === entry.later }))
