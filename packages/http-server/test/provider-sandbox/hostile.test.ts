/** A server that does not keep to the protocol: whatever it says, the adapter answers in the port's words. */
import { createServer, type ServerResponse } from "node:http"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Tiyn } from "@tolem/core/value/Money"
import * as HttpProvider from "@tolem/provider-sandbox/HttpProvider"
import { Effect, Redacted } from "effect"
import { inShort } from "../../../provider-sandbox/test/support/world.ts"

type Respond = (response: ServerResponse) => void

const listening = (respond: Respond) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly seen: Array<string>; readonly close: () => void }>((resume) => {
      const seen: Array<string> = []
      const server = createServer((request, response) => {
        seen.push(`${request.method} ${request.url}`)
        request.resume()
        respond(response)
      })
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" ? address?.port : undefined
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, seen, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const session = Redacted.make("the session")
const order = { session, ours: "inv_1", amount: Tiyn(150_000), description: null }

const asked = (respond: Respond) =>
  Effect.gen(function* () {
    const { url, seen } = yield* listening(respond)
    const provider = yield* HttpProvider.make({ url })
    const create = yield* provider.createQr(order)
    const state = yield* provider.stateByReference({ session, reference: "sb-1" })
    const refund = yield* provider.refund({ session, reference: "sb-1", ours: "ref_1", amount: Tiyn(100) })
    return { create, state, refund, seen }
  }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerUndici))

const body =
  (text: string | Uint8Array, status = 200, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)

const good = {
  reference: "sb-1",
  ours: "inv_1",
  amount: 150_000,
  qrUrl: "https://pay.example/q",
  deepLink: "app://pay/1",
  expiresAt: 180_000,
  state: "paid",
  statusText: "Paid",
  receipt: { at: 1000, reference: "m-1", amount: 150_000, number: null, url: null },
  refunds: [{ reference: "r-1", ours: null, amount: 100, at: 2000 }]
}
const json = (members: object, status = 200) => body(JSON.stringify({ ...good, ...members }), status)
/** As text, for numbers that JSON cannot write. */
const amountOf = (text: string) => body(JSON.stringify(good).replace('"amount":150000', `"amount":${text}`))

const endless: Respond = (response) => {
  const more = () => {
    if (!response.destroyed && response.write(`"${"x".repeat(64 * 1024)}",`)) setImmediate(more)
    else response.once("drain", more)
  }
  response.writeHead(200, { "content-type": "application/json" }).write("[")
  more()
}

const unreadable: Readonly<Record<string, Respond>> = {
  "no body": body(""),
  "a page": body("<html><body>Welcome</body></html>", 200, { "content-type": "text/html" }),
  "half of a body": body('{"reference":"sb-1",'),
  "a list": body("[]"),
  "a number": body("7"),
  null: body("null"),
  "bytes that are no text": body(Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)),
  "an endless body": endless,
  "a huge reference": json({ reference: "r".repeat(100_000) }),
  "a reference that leads elsewhere": json({ reference: "../control/reset" }),
  "half a character, which no database keeps": body(JSON.stringify(good).replace("Paid", "\\ud800")),
  "a character that no database takes": json({ statusText: "Paid\u0000" }),
  "an amount that is text": amountOf('"150000"'),
  "an amount that is NaN": amountOf("NaN"),
  "an amount that is the text NaN": amountOf('"NaN"'),
  "an amount beyond all numbers": amountOf("1e400"),
  "an amount that is no whole number": amountOf("150000.5"),
  "an amount below zero": amountOf("-150000"),
  "an amount of nothing": amountOf("0"),
  "an amount that cannot be exact": amountOf("9007199254740993"),
  "an instant beyond the calendar": json({ expiresAt: 8_640_000_000_000_001 }),
  "an unknown state": json({ state: "almost_paid" }),
  "paid without a receipt": json({ receipt: null }),
  "a receipt without being paid": json({ state: "waiting" }),
  "a receipt of nothing": json({ receipt: { ...good.receipt, amount: 0 } }),
  "a refund that is no object": json({ refunds: [7] }),
  "more refunds than anybody makes": json({ refunds: Array(1001).fill(good.refunds[0]) }),
  "a link that a browser would run": json({ deepLink: "javascript:alert(1)" }),
  "a link that is none": json({ deepLink: "pay here" }),
  "one link of two": json({ qrUrl: null }),
  "another status that succeeds": json({}, 201),
  "nothing at all, and successfully": body("", 204),
  "a redirect": body("", 302, { location: "http://127.0.0.1:9/" }),
  "somebody else's 404": body("<h1>Not Found</h1>", 404),
  "somebody else's refusal": body('{"error":"blocked_by_firewall","retryable":false,"message":null}', 403),
  "a refusal without its reason": body("{}", 409),
  "somebody else's 401": body('{"message":"who are you"}', 401),
  "a lost session that is no 401": body('{"error":"session_lost","retryable":false,"message":null}', 409),
  "somebody else's 429": body("slow down", 429),
  "a wait that is no number": body('{"error":"throttled","retryable":true,"message":null,"retryAfterMs":"NaN"}', 429),
  "a wait below zero": body('{"error":"throttled","retryable":true,"message":null,"retryAfterMs":-1}', 429)
}

