/** A provider over kaspi-pos-automation, as its documentation describes it. The README says what it cannot do. */
import { defineProvider, outcome } from "@tolem/core"
import type { Payment, Signal } from "@tolem/core/provider/Payment"
import type { CallOptions } from "@tolem/core/provider/PlainProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { instantOf, type Operation, operationOf, referenceOf } from "./Operation.ts"
import { type Asked, ask, type Body, dataOf, sessionText } from "./Service.ts"

/** Where the service is. */
export interface Options {
  /** As `http://127.0.0.1:3000`. The service itself asks for no secret: only Tölem may reach it. */
  readonly url: string
  /** Time of one call, in milliseconds; default 8000. */
  readonly timeoutMs?: number
  /** How long a customer has for an invoice in their app, in milliseconds, as far as is not said; default a day. */
  readonly pushWindowMs?: number
}

const hour = 3_600_000
/** The documentation does not say how long a login lasts. */
const loginMs = 600_000

/** The provider. */
export const kaspiPos = ({ url, timeoutMs = 8000, pushWindowMs = 24 * hour }: Options) => {
  const service = url.replace(/\/+$/, "")
  const seenPaidAt = firstSights()

  const call = async <A>(asked: Asked, of: (body: Body) => A, wrong: ReturnType<typeof outcome.refused>) => {
    const exchange = await ask(service, asked)
    if ("none" in exchange) return exchange.none
    return "wrong" in exchange ? wrong : of(exchange.body)
  }
  const invalid = outcome.refused("invalid")

  const state = async (session: string, reference: string, { signal }: CallOptions) => {
    const operation = operationOf(reference)
    if (operation === undefined) return outcome.refused("not_found")
    const { kind, id } = operation
    const path = kind === "qr" ? `/api/qr/status?qrOperationId=${id}` : `/api/invoice/details?operationId=${id}`
    const of = (body: Body) => {
      const data = dataOf(body)
      if (typeof data?.["Status"] !== "string") return outcome.refused("not_found")
      return outcome.accepted(paymentOf(operation, data, seenPaidAt))
    }
    return call({ path, session, signal }, of, invalid)
  }

  /** A new payment of what Kaspi has answered; an answer that is cut short may hold one all the same. */
  const made = (operation: Operation, ours: string, links: Payment["links"], status: string) => {
    if (!Number.isSafeInteger(operation.id) || !Number.isSafeInteger(operation.expiresAt)) return outcome.unknown
    return outcome.accepted({ ...paymentOf(operation, { Status: status }, seenPaidAt), ours, links })
  }
  const refusedByKaspi = ({ StatusCode }: Body) => outcome.refused("other", { detail: `StatusCode ${StatusCode}` })

  return defineProvider({
    name: "Kaspi POS",
    timeoutMs,
    can: {
      findByOurs: false,
      createOnce: false,
      refundOnce: false,
      showRefunds: false,
      showScans: false,
      endLogins: false
    },

    createQr: async ({ session, ours, amount }, { signal }) => {
      const tenge = tengeOf(amount)
      if (tenge === undefined) return invalid
      const of = (body: Body) => {
        const data = dataOf(body)
        if (data === undefined) return refusedByKaspi(body)
        const { QrOperationId: id, QrToken: link, ExpireDate: until } = data
        if (typeof link !== "string") return outcome.unknown
        const operation = { kind: "qr", id: Number(id), amount, expiresAt: instantOf(String(until)) } as const
        return made(operation, ours, { qrUrl: link, deepLink: link }, "QrTokenCreated")
      }
      return call({ path: "/api/qr/create", body: { amount: tenge }, session, signal }, of, invalid)
    },

    createPush: async ({ session, ours, amount, phone, description }, { signal }) => {
      const tenge = tengeOf(amount)
      if (tenge === undefined) return invalid
      const body = { phoneNumber: phone, amount: tenge, ...(description !== null && { comment: description }) }
      const of = (answer: Body) => {
        const data = dataOf(answer)
        if (data === undefined) return refusedByKaspi(answer)
        const expiresAt = Date.now() + pushWindowMs
        return made({ kind: "push", id: Number(data["Id"]), amount, expiresAt }, ours, null, String(data["Status"]))
      }
      return call({ path: "/api/invoice/create", body, session, signal }, of, invalid)
    },

    stateByReference: ({ session, reference }, options) => state(session, reference, options),

    cancel: async ({ session, reference }, options) => {
      const before = await state(session, reference, options)
      if (before._tag !== "Accepted" || before.value.signal._tag === "Cancelled") return before
      const operation = operationOf(reference)
      if (operation?.kind !== "push") return outcome.refused("other", { detail: "a code cannot be withdrawn" })
      if (before.value.signal._tag !== "Waiting") return outcome.refused("not_open")
      const asked = { path: "/api/invoice/cancel", body: { operationId: String(operation.id) }, session, ...options }
      const answer = await call(asked, () => null, invalid)
      if (answer !== null) return answer
      // What the answer says is not documented; the state is.
      const after = await state(session, reference, options)
      if (after._tag !== "Accepted" || after.value.signal._tag === "Cancelled") return after
      return after.value.signal._tag === "Waiting" ? outcome.unknown : outcome.refused("not_open")
    },

    refund: async ({ session, reference, ours, amount }, options) => {
      // Asked first, so that what is refused for certain never becomes a refund that is unknown.
      const before = await state(session, reference, options)
      if (before._tag !== "Accepted") return before
      const operation = operationOf(reference)
      const tenge = tengeOf(amount)
      const refused = outcome.refused("not_refundable")
      if (operation === undefined || tenge === undefined || before.value.signal._tag !== "Paid") return refused
      const body = { qrOperationId: operation.id, returnAmount: tenge }
      // Which of its codes are refusals is not documented, and taking one for a refusal may pay a customer twice.
      const of = (answer: Body) =>
        dataOf(answer) === undefined
          ? outcome.unknown
          : outcome.accepted({ reference: `${operation.id}-${ours}`, ours, amount, at: Date.now() })
      return call({ path: "/api/refund/create", body, session, ...options }, of, invalid)
    },

    initLogin: (_, { signal }) => {
      const of = ({ success, processId }: Body) =>
        success === true && typeof processId === "string"
          ? outcome.accepted({ processId, expiresAt: Date.now() + loginMs })
          : outcome.refused("unavailable", { retryable: true })
      return call({ path: "/api/auth/init", body: {}, signal }, of, invalid)
    },

    sendPhone: ({ processId, phone }, { signal }) => {
      const of = ({ success }: Body) =>
        success === true ? outcome.accepted(undefined) : outcome.refused("number_rejected")
      const body = { phoneNumber: phone, processId }
      return call({ path: "/api/auth/send-phone", body, signal }, of, outcome.refused("process_expired"))
    },

    verifyOtp: ({ processId, otp }, { signal }) => {
      const of = ({ success, tokenSN, vtokenSecret, profileId }: Body) => {
        if (success !== true) return outcome.refused("wrong_code")
        if (typeof tokenSN !== "string" || typeof vtokenSecret !== "string") return outcome.unknown
        const session = { tokenSN, vtokenSecret, profileId: typeof profileId === "number" ? profileId : null }
        return outcome.accepted(sessionText(session))
      }
      const body = { otp, processId }
      return call({ path: "/api/auth/verify-otp", body, signal }, of, outcome.refused("process_expired"))
    },

    checkSession: (session, { signal }) =>
      call(
        { path: "/api/session/check", session, signal },
        ({ active }) => (active === true ? outcome.accepted(undefined) : outcome.sessionLost),
        invalid
      )
  })
}

