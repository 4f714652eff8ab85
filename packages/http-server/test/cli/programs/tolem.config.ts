/** A configuration as an operator would write it: everything in plain promises, nothing from Effect. */
import { defineProvider, outcome } from "@tolem/core"
import { Tiyn } from "@tolem/core/value/Money"
import { defineConfig } from "../../../src/index.ts"

const amounts = new Map<string, Tiyn>()
const payment = (reference: string, isPaid: boolean) => {
  const amount = amounts.get(reference) ?? Tiyn(0)
  const at = Date.now()
  const receipt = { at, reference: `m-${reference}`, amount, number: "77", url: null }
  return outcome.accepted({
    reference,
    ours: reference,
    amount,
    links: { qrUrl: `https://bank.example/${reference}`, deepLink: `bank://${reference}` },
    expiresAt: at + 60_000,
    signal: isPaid ? { _tag: "Paid" as const, receipt, refunds: [] } : { _tag: "Waiting" as const },
    statusText: isPaid ? "paid" : "waiting"
  })
}

/** Its customers pay before they are asked about. */
const provider = defineProvider({
  name: "Own bank",
  can: { findByOurs: false, cancel: false },
  createQr: async ({ ours, amount }) => {
    amounts.set(ours, amount)
    return payment(ours, false)
  },
  createPush: async () => outcome.refused("other"),
  stateByReference: async ({ reference }) => payment(reference, true),
  refund: async () => outcome.unknown,
  initLogin: async () => outcome.accepted({ processId: "login", expiresAt: Date.now() + 60_000 }),
  sendPhone: async () => outcome.accepted(undefined),
  verifyOtp: async ({ otp }) => (otp === "4321" ? outcome.accepted("session") : outcome.refused("wrong_code")),
  checkSession: async () => outcome.accepted(undefined)
})

const gateway = process.env["GATEWAY"] ?? ""

export default defineConfig({
  provider,
  channels: [
    {
      name: "sms",
      send: async ({ phone, code }) => {
        const { ok } = await fetch(gateway, { method: "POST", body: JSON.stringify({ phone, code }) })
        if (!ok) throw new Error("the gateway has not taken it")
      }
    }
  ],
  tariffs: [
    { code: "free", name: "Free", monthlyLimit: 40, dailyLimit: 7 },
    { code: "paid", name: "Paid", monthlyLimit: 1000, priceTenge: 900 }
  ],
  settings: { readsPerMinute: 5, writesPerMinute: 1000, live: { openIntervals: [{ untilMs: 3_600_000, everyMs: 50 }] } }
})
