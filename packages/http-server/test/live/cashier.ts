/** The service in live mode over a simulated bank, with a cashier who has logged in. */
import { Engine } from "@tolem/core/engine/Engine"
import type { Abilities } from "@tolem/core/provider/Abilities"
import type { Answer as Answered } from "@tolem/core/provider/Answer"
import type { Payment } from "@tolem/core/provider/Payment"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import type { Fault, FaultRule } from "@tolem/provider-sandbox/Scenario"
import { Effect, Layer, Redacted } from "effect"
import { type Answer, call } from "../support/calls.ts"
import * as TestClock from "../support/clock.ts"
import { type Given, start } from "../support/service.ts"

const startAt = 1_767_225_600_000

const withoutOurs = (payment: Payment): Payment =>
  payment.signal._tag === "Paid"
    ? {
        ...payment,
        signal: { ...payment.signal, refunds: payment.signal.refunds.map((one) => ({ ...one, ours: null })) }
      }
    : payment
const accepted = (answer: Answered<Payment>): Answered<Payment> =>
  answer._tag === "Accepted" ? { ...answer, value: withoutOurs(answer.value) } : answer

const anonymous = (layer: Layer.Layer<PaymentProvider>) =>
  Layer.effect(
    PaymentProvider,
    Effect.map(PaymentProvider, (provider) => ({
      ...provider,
      stateByOurs: (asked) => Effect.map(provider.stateByOurs(asked), accepted),
      stateByReference: (asked) => Effect.map(provider.stateByReference(asked), accepted)
    }))
  ).pipe(Layer.provide(layer))

/** Starts the service with a merchant who can take live payments, and a provider that is given up after so long. */
export const live = async (
  timeoutMs = 100,
  given: Pick<Given, "alter"> & {
    readonly bankUrl?: string
    readonly can?: Abilities
    /** Payments show what went back without our ids. */
    readonly isAnonymous?: boolean
  } = {}
) => {
  const { bankUrl: url, can, isAnonymous = false, ...more } = given
  const bank = SandboxBank.make({ url, can })
  const provider = InProcess.layer(bank, { timeoutMs })
  const service = await start({ ...more, now: startAt, provider: isAnonymous ? anonymous(provider) : provider })
  // The bank's time never goes back, so nothing may bring it the real one.
  const run = <A, E>(effect: Effect.Effect<A, E>) => service.run(Effect.provide(effect, TestClock.layer(service.time)))
  const { id: organizationId } = await service.organization()
  const { connections } = await service.run(Engine)
  const cashier = await run(connections.create(organizationId, { name: "Till" }))
  const login = async (connectionId = cashier.id) => {
    const { id: processId } = await run(connections.initLogin(organizationId, connectionId))
    const phone = "77010000000"
    await run(connections.sendPhone(organizationId, connectionId, { processId, phone }))
    const otp = Redacted.make("111111")
    return run(connections.verifyOtp(organizationId, connectionId, { processId, otp }))
  }
  await login()
  const key = await service.key({ organizationId, mode: "live" })
  const invoices = "/api/v1/invoices"
  const payments = () => bank.control.payments(service.time.now)
  const of = (answer: Answer) => {
    const found = payments().find(({ ours }) => ours === answer.body["id"])
    if (found === undefined) throw new Error("the bank has no such payment")
    return found.reference
  }
  return {
    service,
    bank,
    key,
    organizationId,
    cashier,
    connections,
    login,
    payments,
    /** Meets the next call, or the next calls. */
    fault: (call: FaultRule["call"], fault: Fault, times: number | null = 1) =>
      bank.control.faults.add({ call, times, fault }),
    pass: (ms: number) => {
      service.time.now += ms
    },
    create: (body: object = {}, headers: Record<string, string> = {}) =>
      call(service, "POST", invoices, { key, body: { amount: 1500, ...body }, headers }),
    read: (made: Answer, query = "") => call(service, "GET", `${invoices}/${made.body["id"]}${query}`, { key }),
    look: (made: Answer) => call(service, "GET", `${invoices}/${made.body["id"]}?live=1`, { key }),
    cancel: (made: Answer) => call(service, "POST", `${invoices}/${made.body["id"]}/cancel`, { key }),
    refund: (made: Answer, body: object = {}, headers: Record<string, string> = {}) =>
      call(service, "POST", `${invoices}/${made.body["id"]}/refund`, { key, body, headers }),
    pay: (made: Answer) => bank.control.act(of(made), { does: "pay" }, service.time.now),
    act: (made: Answer, action: Parameters<typeof bank.control.act>[1]) =>
      bank.control.act(of(made), action, service.time.now),
    stored: (id: string) =>
      service.run(
        Effect.flatMap(Engine, ({ invoices }) =>
          invoices.get({ organizationId, mode: "live", connectionId: null, source: "system" }, id)
        )
      ),
    stop: service.stop
  }
}

/** What `live` starts. */
export type Live = Awaited<ReturnType<typeof live>>
