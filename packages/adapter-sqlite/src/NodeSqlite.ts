/** `node:sqlite`, which older versions of Node lack: importing it there would fail with a riddle. */

const found = process.getBuiltinModule?.("node:sqlite")
if (found === undefined) {
  throw new Error(
    `@tolem/adapter-sqlite needs Node 22.19 or newer, with node:sqlite; this is Node ${process.versions.node}.`
  )
}

/** A connection to a file. */
export const { DatabaseSync, StatementSync } = found
/** See the class of the same name. */
export type DatabaseSync = InstanceType<typeof DatabaseSync>
