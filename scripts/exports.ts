/** Writes the `exports` of every package. By itself, because nothing of the packages can be imported before. */
import { settle } from "./lib/Documents.ts"
import { withExports } from "./lib/Exports.ts"
import { typescript, workspaces } from "./lib/Workspace.ts"

const sources = typescript()

settle(
  workspaces()
    .filter(({ manifest }) => manifest.exports !== undefined)
    .map((workspace) => ({
      path: `${workspace.folder}/package.json`,
      render: () => withExports(workspace, sources)
    }))
)
