/** `npm run bench`: the service on SQLite against its peers, and what a start costs. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { prepare, serve, start, versionMs } from "./Children.ts"
import { embedded, reactions } from "./Embedded.ts"
import { creates } from "./Load.ts"
import { flushMs, flushRow, nodeMs } from "./Machine.ts"
import { keepRounds, show } from "./Report.ts"
import { alternate, type Comparison, row } from "./Table.ts"

const rounds = 5
/** Of what is measured in CPU: more of them, and short ones. */
const cpuRounds = 15
/** Of what waits for the disk, whose speed changes from minute to minute: the same. */
const createRounds = 15
const connections = 32
const createsPerRound = 4_000
const embeddedPerRound = 32_000

/** The comparison, and what the disk gave before each of its turns. */
interface OverHttp {
  readonly comparison: Comparison
  readonly flushes: ReadonlyArray<ReadonlyArray<number>>
}

const overHttp = async (folder: string): Promise<OverHttp> => {
  const [ours, theirs] = [join(folder, "ours.db"), join(folder, "peer.db")]
  const ourKey = await prepare(ours)
  const peerKey = await prepare(theirs)
  const server = await serve(`sqlite:${ours}`)
  const peer = await start(join(import.meta.dirname, "peer.ts"), [theirs, peerKey.organizationId])
  const flushes: Array<ReadonlyArray<number>> = []
  const turn = (port: number, key: string) => (): Promise<number> => {
    flushes.push(flushMs(folder))
    return creates(port, key, connections, createsPerRound)
  }
  const results = await alternate(createRounds, turn(server.port, ourKey.apiKey), turn(peer.port, peerKey.apiKey))
  await server.stop()
  await peer.stop()
  const comparison = {
    name: `create over HTTP, ${connections} connections`,
    against: "Fastify + node:sqlite by hand",
    atLeast: 2.5,
    rounds: results
  }
  return { comparison, flushes }
}

const residentMb = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

const starting = async (folder: string): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const file = join(folder, "start.db")
  await prepare(file)
  const [readies, versions, nodes]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
  let memory = 0
  // Make the program, and what Node keeps of what it has compiled.
  await versionMs()
  await (await serve(`sqlite:${file}`)).stop()
  for (let round = 0; round < rounds; round++) {
    versions.push(await versionMs())
    nodes.push(nodeMs())
    const server = await serve(`sqlite:${file}`)
    readies.push(server.readyMs)
    await fetch(`http://127.0.0.1:${server.port}/health/ready`)
    memory = Math.max(memory, residentMb(server.pid))
    await server.stop()
  }
  const limited = (name: string, measured: number, most: number, show: (value: number) => string) => [
    name,
    show(measured),
    show(most),
    measured < most ? "yes" : "NO"
  ]
  const seconds = (value: number) => `${value.toFixed(2)} s`
  return [
    limited("serve on an existing database to ready, slowest", Math.max(...readies) / 1000, 0.6, seconds),
    limited("tolem --version, slowest", Math.max(...versions) / 1000, 0.5, seconds),
    ["a Node process that does nothing, slowest", seconds(Math.max(...nodes) / 1000), "", ""],
    limited("memory when idle (resident)", memory, 130, (value) => `${Math.round(value)} MB`)
  ]
}

/** What is measured. */
export interface Options {
  /** Only this part. */
  readonly only: string | undefined
}

/** What can be measured alone. */
export const sqliteParts = ["create", "embedded", "start"]

/** Measures everything and prints the tables. */
export const run = async ({ only }: Options): Promise<void> => {
  const wanted = (part: string) => only === undefined || only === part
  const folder = mkdtempSync(join(tmpdir(), "tolem-bench-"))
  try {
    const comparisons: Array<Comparison> = []
    const http = wanted("create") ? await overHttp(folder) : null
    if (http !== null) comparisons.push(http.comparison)
    if (wanted("embedded")) {
      comparisons.push(await embedded(folder, rounds, embeddedPerRound))
      comparisons.push(...(await reactions(folder, cpuRounds, embeddedPerRound / 4)))
    }
    const head = ["work", "against", "ours", "peer", "ratio (range)", "at least", "met"]
    keepRounds(comparisons)
    if (comparisons.length > 0) show(head, comparisons.map(row))
    if (http !== null) show(["the machine meanwhile", "median (range of rounds)"], [flushRow(http.flushes)])
    if (wanted("start")) show(["start", "measured", "at most", "met"], await starting(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
