/** A server with little memory, and clients that ask for more than it has, or do not take what they asked for. */

import { connect, type Socket } from "node:net"
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it, onTestFinished } from "vitest"
import { folder, result, service } from "../cli/support.ts"

/** What the process may use for objects: a real one has some gigabytes, and hundreds of such clients. */
const heap = { NODE_OPTIONS: "--max-old-space-size=96" }

/** A server with two merchants; the first has invoices of which a page takes 3.3 megabytes. */
const given = async () => {
  const cwd = folder()
  const keys: Array<string> = []
  for (const owner of ["77001234561", "77001234562"]) {
    const { organization } = await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", owner, "--json")
    const key = ["key", "create", "--org", organization.id, "--mode", "sandbox", "--name", "till", "--scopes", "all"]
    keys.push((await result(cwd, ...key, "--json")).apiKey)
  }
  const [greedy = "", other = ""] = keys
  const server = await service(cwd, ["serve"], heap)
  const metadata = { text: "x".repeat(16_000) }
  const invoices = Array.from({ length: 100 }, () => ({ amount: 10, metadata }))
  for (const _ of [1, 2]) expect((await call(server.url, greedy, "/invoices/bulk", { invoices })).status).toBe(207)
  const list = `GET /api/v1/invoices?limit=200 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${greedy}\r\n\r\n`
  const open = (requests: number): Socket => {
    const socket = connect({ port: server.ready.port, host: "127.0.0.1" })
    onTestFinished(() => void socket.destroy())
    socket.on("error", () => {})
    socket.write(list.repeat(requests))
    return socket
  }
  const stillServes = async () => {
    const began = performance.now()
    expect((await call(server.url, other, "/invoices?limit=200")).body.total).toBe(0)
    return performance.now() - began
  }
  return { server, open, stillServes }
}

/** Reads until so many answers have come, and tells their statuses. */
const statusesOf = (socket: Socket, count: number): Promise<ReadonlyArray<number>> =>
  new Promise((resolve, reject) => {
    const statuses: Array<number> = []
    let rest = ""
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      rest += chunk
      for (const [, status] of rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)) statuses.push(Number(status))
      rest = rest.slice(-12)
      if (statuses.length >= count) resolve(statuses)
    })
    socket.once("close", () => reject(new Error(`closed after ${statuses.length} answers`)))
    socket.resume()
  })

describe("a server with little memory", () => {
  it("answers 60 large pages that one connection asks for at once, and others meanwhile", async () => {
    const { server, open, stillServes } = await given()
    const statuses = statusesOf(open(60), 60)
    let isDone = false
    const waits: Array<number> = []
    const others = (async () => {
      while (!isDone) waits.push(await stillServes())
    })()
    expect(new Set(await statuses)).toEqual(new Set([200]))
    isDone = true
    await others
    expect(waits.length).toBeGreaterThan(1)
    server.signal("SIGTERM")
    expect((await server.ended).code).toBe(0)
  })

  it("outlives 20 connections that ask for large pages and read nothing, and answers others", async () => {
    const { server, open, stillServes } = await given()
    const sockets = Array.from({ length: 20 }, () => open(5).pause())
    for (let i = 0; i < 10; i++) await stillServes()
    // One of them begins to read: what it asked for was kept for it, or is refused in the usual way.
    const first = await statusesOf(sockets[0]!, 1)
    expect([200, 503]).toContain(first[0])
    for (const socket of sockets) socket.destroy()
    await stillServes()
    server.signal("SIGTERM")
    expect((await server.ended).code).toBe(0)
  })
})
