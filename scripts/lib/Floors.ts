/**
 * The floors of the folders inside core, and how many files a folder may have. Imports go down only, so that a folder
 * can be read without those above it. Pure over file texts.
 */
import { posix } from "node:path"
import type { Finding } from "./Finding.ts"
import { importsOf } from "./Imports.ts"
import type { SourceFile } from "./Workspace.ts"

/** Folders by floor, the ground first. Those of one floor do not know each other; a folder within one is part of it. */
export const floors: ReadonlyArray<ReadonlyArray<string>> = [
  ["value"],
  ["error"],
  ["measure"],
  ["work", "secret"],
  ["time"],
  ["audit"],
  ["mail", "messenger", "picture", "provider"],
  ["merchant"],
  ["face"],
  ["connection", "access", "requestlog"],
  ["login", "tariff", "invitation"],
  ["invoice"],
  ["webhook", "subscription", "paymentlink", "formhook", "letters", "partner", "billing", "feed"],
  ["successor", "cabinet"],
  ["attention", "reconciliation", "operator", "platform"],
  ["notice"],
  ["engine"],
  ["embedded"]
]

/** Files that a folder of core may have, those of folders within it aside. */
export const maxFiles = 14

const base = "packages/core/src/"

const roomOf = (path: string): string | undefined => {
  const inside = path.startsWith(base) ? path.slice(base.length).split("/") : []
  return inside.length > 1 ? inside[0] : undefined
}

/** Imports of core that do not go down, folders without a floor, and folders with too many files. */
export const wrongFloors = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> => {
  const heights = new Map(floors.flatMap((rooms, height) => rooms.map((room) => [room, height] as const)))
  const upward = sources.flatMap(({ path, text }) => {
    const room = roomOf(path)
    if (room === undefined) return []
    const height = heights.get(room)
    if (height === undefined) {
      const message = `core/${room} has no floor; give it one in scripts/lib/Floors.ts, above all that it imports`
      return [{ path, line: 0, message }]
    }
    return importsOf(text).flatMap(({ specifier, line }) => {
      const target = roomOf(posix.join(posix.dirname(path), specifier))
      if (!specifier.startsWith(".") || target === undefined || target === room) return []
      if ((heights.get(target) ?? floors.length) < height) return []
      const message = `${room} may not import from ${target}, which is no floor below it; move what both need down`
      return [{ path, line, message }]
    })
  })
  return [...upward, ...crowded(sources)]
}

const crowded = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> => {
  const folders = Map.groupBy(
    sources.filter(({ path }) => path.startsWith(base)),
    ({ path }) => posix.dirname(path)
  )
  return Array.from(folders).flatMap(([path, files]) => {
    const message = `${files.length} files; give a part of them a folder of its own, a folder may have ${maxFiles}`
    return files.length > maxFiles ? [{ path, line: 0, message }] : []
  })
}
