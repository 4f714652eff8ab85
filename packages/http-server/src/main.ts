#!/usr/bin/env node
/** The program `tolem`. */
import { wrongNode } from "@tolem/adapter-node/NodeVersion"

const wrong = wrongNode(process.versions.node)
if (wrong === undefined) {
  const { main } = await import("./cli/Tolem.ts")
  main()
} else {
  process.stderr.write(`tolem: ${wrong}\n`)
  process.exitCode = 1
}
