/** What the image starts from: the program in a few files, beside the sources that it is made of. */
import { join } from "node:path"
import { makeProgram } from "./lib/ProgramBundle.ts"
import { root } from "./lib/Workspace.ts"

await makeProgram(join(root, "packages/http-server/src"), ".ts")
