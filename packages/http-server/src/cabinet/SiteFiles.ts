/** The files of the built cabinet. Each is read when it is first asked for, and kept as it was sent. */
import { readdir, readFile } from "node:fs/promises"
import { extname, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { Encoding } from "../http/Compression.ts"
import * as SiteBuild from "./SiteBuild.ts"

const folder = fileURLToPath(new URL("./dist/", import.meta.url))

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json"
}

const endings: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" }

/** A file as it is sent: in the encoding that was asked for if it is there in that. */
export interface SiteFile {
  readonly type: string
  readonly bytes: Uint8Array
  readonly encoding: Encoding | null
}

/** Reads a file by its path under `/cabinet/`; null if there is none. */
export type ReadSite = (path: string, encoding: Encoding | null) => Effect.Effect<SiteFile | null>

/** The reader. What there is is looked up once, at the first call, which may have it built. */
export const reader: Effect.Effect<ReadSite> = Effect.gen(function* () {
  const names = yield* Effect.cached(
    Effect.andThen(
      SiteBuild.ready,
      // Without a folder there is no cabinet.
      Effect.promise(() => readdir(folder, { recursive: true }).catch(() => []))
    ).pipe(Effect.map((all): ReadonlySet<string> => new Set(all.map((name) => name.split(sep).join("/")))))
  )
  const kept = new Map<string, Promise<Uint8Array>>()
  const bytesOf = (name: string) => {
    const bytes = kept.get(name) ?? readFile(`${folder}${name}`)
    kept.set(name, bytes)
    // What could not be read now may be read the next time.
    bytes.catch(() => kept.delete(name))
    return bytes
  }
  return (path, wanted) =>
    Effect.gen(function* () {
      const known = yield* names
      const type = types[extname(path)]
      if (type === undefined || !known.has(path)) return null
      const encoding = wanted !== null && known.has(path + endings[wanted]) ? wanted : null
      const bytes = yield* Effect.promise(() => bytesOf(encoding === null ? path : path + endings[encoding]))
      return { type, bytes, encoding }
    })
})
