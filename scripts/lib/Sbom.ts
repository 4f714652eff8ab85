/** The bill of materials of the server: every package that the image installs, in the format CycloneDX. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { thirdParties } from "./Installation.ts"
import { type Manifest, published } from "./Workspace.ts"

/** What of a CycloneDX document is read here. */
export interface BillOfMaterials {
  readonly bomFormat: string
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } }
  readonly components: ReadonlyArray<{
    readonly name: string
    readonly version: string
    readonly purl: string
    readonly hashes?: ReadonlyArray<{ readonly alg: string; readonly content: string }>
    readonly licenses?: ReadonlyArray<unknown>
  }>
}

/**
 * What npm says of the server and of all that it needs at run time, from the lock file alone: it needs neither the
 * registry nor an installation. In the repository itself npm would leave out what the root names for development too.
 */
export const serverBill = (): BillOfMaterials => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-sbom-"))
  try {
    const ours = published().map(({ manifest }) => manifest)
    const server = ours.find(({ name }) => name === "@tolem/http-server")
    if (server === undefined) throw new Error("the server is not published")
    const { name, version, license, description, dependencies, peerDependencies } = server
    const application = { name, version, license, description, dependencies, peerDependencies, type: "module" }
    const needed = reached(ours, server)
    const own = needed.map((each) => [
      `node_modules/${each.name}`,
      {
        version: each.version,
        license: each.license,
        dependencies: each.dependencies,
        peerDependencies: each.peerDependencies
      }
    ])
    const packages = { "": application, ...Object.fromEntries(own), ...thirdParties([server, ...needed]) }
    const lock = { name, version, lockfileVersion: 3, requires: true, packages }
    writeFileSync(join(folder, "package.json"), JSON.stringify(application))
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock))
    const args = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application", "--offline"]
    const output = execFileSync("npm", args, { cwd: folder, shell: process.platform === "win32", encoding: "utf8" })
    const bill = JSON.parse(output)
    // npm names it after the folder.
    bill.metadata.component.name = name
    return bill
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Our own packages that the server needs, directly or not. */
const reached = (ours: ReadonlyArray<Manifest>, server: Manifest): ReadonlyArray<Manifest> => {
  const found = new Set<Manifest>()
  const add = ({ dependencies = {} }: Manifest): void => {
    for (const each of ours) {
      if (dependencies[each.name] === undefined || found.has(each)) continue
      found.add(each)
      add(each)
    }
  }
  add(server)
  return [...found]
}
