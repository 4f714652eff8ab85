/**
 * A primary under load is killed, its synchronous follower takes its place, and the address leads there: nothing that
 * was acknowledged is lost, and servers go on by themselves.
 */

import { once } from "node:events"
import { createServer, connect as open, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { connect } from "@tolem/testing-postgres/Client"
import { startReplica } from "@tolem/testing-postgres/Replica"
import { freePort, startServer } from "@tolem/testing-postgres/Server"
import { isAnnounced, judgeRows, outOfOrder, type Row, rowsOf, untrue } from "./postgres/Checks.ts"
import { emptyJournal, runClients } from "./postgres/Clients.ts"
import { openWorld } from "./postgres/World.ts"

/** What a run saw. `violations` is empty if every promise was kept. */
export interface Outcome {
  readonly before: number
  readonly after: number
  readonly unavailable: number
  /** Longest time without an acknowledgement, in milliseconds. */
  readonly gapMs: number
  readonly arrivals: number
  readonly repeated: number
  readonly violations: ReadonlyArray<string>
}

/** Plays it with so many seconds of load on each side. */
export const failover = async (seconds: number): Promise<Outcome> => {
  const primary = await startServer({ durable: true })
  const replica = await startReplica(primary, true)
  const address = await makeAddress(primary.port)
  const through = (url: string) => Object.assign(new URL(url), { port: String(address.port) }).href
  const world = await openWorld(primary, 2, { through })
  try {
    const merchant = await world.merchant()
    const journal = emptyJournal()
    const acknowledged = () => journal.created.size + journal.paid.size + journal.refunded.size
    let over = false
    const work = runClients(world, merchant, 16, () => over, journal)
    work.catch(() => {})
    await wait(seconds * 1000)
    await primary.crash()
    const before = acknowledged()
    await replica.promote()
    address.lead(replica.port)
    await wait(seconds * 1000)
    for (let rounds = 0; rounds < 300 && acknowledged() === before; rounds++) await wait(100)
    const after = acknowledged() - before
    over = true
    await work
    const { arrivals } = merchant.receiver
    for (let rounds = 0; rounds < 900 && !isAnnounced(journal, arrivals); rounds++) await wait(100)
    const client = await connect(through(world.url))
    const { rows } = await client.query<Row>(rowsOf).finally(() => client.end())
    const verified = await world.tolem("verify").catch((error: unknown) => ({ ok: false, findings: [String(error)] }))
    const { lost, doubled } = judgeRows(rows, journal)
    return {
      before,
      after,
      unavailable: journal.unavailable,
      gapMs: journal.longestGapMs,
      arrivals: arrivals.length,
      repeated: arrivals.length - new Set(arrivals.map(({ delivery }) => delivery)).size,
      violations: [
        ...lost.map((what) => `lost: ${what}`),
        ...[...doubled, ...outOfOrder(arrivals)].map((what) => `twice, or out of order: ${what}`),
        ...untrue(rows, arrivals),
        ...(verified.ok === true ? [] : [`verify: ${JSON.stringify(verified.findings)}`]),
        ...(isAnnounced(journal, arrivals) ? [] : ["something was never announced"]),
        ...(after > 0 ? [] : ["the servers did not come back"])
      ]
    }
  } finally {
    await world.dispose()
    address.close()
    await replica.dispose()
    await primary.dispose()
  }
}

/** An address that leads to a port, and to another one from then on; what was connected before is cut. */
const makeAddress = async (first: number) => {
  let target = first
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = open(target, "127.0.0.1")
    for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
      sockets.add(one)
      one
        .on("error", () => other.destroy())
        .on("close", () => {
          sockets.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
  })
  const port = await freePort()
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    lead: (to: number) => {
      target = to
      cut()
    },
    close: () => {
      cut()
      server.close()
    }
  }
}
