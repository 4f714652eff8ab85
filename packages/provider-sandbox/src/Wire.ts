/**
 * The bodies of the provider protocol, for the sandbox's server and the client alike. Amounts are whole tiyn, instants
 * are epoch milliseconds. Decoding believes nothing: every text has a bound, every number is whole and finite.
 */
import { type Ability, abilityNames } from "@tolem/core/provider/Abilities"
import { RefusalCode } from "@tolem/core/provider/Answer"
import { maxPageOperations, type OperationPage } from "@tolem/core/provider/Operation"
import { type MadeRefund, type Payment, Signal } from "@tolem/core/provider/Payment"
import { Tiyn } from "@tolem/core/value/Money"
import { Schema } from "effect"
import { protocol } from "./Protocol.ts"

/** What databases keep as it is. */
const storable = Schema.makeFilter<string>((value) => value.isWellFormed() && !value.includes("\u0000"))
const text = (maximum: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maximum), storable)
/** Goes into paths: dots alone would name another one. */
const id = text(200).check(Schema.isPattern(/^[\w.:~-]*\w[\w.:~-]*$/))
const amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
const instant = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000_000 }))
/** An address that may be shown to customers as a link: nothing that a browser would run. */
const link = text(2048).check(
  Schema.makeFilter((value) => URL.canParse(value) && !/^(javascript|data|vbscript|blob|file):/i.test(value.trim()))
)

/** Answer of `GET /v1`: what the server is and can do. What is not said of `can` is true. */
export const Description = Schema.Struct({
  protocol: Schema.Literal(protocol),
  versions: Schema.Array(Schema.Int),
  name: text(100),
  can: Schema.Struct(
    Object.fromEntries(abilityNames.map((name) => [name, Schema.optionalKey(Schema.Boolean)] as const)) as Record<
      Ability,
      Schema.optionalKey<typeof Schema.Boolean>
    >
  )
})

/** Answer of `GET /control`, of servers that can be checked: who may log in, and what can be steered. */
export const Controls = Schema.Struct({
  cashiers: Schema.Tuple([text(20), text(20)]),
  codes: Schema.Struct({ right: text(20), wrong: text(20) }),
  parts: Schema.Array(Schema.String)
})

/** Of `POST /v1/payments`. A phone makes it a push; no phone, a QR. */
export const WireOrder = Schema.Struct({
  ours: id,
  amount,
  description: Schema.NullOr(text(200)),
  phone: Schema.NullOr(text(20))
})

/** Of `POST /v1/payments/{reference}/refunds`. */
export const WireRefundOrder = Schema.Struct({ ours: id, amount })

/** Of `POST /v1/login/phone`. */
export const LoginPhone = Schema.Struct({ processId: id, phone: text(20) })

/** Of `POST /v1/login/code`. */
export const LoginCode = Schema.Struct({ processId: id, code: text(20) })

/** Answer of `POST /v1/login`. */
export const LoginBegun = Schema.Struct({ processId: id, expiresAt: instant })

/** Answer of `POST /v1/login/code`. */
export const LoggedIn = Schema.Struct({ session: text(4096) })

/** Answer of calls that have nothing to say. */
export const Done = Schema.Struct({})

/** Answer of refunds. */
export const Refund = Schema.Struct({ reference: id, ours: Schema.NullOr(id), amount, at: instant })

const states = {
  Waiting: "waiting",
  Scanned: "scanned",
  Paid: "paid",
  RefusedByPayer: "refused_by_payer",
  Failed: "failed",
  Expired: "expired",
  Cancelled: "cancelled"
} as const satisfies Record<Signal["_tag"], string>

/** Answer of everything about a payment. `receipt` is there exactly when `state` is `paid`. */
export const PaymentBody = Schema.Struct({
  reference: id,
  ours: Schema.NullOr(id),
  amount,
  qrUrl: Schema.NullOr(text(2048)),
  deepLink: Schema.NullOr(link),
  expiresAt: instant,
  state: Schema.Literals(Object.values(states)),
  statusText: Schema.String.check(Schema.isMaxLength(200), storable),
  receipt: Schema.NullOr(
    Schema.Struct({
      at: instant,
      reference: id,
      amount,
      number: Schema.NullOr(text(100)),
      // Any text: a payment is not to be missed for the address of its receipt. The core takes web addresses only.
      url: Schema.NullOr(Schema.String)
    })
  ),
  refunds: Schema.Array(Refund).check(Schema.isMaxLength(1000))
})

/** What is asked of `GET /v1/operations`, in its address. */
export const OperationsQuery = Schema.Struct({
  from: Schema.FiniteFromString.check(Schema.isInt()),
  until: Schema.FiniteFromString.check(Schema.isInt()),
  after: Schema.optionalKey(id),
  limit: Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: maxPageOperations }))
})

/** Answer of `GET /v1/operations`. */
export const Operations = Schema.Struct({
  operations: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["payment", "refund"]),
      reference: id,
      payment: id,
      ours: Schema.NullOr(id),
      amount,
      at: instant
    })
  ).check(Schema.isMaxLength(maxPageOperations)),
  next: Schema.NullOr(id)
})

/** Answer of a refusal (4xx). `retryAfterMs` comes with 429. */
export const Refusal = Schema.Struct({
  error: Schema.Union([
    Schema.Literals(RefusalCode),
    Schema.Literals(["session_lost", "throttled", "secret_rejected"])
  ]),
  retryable: Schema.Boolean,
  message: Schema.NullOr(text(1000)),
  retryAfterMs: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 86_400_000 })))
})

/** A payment of the port as a body. */
export const paymentBody = ({ links, signal, ...payment }: Payment): typeof PaymentBody.Type => ({
  ...payment,
  qrUrl: links?.qrUrl ?? null,
  deepLink: links?.deepLink ?? null,
  state: states[signal._tag],
  receipt: signal._tag === "Paid" ? signal.receipt : null,
  refunds: signal._tag === "Paid" ? signal.refunds : []
})

/** A body as a payment of the port; undefined if it contradicts itself. */
export const paymentOf = (body: typeof PaymentBody.Type): Payment | undefined => {
  const { qrUrl, deepLink, state, receipt, refunds, ...payment } = body
  if ((qrUrl === null) !== (deepLink === null) || (state === "paid") !== (receipt !== null)) return undefined
  if (receipt === null && refunds.length > 0) return undefined
  const links = qrUrl === null || deepLink === null ? null : { qrUrl, deepLink }
  return { ...payment, amount: Tiyn(body.amount), links, signal: signalOf(body) }
}

/** A body as a refund of the port. */
export const wireRefundOf = (body: typeof Refund.Type): MadeRefund => ({ ...body, amount: Tiyn(body.amount) })

/** A body as a page of the port. */
export const operationPageOf = ({ operations, next }: typeof Operations.Type): OperationPage => ({
  operations: operations.map((each) => ({ ...each, amount: Tiyn(each.amount) })),
  next
})

const unpaid = [Signal.Scanned(), Signal.RefusedByPayer(), Signal.Failed(), Signal.Expired(), Signal.Cancelled()]

const signalOf = ({ state, receipt, refunds }: typeof PaymentBody.Type): Signal =>
  receipt === null
    ? (unpaid.find(({ _tag }) => states[_tag] === state) ?? Signal.Waiting())
    : Signal.Paid({ receipt: { ...receipt, amount: Tiyn(receipt.amount) }, refunds: refunds.map(wireRefundOf) })
