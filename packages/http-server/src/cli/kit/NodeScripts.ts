/**
 * The scripts that the program is made of, and what V8 has compiled of them. Node's own cache has of a file what is
 * compiled when it is loaded; the functions that are called later are compiled at each start anew, a seventh of its
 * processor time. What is kept here has them too, as it is taken once a start is over.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { cachedDataVersionTag } from "node:v8"
import { constants, Script } from "node:vm"
import { crc32 } from "node:zlib"
import * as YoungHeap from "./YoungHeap.ts"

/** Where scripts are. */
export interface ScriptFolders {
  /** Scripts in the form of CommonJS, with nothing but ASCII. */
  readonly scripts: string
  /** What is compiled of them, in a folder that none but this user may write to. Null: it is not kept. */
  readonly kept: string | null
}

/** Scripts of a folder, each loaded once. */
export interface NodeScripts {
  /** What the script exports. Scripts of the same folder that it requires are loaded in the same way. */
  readonly load: (name: string) => unknown
  /** Keeps what has been compiled until now of scripts of which nothing is kept. A failure changes nothing. */
  readonly keep: () => void
  /** Does so after as many milliseconds, and when the process ends. */
  readonly keepLater: (ms: number) => void
}

/** A script of which nothing was kept, and what stood for V8's options when it was compiled. */
interface Fresh {
  readonly script: Script
  readonly tag: number
}

interface Loaded {
  readonly exports: object
}

/** Nothing is loaded yet. */
export const makeScripts = ({ scripts, kept }: ScriptFolders): NodeScripts => {
  const loaded = new Map<string, Loaded>()
  const fresh = new Map<string, Fresh>()

  const compile = (name: string, path: string): Script => {
    const source = readFileSync(path)
    const file = kept === null ? null : join(kept, `${name}-${crc32(source).toString(16)}`)
    const cachedData = file === null ? undefined : read(file)
    const options = { filename: path, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
    const text = `(function (exports, require, module, __filename, __dirname) {${source.toString("latin1")}\n})`
    const script = new Script(text, { ...options, ...(cachedData === undefined ? {} : { cachedData }) })
    const isKept = cachedData !== undefined && script.cachedDataRejected !== true
    if (file !== null && !isKept) fresh.set(file, { script, tag: cachedDataVersionTag() })
    return script
  }

  const load = (name: string): object => {
    const known = loaded.get(name)
    if (known !== undefined) return known.exports
    const path = join(scripts, name)
    const module = { exports: {} }
    loaded.set(name, module)
    const others = createRequire(path)
    const require = (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : others(id))
    compile(name, path).runInThisContext().call(module.exports, module.exports, require, module, path, scripts)
    return module.exports
  }

  const keep = (): void => {
    const usual = cachedDataVersionTag()
    for (const [file, { script, tag }] of fresh) if (isUnder(tag)) write(file, script.createCachedData())
    isUnder(usual)
    fresh.clear()
  }

  const keepLater = (ms: number): void => {
    setTimeout(keep, ms).unref()
    process.once("exit", keep)
  }

  return { load, keep, keepLater }
}

/** Has V8's options as they were, as what it makes counts only under the same: a start has two states of them. */
const isUnder = (tag: number): boolean =>
  [() => {}, YoungHeap.hold, YoungHeap.release].some((change) => {
    change()
    return cachedDataVersionTag() === tag
  })

const sumBytes = 4

/** What is kept, if it is whole. V8 looks only at the version and the options that it was made with. */
const read = (file: string): Buffer | undefined => {
  try {
    const all = readFileSync(file)
    const data = all.subarray(0, -sumBytes)
    return crc32(data) === all.readUInt32LE(data.length) ? data : undefined
  } catch {
    return undefined
  }
}

/** Starts are slower if it fails, and that is all. */
const write = (file: string, data: Buffer): void => {
  const part = `${file}.${process.pid}`
  const sum = Buffer.alloc(sumBytes)
  sum.writeUInt32LE(crc32(data))
  const isWritten = succeeds(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(part, Buffer.concat([data, sum]), { mode: 0o600 })
    renameSync(part, file)
  })
  if (!isWritten) succeeds(() => rmSync(part, { force: true }))
}

const succeeds = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}