const broken: Readonly<Record<string, Respond>> = {
  "cuts the connection at once": (response) => response.socket?.destroy(),
  "cuts it after the head": (response) => {
    response.writeHead(200, { "content-length": "1000" }).flushHeaders()
    response.socket?.end()
  },
  "breaks off": (response) => {
    response.writeHead(200, { "content-length": "1000" }).write(JSON.stringify(good))
    response.socket?.end()
  },
  "speaks no HTTP": (response) => response.socket?.end("SSH-2.0-OpenSSH\r\n")
}

describe("an answer is unreadable when it is", () => {
  for (const [what, respond] of Object.entries(unreadable)) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const { create, state, refund } = yield* asked(respond)
        assert.deepStrictEqual([create, state, refund].map(inShort), ["unreadable", "unreadable", "unreadable"])
      })
    )
  }

  it.effect("about something else than was asked", () =>
    Effect.gen(function* () {
      for (const members of [{ ours: "inv_2" }, { amount: 150_001 }, { qrUrl: null, deepLink: null }]) {
        assert.strictEqual(inShort((yield* asked(json(members))).create), "unreadable")
      }
      assert.strictEqual(inShort((yield* asked(json({ reference: "sb-2" }))).state), "unreadable")
      const made = { reference: "r-1", ours: "ref_2", amount: 100, at: 0 }
      for (const members of [{}, { ours: "ref_1", amount: 101 }, { ours: null }]) {
        const { refund } = yield* asked(body(JSON.stringify({ ...made, ...members })))
        assert.strictEqual(inShort(refund), "unreadable")
      }
    })
  )

  it.effect("none of these: the same answer as it should be", () =>
    Effect.gen(function* () {
      const { create, state } = yield* asked(json({ unknown: "members are no harm" }))
      assert.strictEqual(inShort(create), "Accepted")
      assert.strictEqual(inShort(state), "Accepted")
    })
  )
})

describe("the address of a receipt", () => {
  it.effect("is no reason to miss the payment, whatever it is", () =>
    Effect.gen(function* () {
      for (const url of ["javascript:alert(1)", "", "pay here"]) {
        const { create, state } = yield* asked(json({ receipt: { ...good.receipt, url } }))
        assert.deepStrictEqual([create, state].map(inShort), ["Accepted", "Accepted"])
      }
    })
  )
})

describe("the connection is what failed when the server", () => {
  for (const [what, respond] of Object.entries(broken)) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const { create, state, refund, seen } = yield* asked(respond)
        assert.deepStrictEqual([create, state, refund].map(inShort), ["connection", "connection", "connection"])
        assert.strictEqual(seen.length, 3, "each call was made once")
      })
    )
  }

  it.effect("is not there", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(listening(() => {}))
      const provider = yield* HttpProvider.make({ url })
      assert.strictEqual(inShort(yield* provider.initLogin()), "connection")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )
})

describe("the provider's own failure", () => {
  for (const status of [500, 502, 503, 599]) {
    it.effect(`is ${status}, whatever it says beside`, () =>
      Effect.gen(function* () {
        const { create, refund } = yield* asked(json({}, status))
        assert.deepStrictEqual([create, refund].map(inShort), ["server_error", "server_error"])
      })
    )
  }
})

describe("a key", () => {
  it.effect("that would name another path is asked for nowhere", () =>
    Effect.gen(function* () {
      const { url, seen } = yield* listening(json({}))
      const provider = yield* HttpProvider.make({ url })
      for (const reference of ["", ".", ".."]) {
        assert.strictEqual(inShort(yield* provider.stateByReference({ session, reference })), "not_found")
      }
      assert.deepStrictEqual(seen, [])
      yield* provider.stateByReference({ session, reference: "../v1/login?x=1#y" })
      assert.deepStrictEqual(seen, ["GET /v1/payments/..%2Fv1%2Flogin%3Fx%3D1%23y"])
    }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("or a session that no header can hold is no reason to die", () =>
    Effect.gen(function* () {
      const { url, seen } = yield* listening(json({}))
      const provider = yield* HttpProvider.make({ url })
      const answer = yield* provider.checkSession(Redacted.make("a\r\nb: c"))
      assert.strictEqual(answer._tag, "Unknown")
      assert.deepStrictEqual(seen, [])
    }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerUndici))
  )
})
