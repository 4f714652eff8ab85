/** What is kept of scripts: that it is used and complete, and that nothing else is ever run in its place. */
import { execFile } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { folder } from "./support.ts"

const program = fileURLToPath(new URL("programs/scripts.ts", import.meta.url))

const lines = Array.from({ length: 50 }, (_, at) => `if (later.at === ${at}) return "${at}"`)
const texts = {
  "entry.cjs": `const { later } = require("./part.cjs")
    exports.later = later
    exports.again = () => require("./part.cjs").later
    exports.path = require("node:path").join("a", "b")`,
  "part.cjs": `const later = () => {\n${lines.join("\n")}\nreturn "none"\n}\nexports.later = later`
}

const made = () => {
  const scripts = folder()
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(scripts, name), text)
  return { scripts, kept: join(scripts, "kept") }
}

/** A start in a process of its own, as V8 remembers what a process has compiled. */
const start = async ({ scripts, kept }: ReturnType<typeof made>, ...more: ReadonlyArray<string>) => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, scripts, kept, ...more])
  return JSON.parse(stdout)
}

const long = new Date(0)

/** The scripts of which something else is kept after a start than before it. */
const anew = async (folders: ReturnType<typeof made>, ...more: ReadonlyArray<string>) => {
  for (const name of readdirSync(folders.kept)) utimesSync(join(folders.kept, name), long, long)
  await start(folders, ...more)
  const names = readdirSync(folders.kept).filter((name) => statSync(join(folders.kept, name)).mtimeMs > 0)
  return names.map((name) => name.replace(/-.*/, "")).sort()
}

const keptOf = (kept: string, script: string) => {
  const [name = ""] = readdirSync(kept).filter((each) => each.startsWith(script))
  return join(kept, name)
}

describe("the scripts of a program", () => {
  it("require each other and Node's modules, each loaded once", async () => {
    const answer = { said: "none", path: join("a", "b"), isOnce: true }
    const folders = made()
    expect(await start(folders, "call")).toEqual(answer)
    expect(await start(folders, "call")).toEqual(answer)
    expect(await start({ ...folders, kept: "" }, "call")).toEqual(answer)
  })

  it("are kept with what has been called by then, and compiled of that from then on", async () => {
    const [unused, used] = [made(), made()]
    await start(unused)
    await start(used, "call")
    const size = ({ kept }: ReturnType<typeof made>) => statSync(keptOf(kept, "part.cjs")).size
    expect(size(used)).toBeGreaterThan(2 * size(unused))
    expect(await anew(used)).toEqual([])
  })

  it("are kept with the options of V8 under which they are loaded", async () => {
    const folders = made()
    await start(folders, "hold")
    expect(await anew(folders, "hold")).toEqual([])
    expect(await anew(folders)).toEqual(["entry.cjs", "part.cjs"])
  })

  it("are compiled anew where what is kept is damaged or cut off", async () => {
    const folders = made()
    await start(folders)
    const [part, entry] = ["part.cjs", "entry.cjs"].map((name) => keptOf(folders.kept, name))
    const data = readFileSync(part!)
    data.writeUInt8(data.readUInt8(data.length >> 1) ^ 1, data.length >> 1)
    writeFileSync(part!, data)
    writeFileSync(entry!, readFileSync(entry!).subarray(0, 2))
    expect(await anew(folders)).toEqual(["entry.cjs", "part.cjs"])
    expect(await anew(folders)).toEqual([])
  })

  it("are never run as they were: V8 compares no more of a text than its length", async () => {
    const folders = made()
    await start(folders, "call")
    writeFileSync(join(folders.scripts, "part.cjs"), texts["part.cjs"].replace('"none"', '"some"'))
    expect(await start(folders, "call")).toMatchObject({ said: "some" })
  })

  it.skipIf(process.getuid?.() === undefined)("are never run as others may have written them", async () => {
    const folders = made()
    await start(folders, "call")
    const part = keptOf(folders.kept, "part.cjs")
    chmodSync(part, 0o622)
    expect(await anew(folders, "call")).toEqual(["part.cjs"])
    expect(statSync(part).mode & 0o777).toBe(0o600)
    // Another user's, which only root can give away.
    if (process.getuid?.() === 0) {
      chownSync(part, 12_345, 12_345)
      expect(await anew(folders, "call")).toEqual(["part.cjs"])
    }
    expect(await anew(folders, "call")).toEqual([])
  })

  it("may be asked for again when their loading has failed", async () => {
    const folders = made()
    writeFileSync(join(folders.scripts, "part.cjs"), "throw new Error('not yet')")
    expect(await start(folders, "twice")).toEqual({ first: "not yet", second: "not yet" })
  })

  it("are removed when they are of no start for a month", async () => {
    const folders = made()
    await start(folders)
    const old = join(folders.kept, "Common-AAAAAAAA.cjs-12345678")
    writeFileSync(old, "")
    utimesSync(old, long, long)
    writeFileSync(join(folders.scripts, "part.cjs"), `${texts["part.cjs"]}//`)
    await start(folders)
    expect(existsSync(old)).toBe(false)
    expect(existsSync(keptOf(folders.kept, "entry.cjs"))).toBe(true)
  })

  it("are loaded where nothing can be kept, and leave nothing there", async () => {
    const folders = made()
    writeFileSync(join(folders.scripts, "file"), "")
    expect(await start({ ...folders, kept: join(folders.scripts, "file") })).toMatchObject({ isOnce: true })
    // The kernel makes its folders itself: nothing is ever made there.
    if (existsSync("/proc"))
      expect(await start({ ...folders, kept: "/proc/tolem/kept" })).toMatchObject({ isOnce: true })
    await start(folders)
    const taken = { ...folders, kept: folder() }
    // A folder stands where the file would be.
    for (const name of readdirSync(folders.kept)) mkdirSync(join(taken.kept, name))
    expect(await start(taken)).toMatchObject({ isOnce: true })
    expect(readdirSync(taken.kept).sort()).toEqual(readdirSync(folders.kept).sort())
  })
})
