/** The Node server by itself, before it has routes. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, it } from "vitest"
import * as NodeServer from "../src/http/NodeServer.ts"
import { expectRefusal } from "./support/calls.ts"

const server = NodeServer.make(NodeServer.defaults)
let url: string

beforeEach(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/health/ready`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

it("leaves no request without an answer, whether its routes are not there yet or gone already", async () => {
  const away = async () => {
    const response = await fetch(url)
    expect(response.headers.get("retry-after")).toBe("1")
    expectRefusal(response.status, await response.text())
    return response.status
  }
  expect(await away()).toBe(503)
  const routes = (_request: unknown, response: { readonly end: (text: string) => void }) => response.end("served")
  server.on("request", routes)
  expect(await (await fetch(url)).text()).toBe("served")
  server.off("request", routes)
  expect(await away()).toBe(503)
})
