import { describe, it } from "@effect/vitest"
import { defaults, Settings } from "@tolem/core/engine/Settings"
import { type AddressJudge, standard } from "@tolem/core/webhook/sending/AddressPolicy"
import { Effect, Layer } from "effect"
import { Dns, NetAddress } from "effect/net"
import { assert } from "vitest"
import { http, raw, send, sender } from "./receivers.ts"

const live = { mode: "live" as const }

/** As in live mode, with one address of this machine standing for one of the Internet. */
const loopbackIsPublic: AddressJudge = (address, ...rest) =>
  NetAddress.formatIp(address) === "127.0.0.1" ? "open" : standard(address, ...rest)

/** With these networks and hosts listed, and the service at another machine unless one is named. */
const told = (privateNetworks: ReadonlyArray<string>, baseUrl = "https://pay.kz") =>
  Layer.succeed(Settings, { ...defaults, baseUrl, webhook: { ...defaults.webhook, privateNetworks } })

const records = (...addresses: ReadonlyArray<string>) =>
  addresses.map((text) => {
    const address = NetAddress.ipFromStringUnsafe(text)
    return NetAddress.isIpv4Address(address)
      ? Dns.makeRecordUnsafe("A", { address })
      : Dns.makeRecordUnsafe("AAAA", { address })
  })

const inner = http((_request, response) => response.end("inner"))