/** The service takes tenge; what is no whole number of them is not documented. */
const tengeOf = (amount: Tiyn): number | undefined => (amount % 100 === 0 ? amount / 100 : undefined)

/** The states that are documented. Any other leaves a payment open: it may be paid yet, and its time ends it. */
const signals: Readonly<Record<string, Exclude<Signal["_tag"], "Paid" | "Scanned">>> = {
  CancelledByUser: "RefusedByPayer",
  Rejected: "Failed",
  Error: "Failed",
  QrTokenDiscarded: "Expired",
  Expired: "Expired",
  RemotePaymentCanceled: "Cancelled",
  RemotePaymentRejected: "RefusedByPayer"
}

const paymentOf = (operation: Operation, data: Body, seenPaidAt: (reference: string) => number): Payment => {
  const { Status: status, Amount: sum, ReceiptUrl: url, StatusDesc: said } = data
  const reference = referenceOf(operation)
  const amount = Tiyn(operation.amount)
  const receipt = () => ({
    at: seenPaidAt(reference),
    reference: `${operation.id}-paid`,
    amount: typeof sum === "number" ? Tiyn(Math.round(sum * 100)) : amount,
    number: null,
    url: typeof url === "string" ? url : null
  })
  const signal: Signal =
    status === "Processed"
      ? { _tag: "Paid", receipt: receipt(), refunds: [] }
      : { _tag: signals[String(status)] ?? "Waiting" }
  const statusText = (typeof said === "string" && said !== "" ? said : String(status)).slice(0, 200)
  return { reference, ours: null, amount, links: null, expiresAt: operation.expiresAt, signal, statusText }
}

/** Payments whose time is remembered: the engine stores it the first time it sees it. */
const maxRemembered = 10_000

/** When each was first seen to be paid: the service does not tell the time. */
const firstSights = () => {
  const times = new Map<string, number>()
  return (reference: string): number => {
    const known = times.get(reference)
    if (known !== undefined) return known
    const [oldest] = times.keys()
    if (oldest !== undefined && times.size >= maxRemembered) times.delete(oldest)
    const now = Date.now()
    times.set(reference, now)
    return now
  }
}
