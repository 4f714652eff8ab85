/** Imported before everything else: on an older Node the libraries behind this package fail with a riddle. */
import { wrongNode } from "./NodeVersion.ts"

const wrong = wrongNode(process.versions.node)
if (wrong !== undefined) throw new Error(wrong)
