import { describe, expect, it } from "vitest"
import { wrongLock, wrongManifests } from "../lib/Manifests.ts"
import type { Manifest, SourceFile } from "../lib/Workspace.ts"

const root: Manifest = { name: "tolem", version: "0.1.0", license: "MIT" }
const fine: Manifest = {
  name: "@tolem/core",
  version: "0.1.0",
  description: "What the package is",
  license: "MIT",
  type: "module",
  sideEffects: false,
  engines: { node: ">=22.19.0" },
  exports: { ".": "./src/index.ts" },
  peerDependencies: { effect: "^4.1.0" },
  devDependencies: { effect: "4.1.0" }
}
const imports = (name: string): SourceFile => ({ path: "packages/core/src/a.ts", text: `import { a } from "${name}"` })
const usesEffect = imports("effect")

const wrong = (changes: Partial<Manifest>, sources: ReadonlyArray<SourceFile> = [usesEffect]) =>
  wrongManifests({ root, workspaces: [{ folder: "packages/core", manifest: { ...fine, ...changes } }], sources }).map(
    ({ message }) => message
  )

describe("a package.json", () => {
  it("may be as it should be", () => expect(wrong({})).toEqual([]))

  it.each([
    [{ dependencies: { qs: "^6.0.0" } }, "qs is ^6.0.0; state one exact version", [imports("qs")]],
    [{ dependencies: { effect: "4.1.0" } }, "effect must be a peer, so that an application has one copy"],
    [
      { peerDependencies: { effect: "^4.0.0" } },
      "the peer effect must be ^ and the version in devDependencies, which is what the tests run with"
    ],
    [{ devDependencies: { effect: "4.1.0", vitest: "*" } }, "vitest is *; state one exact version"],
    [{ name: "@tolem/kernel" }, "name must be @tolem/core"],
    [{ license: "ISC" }, "license must be MIT"],
    [{ type: "commonjs" }, 'type must be "module"'],
    [{ sideEffects: true }, "sideEffects must be false"],
    [{ engines: {} }, "engines.node must say which Node it needs"],
    [{ description: "" }, "description must say what it is"],
    [{ exports: {} }, 'exports must have "."'],
    [{ exports: { ".": "./dist/index.js" } }, "exports must lie in ./src"],
    [{ peerDependencies: {} }, "effect is imported by src but is not in dependencies"],
    [{ dependencies: { qrcode: "1.5.4" } }, "qrcode is in dependencies but no file of src imports it"]
  ] satisfies ReadonlyArray<[Partial<Manifest>, string, Array<SourceFile>?]>)(
    "with %j is wrong: %s",
    (changes, message, more = []) => expect(wrong(changes, [usesEffect, ...more])).toEqual([message])
  )

  it("names the version of another workspace as it is", () => {
    const api = { ...fine, name: "@tolem/api", dependencies: { "@tolem/core": "0.0.9" }, peerDependencies: {} }
    const workspaces = [
      { folder: "packages/core", manifest: fine },
      { folder: "packages/api", manifest: api }
    ]
    const sources = [usesEffect, { path: "packages/api/src/a.ts", text: 'import { a } from "@tolem/core/value/Money"' }]
    expect(wrongManifests({ root, workspaces, sources })).toEqual([
      { path: "packages/api/package.json", line: 0, message: "@tolem/core is 0.0.9; the workspace has 0.1.0" }
    ])
  })
})

describe("the lock file", () => {
  const repository = { root, workspaces: [{ folder: "packages/core", manifest: fine }] }
  const core = { peerDependencies: { effect: "^4.1.0" }, devDependencies: { effect: "4.1.0" } }
  const effect = { resolved: "https://registry.npmjs.org/effect/-/effect-4.1.0.tgz", integrity: "sha512-x" }
  const locked = (packages: Parameters<typeof wrongLock>[0]["packages"]) =>
    wrongLock({ packages }, repository).map(({ message }) => message)

  it("may agree with the manifests", () =>
    expect(locked({ "": {}, "packages/core": core, "node_modules/effect": effect })).toEqual([]))

  it("may not be older than a manifest", () =>
    expect(locked({ "": {}, "packages/core": { ...core, devDependencies: { effect: "4.0.0" } } })).toEqual([
      "devDependencies of packages/core differ from its package.json"
    ]))

  it("may not have other peers than a manifest", () =>
    expect(locked({ "": {}, "packages/core": { ...core, peerDependencies: {} } })).toEqual([
      "peerDependencies of packages/core differ from its package.json"
    ]))

  it("may not name a registry that others cannot reach", () =>
    expect(
      locked({
        "packages/core": core,
        "node_modules/effect": { ...effect, resolved: "http://mirror.example/effect-4.1.0.tgz" }
      })
    ).toEqual(["node_modules/effect is fetched from http://mirror.example/effect-4.1.0.tgz; use the public registry"]))

  it("may not have npm run what it cannot compare with a hash, but for tools of other systems", () => {
    const { integrity: _, ...unproven } = effect
    const elsewhere = { version: "2.6.8", dev: true, optional: true, os: ["win32"] }
    expect(
      locked({
        "packages/core": core,
        "node_modules/@tolem/core": { resolved: "packages/core", link: true },
        "node_modules/effect": unproven,
        "packages/core/node_modules/effect": { ...elsewhere, dev: false },
        "node_modules/@biomejs/cli-win32-x64": elsewhere
      })
    ).toEqual([
      "node_modules/effect has no integrity: `npm install` with the public registry adds it",
      "packages/core/node_modules/effect has no integrity: `npm install` with the public registry adds it"
    ])
  })
})
