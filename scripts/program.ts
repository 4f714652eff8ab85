/**
 * What the image starts from: the program in a few files, beside the sources that it is made of, and in the folder that
 * is named what its first starts compile. `node scripts/program.ts FOLDER`.
 */
import { join } from "node:path"
import { keepFirstStarts } from "./lib/FirstStarts.ts"
import { makeProgram } from "./lib/ProgramBundle.ts"
import { root } from "./lib/Workspace.ts"

const sources = join(root, "packages/http-server/src")
const [cache] = process.argv.slice(2)
if (cache === undefined) throw new Error("name the folder for what is compiled")
await makeProgram(sources, ".ts")
await keepFirstStarts(join(sources, "program/main.js"), cache)