describe("sender: addresses", () => {
  it.live("live: refuses literal addresses of inner networks in all their forms, without a connection", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* inner
      const hosts = ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]"]
      for (const host of hosts) {
        const answer = yield* send(`https://${host}:${port}/`, live)
        assert.deepInclude(answer, { reason: "refused_address", status: null }, host)
      }
      assert.lengthOf(sockets, 0)
    }).pipe(Effect.scoped, Effect.provide(sender({})))
  )

  it.live("live: refuses names that lead to inner networks, also beside public addresses", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* inner
      for (const host of ["loopback.kz", "private.kz", "cloud.kz", "mixed.kz", "mapped.kz", "six.kz"]) {
        const answer = yield* send(`https://${host}:${port}/`, live)
        assert.deepInclude(answer, { reason: "refused_address" }, host)
      }
      assert.lengthOf(sockets, 0)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        sender({
          dns: Dns.layerStatic({
            records: {
              "loopback.kz": records("127.0.0.1"),
              "private.kz": records("10.0.0.1"),
              "cloud.kz": records("169.254.169.254"),
              "mixed.kz": records("1.1.1.1", "127.0.0.1"),
              "mapped.kz": records("::ffff:127.0.0.1"),
              "six.kz": records("8.8.8.8", "fd00::1")
            }
          })
        })
      )
    )
  )

  it.live("sandbox: reaches this machine by any name, and never where clouds keep credentials", () =>
    Effect.gen(function* () {
      const { port } = yield* inner
      for (const host of ["127.0.0.1", "localhost", "shop", "shop.localhost", "shop.docker.internal", "shop.kz"]) {
        assert.deepInclude(yield* send(`http://${host}:${port}/`), { status: 200, body: null }, host)
      }
      for (const host of ["169.254.169.254", "cloud.kz", "metadata"]) {
        assert.deepInclude(yield* send(`http://${host}:${port}/`), { reason: "refused_address" }, host)
      }
    }).pipe(
      Effect.scoped,
      Effect.provide(
        sender({
          dns: Dns.layerStatic({
            hosts: {
              localhost: ["127.0.0.1"],
              shop: ["127.0.0.1"],
              "shop.localhost": ["127.0.0.1"],
              "shop.docker.internal": ["127.0.0.1"],
              metadata: ["169.254.169.254"]
            },
            records: { "shop.kz": records("127.0.0.1"), "cloud.kz": records("169.254.169.254") }
          })
        })
      )
    )
  )

  it.live("sandbox of a service elsewhere: refuses this machine and private networks", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* inner
      for (const host of ["127.0.0.1", "[::1]", "10.0.0.5", "localhost", "shop.kz"]) {
        assert.deepInclude(yield* send(`http://${host}:${port}/`), { reason: "refused_address", status: null }, host)
      }
      assert.lengthOf(sockets, 0)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        sender({
          dns: Dns.layerStatic({ hosts: { localhost: ["127.0.0.1"] }, records: { "shop.kz": records("127.0.0.1") } })
        })
      ),
      Effect.provide(told([]))
    )
  )

  it.live("either mode: reaches what the operator has listed, http as well, and keeps nothing of the answer", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* inner
      for (const mode of ["live", "sandbox"] as const) {
        for (const host of ["shop.internal", "shop.kz"]) {
          assert.deepInclude(yield* send(`http://${host}:${port}/`, { mode }), { status: 200, body: null }, host)
        }
        for (const host of ["127.0.0.1", "cloud.internal"]) {
          assert.deepInclude(yield* send(`http://${host}:${port}/`, { mode }), { reason: "refused_address" }, host)
        }
      }
      assert.isAbove(sockets.length, 0)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        sender({
          dns: Dns.layerStatic({
            hosts: { "shop.internal": ["127.0.0.1"], "cloud.internal": ["169.254.169.254"] },
            records: { "shop.kz": records("127.0.0.1") }
          })
        })
      ),
      Effect.provide(told(["shop.internal", "shop.kz", "cloud.internal", "169.254.0.0/16"]))
    )
  )

  it.live("live: sends nothing unencrypted to the public Internet, whatever is listed", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* inner
      assert.deepInclude(yield* send(`http://shop.kz:${port}/`, live), { reason: "refused_address", status: null })
      assert.lengthOf(sockets, 0)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        sender({ policy: loopbackIsPublic, dns: Dns.layerStatic({ records: { "shop.kz": records("127.0.0.1") } }) })
      ),
      Effect.provide(told(["shop.kz"]))
    )
  )

  it.live("connects to the address that was checked, whatever the system makes of the name", () =>
    Effect.gen(function* () {
      const { port } = yield* inner
      assert.deepInclude(yield* send(`http://shop.kz:${port}/`), { status: 200, body: "inner" })
    }).pipe(
      Effect.scoped,
      Effect.provide(
        sender({ policy: loopbackIsPublic, dns: Dns.layerStatic({ records: { "shop.kz": records("127.0.0.1") } }) })
      )
    )
  )

  it.live("asks a server of many names for the certificate of this one", () =>
    Effect.gen(function* () {
      const hellos: Array<string> = []
      const { port } = yield* raw((socket, first) => {
        hellos.push(first.toString("latin1"))
        socket.end()
      })
      yield* send(`https://shop.kz.:${port}/`, live)
      assert.include(hellos[0], "shop.kz")
      assert.notInclude(hellos[0], "shop.kz.")
    }).pipe(
      Effect.scoped,
      Effect.provide(
        sender({ policy: loopbackIsPublic, dns: Dns.layerStatic({ records: { "shop.kz": records("127.0.0.1") } }) })
      )
    )
  )

  it.live("asks anew at each attempt, so that a name that turns inward is refused", () => {
    const answers = [records("127.0.0.1"), records("10.0.0.1"), records("127.0.0.1", "127.0.0.2")]
    const turning = Dns.make({
      lookup: () => Effect.succeed([]),
      resolve: (_name, type) => Effect.sync(() => (type === "A" ? (answers.shift() ?? []) : []))
    })
    return Effect.gen(function* () {
      const { port, sockets } = yield* inner
      const url = `http://turning.kz:${port}/`
      assert.deepInclude(yield* send(url), { status: 200 })
      assert.deepInclude(yield* send(url), { reason: "refused_address" })
      assert.deepInclude(yield* send(url), { reason: "refused_address" })
      assert.deepInclude(yield* send(url), { reason: "name" })
      assert.lengthOf(sockets, 1)
    }).pipe(
      Effect.scoped,
      Effect.provide(sender({ policy: loopbackIsPublic, dns: Layer.succeed(Dns.Dns, turning) })),
      Effect.provide(told([]))
    )
  })

  it.live("tells that a name leads nowhere, or cannot be asked for", () => {
    const broken = Dns.make({
      lookup: (hostname) => Effect.fail(new Dns.DnsError({ reason: "ServerFailure", method: "lookup", hostname })),
      resolve: (hostname) => Effect.fail(new Dns.DnsError({ reason: "Timeout", method: "resolve", hostname }))
    })
    return Effect.gen(function* () {
      for (const mode of ["live", "sandbox"] as const) {
        assert.deepInclude(yield* send("http://nowhere.kz/", { mode }), { reason: "name", status: null })
        assert.deepInclude(yield* send("http://nowhere.localhost/", { mode }), { reason: "name" })
      }
    }).pipe(Effect.provide(sender({ dns: Layer.succeed(Dns.Dns, broken) })))
  })

  it.live("ends in time when the name server never answers", () => {
    const silent = Dns.make({ lookup: () => Effect.never, resolve: () => Effect.never })
    return Effect.gen(function* () {
      for (const mode of ["live", "sandbox"] as const) {
        assert.deepInclude(yield* send("http://silent.kz/", { mode, timeoutMs: 200 }), { reason: "timeout" })
      }
    }).pipe(Effect.provide(sender({ dns: Layer.succeed(Dns.Dns, silent) })))
  })
})
