import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { CallsReporter } from "./scripts/lib/CallsReporter.ts"

/**
 * One project after another, as a process has the modules of one only, each with those first that take longest, so that
 * none of them is left alone at the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const sorted = await super.sort(files)
    const turnOf = ({ project }: TestSpecification) => this.ctx.projects.indexOf(project)
    return sorted.toSorted((a, b) => turnOf(a) - turnOf(b) || rank(a) - rank(b))
  }
}

const longest = [
  "pack",
  "browser/journeys",
  "kill9",
  "scripts/test/chaos",
  "cabinet/login",
  "cabinet/screens",
  "cabinet/work",
  "cabinet/cashiers",
  "adapter-postgres/test/storage",
  "deadly",
  "browser/forms",
  "browser/embed",
  "simulation",
  "guides",
  "providerCheck",
  "manyServers",
  "deployment",
  "lifecycle",
  "adapter-postgres/test/pool",
  "test/shop",
  "reactions",
  "adapter-sqlite/test/storage",
  "express/test/app",
  "hostile",
  "runner",
  "adapter-sql/test/census",
  "transactions",
  "live/crashes",
  "adapter-postgres/test/Postgres",
  "examples",
  "adapter-postgres/test/poisoned",
  "pageChanges",
  "watcher",
  "quotas",
  "blocked"
]

const rank = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
  return place < 0 ? longest.length : place
}

const project = (
  name: string,
  include: ReadonlyArray<string>,
  database: "sqlite" | "postgres",
  exclude: ReadonlyArray<string> = []
) => ({
  extends: true as const,
  test: { name, include: [...include], exclude: [...onlySlow, ...exclude], provide: { database, isWhole: false } }
})

const httpTests = (names: ReadonlyArray<string>) => names.map((name) => `packages/http-server/test/${name}.test.ts`)

/** HTTP tests that have no database, or one of their own. */
const withoutService = [
  "ByteBudget",
  "NodeInTurn",
  "Parties",
  "RequestTurns",
  "besideTransactions",
  "embedded{Errors,Events,Handler,Json,Restart}",
  "largeBodies",
  "nodeServer",
  "requestContext",
  "tls",
  "weakKeys",
  "webHandler"
]

/** HTTP tests of what is decided before SQL is reached, or after: `npm run test:slow` has them on PostgreSQL too. */
export const beforeSql = httpTests([
  "bounds",
  "client",
  "compression",
  "edge",
  "headers",
  "pageChanges",
  "roles",
  "room",
  "pages/*"
])

/** HTTP tests whose SQL the tests of the stores run on both databases: `npm run test:slow` has them on PostgreSQL. */
export const ofStores = httpTests([
  "{access,audit,console,developers,formHooks,formRefusals,ids,invitations,journal,keys,letters,login}",
  "{linkPages,linkPictures,logs,metadata,metrics,mode,otlp,ownOrganizations,panelProfile,partner}",
  "{previewFlood,refusals,sandboxLimit,sandboxTime,sessions,successors,tariffs,webhookEndpoints}",
  "operator*"
])

/** What takes minutes and finds little that the others do not: `npm run test:slow` has these files alone. */
export const onlySlow = [
  "packages/adapter-postgres/test/damages.test.ts",
  "packages/http-server/test/cli/{copySides,restore}.test.ts",
  "packages/http-server/test/cluster/faults.test.ts",
  "packages/http-server/test/docs/browser.test.ts",
  "packages/http-server/test/servers/takeover.test.ts",
  "scripts/test/fsync.test.ts"
]

/** Tests of whole programs: commands, and what is packed, deployed, killed or many: `npm run test:system`. */
const ofSystem = [
  "packages/http-server/test/{cli,cluster,servers}/**/*.test.ts",
  "packages/http-server/test/embeddedRestart.test.ts",
  "examples/*/test/**/*.test.ts",
  "scripts/test/{chaos,deployment,guides,kill9,pack,program,shop,simulation}.test.ts"
]

/** Every screen and page in a browser: `npm run test:pages`. `npm test` has the till, and how customers pay. */
const ofPages = [
  "packages/http-server/test/cabinet/!(site|till|work)*.test.ts",
  "packages/http-server/test/docs/examples.test.ts",
  "packages/http-server/test/browser/{everyPage,forms,links}.test.ts"
]

/** Further ways to a database, older schemas, large tables, and damages: `npm run test:databases`. */
const ofDatabases = [
  "packages/adapter-sql/test/{census,damages,pages}.test.ts",
  "packages/adapter-sqlite/test/shared.test.ts",
  "packages/adapter-postgres/test/{arrays,deliveriesNear,deliveryLogStep,deliveryMonths,deliveryStep}.test.ts",
  "packages/adapter-postgres/test/{feed,held,months,poisoned,pool,steps,viewsAndSearch}.test.ts"
]

/** HTTP tests on PostgreSQL where that is another thing: `npm run test:databases`. */
const onPostgres = httpTests(["*"])

const calls = new CallsReporter()

/** A file that the results are written into, besides. Reporters of the command line would take the place of these. */
const results = process.env["TOLEM_TEST_RESULTS"]
const resultsWriter: Array<[string, { outputFile: string }]> =
  results === undefined ? [] : [["json", { outputFile: results }]]

export default defineConfig({
  test: {
    globalSetup: [
      "testing/harness/src/temporaryFiles.ts",
      "testing/postgres/src/globalSetup.ts",
      "testing/harness/src/globalSetup.ts"
    ],
    // Only against tests that hang: on a busy machine a command alone takes ten times as long as on an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The same: what is waited for ends the wait as soon as it is there.
    expect: { poll: { timeout: 60_000 } },
    // Each test makes much and keeps little of it: with more room for what is new it is gone through less often.
    execArgv: ["--max-semi-space-size=64"],
    // Files one after another in the same process: loading everything anew for each takes longer than most of them.
    isolate: false,
    // Programs that tests start find what others have compiled: half of the time of a command is its start.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compile", import.meta.url)),
      TOLEM_TEST_CALLS: calls.folder
    },
    // What the servers of the tests answer is recorded, and compared with what the documents say.
    setupFiles: "testing/harness/src/callsSetup.ts",
    reporters: ["default", calls, ...resultsWriter],
    // Twice the cores of a small machine: many tests wait for leases and processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      project("system", ofSystem, "sqlite"),
      project("pages", ofPages, "sqlite"),
      project("databases", ofDatabases, "sqlite"),
      project("postgres", onPostgres, "postgres", [...httpTests(withoutService), ...beforeSql, ...ofStores]),
      project("sqlite", ["packages/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"], "sqlite", [
        ...ofSystem,
        ...ofPages,
        ...ofDatabases
      ])
    ]
  }
})
