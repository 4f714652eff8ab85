/** `node:sqlite`, which older versions of Node lack: importing it there would fail with a riddle. */
import { refuseOldNode } from "@tolem/core/work/NodeVersion"

refuseOldNode(process.versions.node)
const found = process.getBuiltinModule?.("node:sqlite")
if (found === undefined) {
  throw new Error("@tolem/adapter-sqlite needs a Node with node:sqlite; this one was built without it.")
}

/** A connection to a file, and a copy of what it reads. */
export const { DatabaseSync, StatementSync, backup } = found
/** See the class of the same name. */
export type DatabaseSync = InstanceType<typeof DatabaseSync>
