/** A stranger's provider, without Effect: the sandbox's protocol, spoken with `fetch`. */
import type { RefusalCode } from "@tolem/core/provider/Answer"
import type { OperationPage } from "@tolem/core/provider/Operation"
import type { MadeRefund, Payment } from "@tolem/core/provider/Payment"
import { type CallOptions, defineProvider, outcome } from "@tolem/core/provider/PlainProvider"

export const strangersProvider = (base: string, timeoutMs: number) => {
  const call = async <Body, Value>(
    session: string,
    path: string,
    body: object | null,
    of: (body: Body) => Value,
    { signal }: CallOptions
  ) => {
    const headers = { authorization: `Bearer ${session}`, "content-type": "application/json" }
    const init = body === null ? { headers, signal } : { method: "POST", headers, signal, body: JSON.stringify(body) }
    const response = await fetch(`${base}/v1${path}`, init)
    if (response.status >= 500) return outcome.unknown
    const answer = await response.json()
    if (response.status === 200) return outcome.accepted(of(answer))
    if (answer.error === "session_lost") return outcome.sessionLost
    if (answer.error === "throttled") return outcome.throttled(answer.retryAfterMs ?? 1000)
    return outcome.refused(answer.error as RefusalCode, { retryable: answer.retryable })
  }
  const states = {
    waiting: "Waiting",
    scanned: "Scanned",
    refused_by_payer: "RefusedByPayer",
    failed: "Failed",
    expired: "Expired",
    cancelled: "Cancelled"
  } as const
  type Wire = Omit<Payment, "links" | "signal"> & {
    qrUrl: string
    deepLink: string
    state: keyof typeof states
    receipt: never
    refunds: Array<MadeRefund>
  }
  const payment = ({ qrUrl, deepLink, state, receipt, refunds, ...rest }: Wire): Payment => ({
    ...rest,
    links: qrUrl === null ? null : { qrUrl, deepLink },
    signal: receipt === null ? { _tag: states[state] } : { _tag: "Paid", receipt, refunds }
  })
  const refund = (made: MadeRefund) => made
  const nothing = () => undefined
  const create = ({ session, ...order }: { session: string; phone: string | null }, options: CallOptions) =>
    call(session, "/payments", order, payment, options)
  const key = encodeURIComponent
  return defineProvider({
    name: "Stranger's",
    can: { listOperations: true },
    timeoutMs,
    createQr: (r, options) => create({ ...r, phone: null }, options),
    createPush: create,
    stateByReference: (r, options) => call(r.session, `/payments/${key(r.reference)}`, null, payment, options),
    stateByOurs: (r, options) => call(r.session, `/orders/${key(r.ours)}`, null, payment, options),
    cancel: (r, options) => call(r.session, `/payments/${key(r.reference)}/cancel`, {}, payment, options),
    refund: ({ session, reference, ...rest }, options) =>
      call(session, `/payments/${key(reference)}/refunds`, rest, refund, options),
    refundState: (r, options) => call(r.session, `/refunds/${key(r.ours)}`, null, refund, options),
    listOperations: ({ session, from, until, limit, after }, options) => {
      const place = after === null ? "" : `&after=${key(after)}`
      const path = `/operations?from=${from}&until=${until}&limit=${limit}${place}`
      return call(session, path, null, (page: OperationPage) => page, options)
    },
    initLogin: (_, options) =>
      call("", "/login", {}, (begun: { processId: string; expiresAt: number }) => begun, options),
    sendPhone: (r, options) => call("", "/login/phone", r, nothing, options),
    verifyOtp: (r, options) =>
      call("", "/login/code", { processId: r.processId, code: r.otp }, (b: { session: string }) => b.session, options),
    checkSession: (session, options) => call(session, "/session", null, nothing, options)
  })
}
