/** A server that answers as the documentation of kaspi-pos-automation says, and what Kaspi's side of it does. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Trouble } from "@tolem/testing"

interface Made {
  readonly id: number
  readonly kind: "qr" | "push"
  readonly amount: number
  /** The cashier's phone. */
  readonly of: string
  status: string
  readonly refunds: Array<number>
}

type Answer = readonly [status: number, body: object]
type Call =
  | "createQr"
  | "createPush"
  | "cancel"
  | "refund"
  | "initLogin"
  | "sendPhone"
  | "verifyOtp"
  | "checkSession"
  | "state"

const calls: Readonly<Record<string, Call>> = {
  "/api/qr/create": "createQr",
  "/api/qr/status": "state",
  "/api/invoice/create": "createPush",
  "/api/invoice/details": "state",
  "/api/invoice/cancel": "cancel",
  "/api/refund/create": "refund",
  "/api/auth/init": "initLogin",
  "/api/auth/send-phone": "sendPhone",
  "/api/auth/verify-otp": "verifyOtp",
  "/api/session/check": "checkSession"
}

const cashiers = ["77010000001", "77010000002"] as const
const missing: Answer = [400, { error: "a parameter is missing" }]
const refused: Answer = [200, { StatusCode: -1, Message: "refused" }]
const kaspi = (Data: object): Answer => [200, { StatusCode: 0, Data }]

/** Kaspi, as far as the documentation shows it. */
const makeKaspi = () => {
  const logins = new Map<string, string | null>()
  const sessions = new Map<string, string>()
  const operations: Array<Made> = []

  const login = (call: Call, { processId, phoneNumber, otp }: Record<string, string>): Answer => {
    if (call === "initLogin") {
      const begun = `process-${logins.size + 1}`
      logins.set(begun, null)
      return [200, { success: true, processId: begun, view: "EnterPhoneNumber", body: {} }]
    }
    const phone = processId === undefined ? undefined : logins.get(processId)
    if (processId === undefined || phone === undefined) return [400, { error: "Unknown processId" }]
    if (call === "sendPhone") {
      const isCashier = cashiers.some((one) => one === phoneNumber)
      if (isCashier) logins.set(processId, phoneNumber ?? null)
      return [200, { success: isCashier, processId, view: isCashier ? "EnterOtp" : "EnterPhoneNumber", body: {} }]
    }
    if (otp !== "1234" || phone === null) return [200, { success: false, processId, step: "otp_response", body: {} }]
    logins.delete(processId)
    const tokenSN = `token-${sessions.size + 1}-${phone}`
    sessions.set(tokenSN, phone)
    return [200, { success: true, processId, tokenSN, vtokenSecret: "encrypted", profileId: 12_345, phone }]
  }

  const make = (kind: Made["kind"], amount: unknown, of: string): Answer => {
    if (typeof amount !== "number") return missing
    const id = 789_000 + operations.length
    const status = kind === "qr" ? "QrTokenCreated" : "RemotePaymentCreated"
    operations.push({ id, kind, amount, of, status, refunds: [] })
    if (kind === "push") return kaspi({ Id: id, Status: status, Amount: amount, OrderNumber: `N-${id}` })
    // Kazakhstan's time, without a zone.
    const ExpireDate = new Date(Date.now() + 5 * 3_600_000 + 180_000).toISOString().slice(0, 19)
    return kaspi({ QrOperationId: id, QrToken: `https://pay.kaspi.example/pay/${id}`, ExpireDate, Amount: amount })
  }

  const perform = (call: Call, tokenSN: string, asked: Record<string, unknown>): Answer => {
    if (call === "initLogin" || call === "sendPhone" || call === "verifyOtp")
      return login(call, asked as Record<string, string>)
    const of = sessions.get(tokenSN)
    if (of === undefined) return [401, { error: "Invalid or expired vtokenSecret. Re-authenticate." }]
    if (call === "checkSession") return [200, { active: true }]
    if (call === "createQr") return make("qr", asked["amount"], of)
    if (call === "createPush") return make("push", asked["amount"], of)
    const id = Number(asked["qrOperationId"] ?? asked["operationId"])
    const found = operations.find((one) => one.id === id && one.of === of)
    if (found === undefined) return refused
    if (call === "state") return kaspi({ Id: id, Status: found.status, Amount: found.amount })
    if (call === "cancel") {
      if (found.status !== "RemotePaymentCreated") return refused
      found.status = "RemotePaymentCanceled"
      return kaspi({})
    }
    const back = Number(asked["returnAmount"])
    const left = found.refunds.reduce((rest, each) => rest - each, found.amount)
    if (found.status !== "Processed" || back > left) return refused
    found.refunds.push(back)
    return kaspi({})
  }

  return { operations, sessions, perform }
}

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let text = ""
  for await (const part of request.setEncoding("utf8")) text += part
  return text === "" ? {} : JSON.parse(text)
}

const send = (response: ServerResponse, [status, body]: Answer) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

/** What customers do, as the statuses that are documented. */
const becomes = {
  qr: { pay: "Processed", refuse: "CancelledByUser", fail: "Rejected", expire: "QrTokenDiscarded" },
  push: { pay: "Processed", refuse: "RemotePaymentRejected", fail: "Error", expire: "Expired" }
} as const

/** Starts the server on any free port. */
export const documented = async () => {
  const { operations, sessions, perform } = makeKaspi()
  let next: { readonly call: string; readonly trouble: Trouble } | undefined

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    const asked = { ...Object.fromEntries(searchParams), ...(await bodyOf(request)) }
    const call = calls[pathname]
    if (call === undefined) return void send(response, [404, {}])
    const trouble = next?.call === call ? next.trouble : undefined
    if (trouble !== undefined) next = undefined
    const deed = () => perform(call, String(request.headers["x-token-sn"]), asked)
    if (trouble === "silence") return
    if (trouble === "lost_request") return void request.socket.destroy()
    if (trouble === "server_error") return void send(response, [500, { error: "Kaspi" }])
    if (trouble === "unreadable") return void response.end("<html>")
    if (trouble === "throttled") return void response.writeHead(429, { "retry-after": "2" }).end()
    const answer = deed()
    if (trouble === "lost_answer") return void request.socket.destroy()
    send(response, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`

  const of = (reference: string) => operations.find(({ id }) => id === Number(reference.split(":")[1]))
  return {
    url,
    operations,
    /** What the suite of providers steers it with. */
    control: {
      cashiers,
      codes: { right: "1234", wrong: "4321" },
      act: async (reference: string, does: "scan" | keyof (typeof becomes)["qr"]) => {
        const found = of(reference)
        // That a code was opened is not told.
        if (found !== undefined && does !== "scan") found.status = becomes[found.kind][does]
      },
      loseSessions: async () => sessions.clear(),
      trouble: async (call: string, trouble: Trouble) => {
        next = { call: call === "stateByReference" ? "state" : call, trouble }
      }
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
