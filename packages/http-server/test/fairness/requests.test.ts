/** However many requests of one merchant have come, another's is answered after a few of them. */
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { type Service, start } from "../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" })
    socket.once("connect", () => resolve(socket))
    socket.once("error", reject)
  })

const create = (key: string): string => {
  const body = '{"amount":10}'
  const head = ["POST /api/v1/invoices HTTP/1.1", "Host: x", `X-Api-Key: ${key}`, "Content-Type: application/json"]
  return `${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`
}

/** The status that a request of this connection is answered with. */
const answerOf = (socket: Socket): Promise<number> =>
  new Promise((resolve, reject) => {
    socket.once("data", (chunk) => resolve(Number(chunk.toString("latin1").split(" ")[1])))
    socket.once("close", () => reject(new Error("closed")))
  })

it("a create waits for a few of another's hundred that came before it", async () => {
  const [hog, victim] = [await service.key(), await service.key()]
  // Their keys are known from now on.
  for (const key of [hog, victim]) await call(service, "GET", "/api/v1/invoices", { key: key.apiKey })
  const sockets = await Promise.all(Array.from({ length: 101 }, () => connected(service.port)))
  // The server has taken up each connection.
  for (const socket of sockets) {
    const answer = answerOf(socket)
    socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
    expect(await answer).toBe(200)
  }
  const answered: Array<string> = []
  const statuses = sockets.map(async (socket, index) => {
    const name = index === 100 ? "victim" : "hog"
    const answer = answerOf(socket)
    socket.write(create(name === "hog" ? hog.apiKey : victim.apiKey))
    const status = await answer
    answered.push(name)
    return status
  })
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([201]))
  expect(answered).toHaveLength(101)
  expect(answered.indexOf("victim")).toBeLessThan(20)
  for (const socket of sockets) socket.destroy()
})
