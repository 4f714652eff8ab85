import type { RequestListener } from "node:http"
import { connect, type Socket } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { InTurnServer, type TurnLimits } from "../src/http/NodeInTurn.ts"
import { eventually } from "./support/eventually.ts"

const limits: TurnLimits = {
  aheadBytesOfConnection: 1_000_000,
  aheadBytes: 10_000_000,
  stallMs: 60_000,
  answerMs: 60_000
}

const open = async (handler: RequestListener, given: Partial<TurnLimits> = {}) => {
  const server = new InTurnServer({}, { ...limits, ...given })
  server.on("request", handler)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const client = (bytes: string) => {
    const socket = connect({ port, host: "127.0.0.1" })
    socket.on("error", () => {})
    socket.write(bytes)
    return socket
  }
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { client, connections }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** The bodies of so many answers, one letter each. */
const letters = (socket: Socket, count: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ""
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      received += chunk
      const found = [...received.matchAll(/\r\n\r\n(.)(?=HTTP|$)/g)].map(([, letter]) => letter)
      if (found.length === count) resolve(found.join(""))
    })
    socket.once("close", () => reject(new Error("closed")))
  })

const large = Buffer.alloc(20_000_000)

describe("requests that were sent ahead", () => {
  it("begin one after another, each connection for itself, and are answered in their order", async () => {
    const begun: Array<string> = []
    const answer = new Map<string, () => void>()
    const { client } = await open((request, response) => {
      const name = request.url!.slice(1)
      begun.push(name)
      answer.set(name, () => response.end(name))
    })
    const [one, two] = [client(get("/a") + get("/b") + get("/c")), client(get("/x"))]
    const answers = letters(one, 3)
    await eventually(() => expect(begun.toSorted()).toEqual(["a", "x"]))
    for (const [name, next] of ["ab", "bc"]) {
      answer.get(name!)!()
      await eventually(() => expect(begun.at(-1)).toBe(next))
    }
    answer.get("c")!()
    expect(await answers).toBe("abc")
    expect(begun).toHaveLength(4)
    one.destroy()
    two.destroy()
  })

  it("are given up with their connection", async () => {
    const begun: Array<string> = []
    const { client, connections } = await open((request) => void begun.push(request.url!))
    const socket = client(get("/a") + get("/b"))
    await eventually(() => expect(begun).toEqual(["/a"]))
    socket.destroy()
    await eventually(async () => expect(await connections()).toBe(0))
    expect(begun).toEqual(["/a"])
  })

  it("cut the connection where they are too many, on it or in all, and no other", async () => {
    for (const given of [{ aheadBytesOfConnection: 100_000 }, { aheadBytes: 100_000 }]) {
      const answer: Array<() => void> = []
      const { client, connections } = await open((_, response) => void answer.push(() => response.end("y")), given)
      const patient = client(get("/") + get("/"))
      const answers = letters(patient, 2)
      await eventually(() => expect(answer).toHaveLength(1))
      client(get("/").repeat(100)).resume()
      await eventually(async () => expect(await connections()).toBe(1))
      answer[0]!()
      await eventually(() => expect(answer.length).toBeGreaterThan(1))
      for (const one of answer.slice(1)) one()
      expect(await answers).toBe("yy")
      patient.destroy()
    }
  })
})

describe("an answer that is not taken", () => {
  it("ends the connection once nothing has moved for a while", async () => {
    const { client, connections } = await open((_, response) => void response.end(large), { stallMs: 300 })
    const socket = client(get("/")).pause()
    await eventually(async () => expect(await connections()).toBe(1))
    await eventually(async () => expect(await connections()).toBe(0))
    socket.destroy()
  })

  it("ends it in any case when it takes too long", async () => {
    const { client, connections } = await open((_, response) => void response.end(large), { answerMs: 500 })
    const socket = client(get("/")).pause()
    await eventually(async () => expect(await connections()).toBe(1))
    await eventually(async () => expect(await connections()).toBe(0))
    socket.destroy()
  })

  it("may be taken slowly, and the next request may then take its time", async () => {
    let stall: number | undefined
    const handler: RequestListener = (request, response) => {
      if (request.url === "/large") response.end(large)
      else {
        stall = request.socket.timeout
        response.end("z")
      }
    }
    const { client } = await open(handler, { stallMs: 1500 })
    const socket = client(get("/large") + get("/later"))
    let received = 0
    let tail = ""
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length
      tail = (tail + chunk.toString("latin1")).slice(-1)
      socket.pause()
      setTimeout(() => socket.resume(), 8)
    })
    await eventually(() => expect(tail).toBe("z"))
    expect(received).toBeGreaterThan(large.length)
    expect(stall).toBe(0)
    socket.destroy()
  })
})
