/** The counter of the sandbox over HTTP, in the provider protocol. A session goes into `Authorization: Bearer`. */
import type { Payment } from "@tolem/core/provider/Payment"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Protocol from "./Protocol.ts"
import type { Reply } from "./Reply.ts"
import { bodyOf, give, json, parameter, queryOf, route } from "./Responses.ts"
import type { SandboxBank } from "./SandboxBank.ts"
import * as Wire from "./Wire.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The routes under `/v1`. */
export const make = (bank: SandboxBank) => [
  route("GET", "/v1", () =>
    Effect.succeed(json({ protocol: Protocol.protocol, versions: [Protocol.version], name: "Sandbox", can: bank.can }))
  ),
  route("POST", "/v1/login", () => give((now) => bank.calls.initLogin(now), same)),
  route("POST", "/v1/login/phone", (request) =>
    Effect.flatMap(bodyOf(request, Wire.LoginPhone), ({ processId, phone }) =>
      give((now) => bank.calls.sendPhone(processId, phone, now), nothing)
    )
  ),
  route("POST", "/v1/login/code", (request) =>
    Effect.flatMap(bodyOf(request, Wire.LoginCode), ({ processId, code }) =>
      give(
        (now) => bank.calls.verifyOtp(processId, code, now),
        (session) => ({ session })
      )
    )
  ),
  route("GET", "/v1/session", (request) => give((now) => bank.calls.checkSession(sessionOf(request), now), nothing)),
  route("POST", "/v1/payments", (request) =>
    Effect.flatMap(bodyOf(request, Wire.WireOrder), (body) => {
      const order = { ...body, amount: Tiyn(body.amount) }
      return give((now) => bank.calls.create(sessionOf(request), order, now), Wire.paymentBody)
    })
  ),
  about("GET", "/v1/payments/:key", bank, ({ calls }, ...call) => calls.stateByReference(...call)),
  about("GET", "/v1/orders/:key", bank, ({ calls }, ...call) => calls.stateByOurs(...call)),
  about("POST", "/v1/payments/:key/cancel", bank, ({ calls }, ...call) => calls.cancel(...call)),
  route("POST", "/v1/payments/:key/refunds", (request) =>
    Effect.gen(function* () {
      const reference = yield* parameter("key")
      const { ours, amount } = yield* bodyOf(request, Wire.WireRefundOrder)
      const order = { reference, ours, amount: Tiyn(amount) }
      return yield* give((now) => bank.calls.refund(sessionOf(request), order, now), same)
    })
  ),
  route("GET", "/v1/operations", (request) =>
    Effect.flatMap(queryOf(request, Wire.OperationsQuery), ({ after = null, ...asked }) =>
      give((now) => bank.calls.listOperations(sessionOf(request), { ...asked, after }, now), same)
    )
  ),
  route("GET", "/v1/refunds/:key", (request) =>
    Effect.flatMap(parameter("key"), (ours) =>
      give((now) => bank.calls.refundState(sessionOf(request), ours, now), same)
    )
  )
]

const same = <A>(value: A): A => value
const nothing = () => ({})

/** A call about one payment, by whichever key its path has. */
const about = (
  method: "GET" | "POST",
  path: `/${string}`,
  bank: SandboxBank,
  call: (bank: SandboxBank, session: string, key: string, now: number) => Reply<Payment>
) =>
  route(method, path, (request) =>
    Effect.flatMap(parameter("key"), (key) => give((now) => call(bank, sessionOf(request), key, now), Wire.paymentBody))
  )

const sessionOf = (request: Request): string => /^Bearer (.+)$/i.exec(request.headers["authorization"] ?? "")?.[1] ?? ""
