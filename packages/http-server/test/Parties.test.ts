import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { IpNetwork } from "effect/net"
import { expect, it } from "vitest"
import * as Parties from "../src/http/Parties.ts"

const request = (headers: Record<string, string>) => Object.assign(new IncomingMessage(new Socket()), { headers })
const keyed = (key: string) => request({ "x-api-key": key })

it("a credential stands for the organization that it let in, and for its network until then", () => {
  const { nameOf, learn } = Parties.make(10)
  const first = keyed("a")
  expect(nameOf(first)).toBe("")
  learn(first, "org_a")
  for (const same of [keyed("a"), request({ "x-api-key": "a", cookie: "other" })]) expect(nameOf(same)).toBe("org_a")
  for (const other of [keyed("b"), request({ authorization: "Bearer a" }), request({})]) expect(nameOf(other)).toBe("")
  // What was never asked for is not learned.
  learn(keyed("c"), "org_c")
  expect(nameOf(keyed("c"))).toBe("")
})

it("the oldest are forgotten, and of one that sends ever new ones only its own", () => {
  const { nameOf, learn } = Parties.make(150)
  const send = (key: string, organizationId: string) => {
    const sent = keyed(key)
    nameOf(sent)
    learn(sent, organizationId)
  }
  send("shop", "org_shop")
  for (let n = 0; n < 1000; n++) send(`flood${n}`, "org_flood")
  expect(["shop", "flood899", "flood900", "flood999"].map((key) => nameOf(keyed(key)))).toEqual([
    "org_shop",
    "",
    "org_flood",
    "org_flood"
  ])
  for (let n = 0; n < 60; n++) send(`other${n}`, `org_other${n}`)
  expect(["shop", "other0", "other59"].map((key) => nameOf(keyed(key)))).toEqual(["", "org_other0", "org_other59"])
})

it("a stranger behind trusted proxies is of the network that these name, and no other one can name one", () => {
  const from = (peer: string, forwarded?: string) => {
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: peer })
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
    return Object.assign(new IncomingMessage(socket), { headers })
  }
  const { nameOf } = Parties.make(10, [IpNetwork.fromStringUnsafe("10.0.0.0/8")])
  expect(
    [
      from("10.0.0.1", "203.0.113.7"),
      from("::ffff:10.0.0.1", "192.0.2.1, 203.0.113.7, 10.0.0.2"),
      from("10.0.0.1", "10.0.0.3, 10.0.0.2"),
      from("10.0.0.1", "203.0.113.7:4711"),
      from("10.0.0.1", "[2001:db8::1]"),
      from("10.0.0.1", "[2001:db8::1]:4711"),
      from("10.0.0.1", "unknown"),
      from("10.0.0.1"),
      from("198.51.100.1", "203.0.113.7")
    ].map(nameOf)
  ).toEqual([
    "203.0.113.7",
    "203.0.113.7",
    "10.0.0.3",
    "203.0.113.7",
    "2001:db8:0:0",
    "2001:db8:0:0",
    "10.0.0.1",
    "10.0.0.1",
    "198.51.100.1"
  ])
})
