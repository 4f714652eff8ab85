/**
 * The scripts that the program is made of, and what V8 has compiled of them. Node's own cache has of a file what is
 * compiled when it is loaded; the functions that are called later are compiled at each start anew, a seventh of its
 * processor time. What is kept here has them too, as it is taken once a start is over.
 */
import {
  accessSync,
  closeSync,
  existsSync,
  constants as files,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { cachedDataVersionTag } from "node:v8"
import vm from "node:vm"
import zlib from "node:zlib"
import * as YoungHeap from "./YoungHeap.ts"

/** Where scripts are. */
export interface ScriptFolders {
  /** Scripts in the form of CommonJS, with nothing but ASCII. */
  readonly scripts: string
  /** What is compiled of them, in a folder that none but this user may write to. Null: it is not kept. */
  readonly kept: string | null
}

/** Scripts of a folder, each loaded once. */
export interface CompiledScripts {
  /** What the script exports. Scripts of the same folder that it requires are loaded in the same way. */
  readonly load: (name: string) => unknown
  /** Keeps what has been compiled until now of scripts of which nothing is kept. A failure changes nothing. */
  readonly keep: () => void
  /** Does so after as many milliseconds, or when the process ends before. One that fails has not come far enough. */
  readonly keepLater: (ms: number) => void
}

/** A script of which nothing was kept, and what stood for V8's options when it was compiled. */
interface Fresh {
  readonly script: vm.Script
  readonly tag: number
}

interface Loaded {
  readonly exports: object
}

/** Nothing is loaded yet. */
export const makeScripts = ({ scripts, kept }: ScriptFolders): CompiledScripts => {
  const loaded = new Map<string, Loaded>()
  const fresh = new Map<string, Fresh>()
  const used = new Set<string>()
  const room = makeRoom()

  const compile = (name: string, path: string): vm.Script => {
    const source = reading(path, room.fill)
    const file = kept === null ? null : join(kept, `${name}-${zlib.crc32(source).toString(16)}`)
    if (file !== null) used.add(file)
    const text = `(function (exports, require, module, __filename, __dirname) {${source.toString("latin1")}\n})`
    const cachedData = file === null ? undefined : read(file, room)
    const script = new vm.Script(text, { filename: path, ...(cachedData === undefined ? {} : { cachedData }) })
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
    try {
      compile(name, path).runInThisContext().call(module.exports, module.exports, require, module, path, scripts)
    } catch (error) {
      // Who asks for it again may have it then: there may have been too many open files.
      loaded.delete(name)
      throw error
    }
    return module.exports
  }

  const keep = (): void => {
    // To take it costs some hundredths of a second, which each command would pay where it cannot be written.
    if (kept !== null && fresh.size > 0 && isOpen(kept)) {
      const usual = cachedDataVersionTag()
      for (const [file, { script, tag }] of fresh) if (returnTo(tag)) write(file, script)
      returnTo(usual)
      removeOld(kept, used)
    }
    fresh.clear()
    room.close()
  }

  const keepLater = (ms: number): void => {
    setTimeout(keep, ms).unref()
    process.once("exit", (code) => (code === 0 ? keep() : undefined))
  }

  return { load, keep, keepLater }
}

/**
 * Puts V8's options into the state that `tag` stands for, of the two that a start has: what V8 makes counts only under
 * the same. False if it is neither.
 */
const returnTo = (tag: number): boolean =>
  [() => {}, YoungHeap.hold, YoungHeap.release].some((change) => {
    change()
    return cachedDataVersionTag() === tag
  })

const sumBytes = 4

/** What is kept, if it is whole, and made by this user or root. V8 checks no more than its version and options. */
const read = (file: string, room: Room): Buffer | undefined => {
  try {
    return reading(file, (opened) => {
      if (isOfOthers(fstatSync(opened))) return undefined
      const all = room.fill(opened)
      const data = all.subarray(0, -sumBytes)
      return zlib.crc32(data) === all.readUInt32LE(data.length) ? data : undefined
    })
  } catch {
    return undefined
  }
}

const reading = <A>(path: string, use: (opened: number) => A): A => {
  const opened = openSync(path, "r")
  try {
    return use(opened)
  } finally {
    closeSync(opened)
  }
}

/** Memory that files are read into, one after the other: new memory for each would take as long as reading them. */
interface Room {
  /** The whole of a file. It is there until the next one is read. */
  readonly fill: (opened: number) => Buffer
  /** Holds no memory any more: each file that is read after a start has its own. */
  readonly close: () => void
}

const makeRoom = (): Room => {
  let held: Buffer | null = Buffer.alloc(0)
  const fill = (opened: number): Buffer => {
    const { size } = fstatSync(opened)
    const room = held !== null && held.length >= size ? held : Buffer.allocUnsafeSlow(size)
    if (held !== null) held = room
    let length = 0
    let count = -1
    while (length < size && count !== 0) {
      count = readSync(opened, room, length, size - length, null)
      length += count
    }
    return room.subarray(0, length)
  }
  const close = (): void => {
    held = null
  }
  return { fill, close }
}

const writableByOthers = 0o022

const isOfOthers = ({ uid, mode }: Stats): boolean => {
  const own = process.getuid?.()
  return own !== undefined && ((uid !== own && uid !== 0) || (mode & writableByOthers) !== 0)
}

/** Whether files can be made in a folder, which is made if it is not there. */
const isOpen = (folder: string): boolean =>
  succeeds(() => {
    makeFolder(folder)
    accessSync(folder, files.W_OK)
  })

// Node's own way to make the folders above as well never ends below one that takes none, such as `/proc`.
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Starts are slower if it fails, and that is all. */
const write = (file: string, script: vm.Script): void => {
  const part = `${file}.${process.pid}`
  const isWritten = succeeds(() => {
    const data = script.createCachedData()
    const sum = Buffer.alloc(sumBytes)
    sum.writeUInt32LE(zlib.crc32(data))
    writeFileSync(part, Buffer.concat([data, sum]), { mode: 0o600 })
    renameSync(part, file)
  })
  if (!isWritten) succeeds(() => rmSync(part, { force: true }))
}

const monthMs = 30 * 24 * 3_600_000

/** Removes what is of other versions, or was never finished. */
const removeOld = (folder: string, used: ReadonlySet<string>): void => {
  succeeds(() => {
    const now = statSync(folder).mtimeMs
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (!used.has(path) && statSync(path).mtimeMs < now - monthMs) rmSync(path)
    }
  })
}

const succeeds = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}
