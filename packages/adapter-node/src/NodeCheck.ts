/** Imported before everything else: on an older Node the libraries behind this package fail with a riddle. */
import { refuseOldNode } from "@tolem/core/work/NodeVersion"

refuseOldNode(process.versions.node)
