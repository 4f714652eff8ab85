/**
 * The simulated provider: a state machine in memory. It does nothing by itself: every call brings the time, and first
 * everything happens that fell due before it. The same calls at the same times give the same answers.
 */
import { type Abilities, complete } from "@tolem/core/provider/Abilities"
import { Answer } from "@tolem/core/provider/Answer"
import type { MadeRefund, Payment } from "@tolem/core/provider/Payment"
import type { Call, LoginProcess } from "@tolem/core/provider/PaymentProvider"
import * as Cases from "./Cases.ts"
import * as Cashiers from "./Cashiers.ts"
import * as Execution from "./Execution.ts"
import * as FaultQueue from "./FaultQueue.ts"
import * as Ledger from "./Ledger.ts"
import type { Action, Life } from "./Life.ts"
import type { Reply } from "./Reply.ts"
import * as ScenarioBook from "./ScenarioBook.ts"
import * as Timeline from "./Timeline.ts"

/** How the bank behaves if no scenario says otherwise. Durations are milliseconds. */
export interface Options {
  /** The code that every cashier receives. Default `111111`. */
  readonly code?: string | undefined
  /** Scenario of payments that nothing else chooses one for. Default `waits`. */
  readonly scenario?: string | undefined
  /** How long a QR can be scanned. Default 3 minutes. */
  readonly qrWindowMs?: number | undefined
  /** How long a push waits in the customer's app. Default 24 hours. */
  readonly phoneWindowMs?: number | undefined
  /** Part of every reference, so that those of a later process differ. Default `0`. */
  readonly mark?: string | undefined
  /** Where customers reach the pages of `sandboxRoutes`. Without it, receipts have no address. */
  readonly url?: string | undefined
  /** What it cannot do, as `{ findByOurs: false }`. Default: it can do everything. */
  readonly can?: Abilities | undefined
}

/** The calls of the port. `session` is a token of `verifyOtp`; `now` is the instant at which the call arrives. */
export interface BankCalls {
  /** A push if the order has a phone, else a QR. */
  readonly create: (session: string, order: Ledger.Order, now: number) => Reply<Payment>
  readonly stateByReference: (session: string, reference: string, now: number) => Reply<Payment>
  readonly stateByOurs: (session: string, ours: string, now: number) => Reply<Payment>
  readonly cancel: (session: string, reference: string, now: number) => Reply<Payment>
  readonly refund: (session: string, order: Ledger.RefundOrder, now: number) => Reply<MadeRefund>
  readonly refundState: (session: string, ours: string, now: number) => Reply<MadeRefund>
  readonly initLogin: (now: number) => Reply<LoginProcess>
  readonly sendPhone: (processId: string, phone: string, now: number) => Reply<void>
  readonly verifyOtp: (processId: string, otp: string, now: number) => Reply<string>
  readonly checkSession: (session: string, now: number) => Reply<void>
}

/** What steers the bank while it runs. */
export interface BankControl {
  /** Every payment, oldest first. */
  readonly payments: (now: number) => ReadonlyArray<Life>
  readonly payment: (reference: string, now: number) => Life | undefined
  /** Does it as the customer or the bank would; undefined if it cannot be done, or there is no such payment. */
  readonly act: (reference: string, action: Action, now: number) => Life | undefined
  /** Faults that calls meet before those of their payment. */
  readonly faults: FaultQueue.FaultQueue
  readonly book: ScenarioBook.ScenarioBook
  /** Ends the sessions of the cashier, or everybody's, and answers how many. */
  readonly loseSessions: (phone: string | null) => number
  /** Lets the bank's time run ahead of its callers' clocks by so much more, and answers it. */
  readonly advance: (ms: number, now: number) => number
}

/** The bank: its counter, and its back door. Ask for either anew at each use: `reset` replaces both. */
export interface SandboxBank {
  readonly can: Required<Abilities>
  /** The code that every cashier receives. */
  readonly code: string
  readonly calls: BankCalls
  readonly control: BankControl
  /** Forgets everything: payments, sessions, faults, scenarios, time. */
  readonly reset: () => void
}

/** A bank of its own. */
export const make = (options: Options = {}): SandboxBank => {
  let runs = 1
  let run = begin(options, runs)
  return {
    can: complete(options.can ?? {}),
    code: options.code ?? usualCode,
    get calls() {
      return run.calls
    },
    get control() {
      return run.control
    },
    reset: () => {
      run = begin(options, ++runs)
    }
  }
}

const minutes = 60_000
const usualCode = "111111"

const begin = (options: Options, runs: number): Pick<SandboxBank, "calls" | "control"> => {
  const { code = usualCode, scenario = "waits", qrWindowMs = 3 * minutes, phoneWindowMs = 1440 * minutes } = options
  const mark = `${options.mark ?? "0"}.${runs}`
  const timeline = Timeline.make()
  const cashiers = Cashiers.make(code, mark)
  const url = options.url?.replace(/\/+$/, "") ?? null
  const ledger = Ledger.make({ qrMs: qrWindowMs, phoneMs: phoneWindowMs, mark, url, can: complete(options.can ?? {}) })
  const book = ScenarioBook.make(scenario)
  const faults = FaultQueue.make()
  const parts = { timeline, cashiers, ledger, cases: Cases.make(book), perform: Execution.make(timeline, faults) }
  return {
    calls: { ...paymentCalls(parts), ...loginCalls(parts) },
    control: {
      payments: (now) => ledger.all(timeline.settle(now)),
      payment: (reference, now) => ledger.find(reference, timeline.settle(now)),
      act: (reference, action, now) => ledger.act(reference, action, timeline.settle(now)),
      faults,
      book,
      loseSessions: cashiers.loseAll,
      advance: (ms, now) => {
        timeline.advance(ms)
        return timeline.settle(now)
      }
    }
  }
}

interface Parts {
  readonly timeline: Timeline.Timeline
  readonly cashiers: Cashiers.Cashiers
  readonly ledger: Ledger.Ledger
  readonly cases: Cases.Cases
  readonly perform: Execution.Perform
}

type LoginCall = "initLogin" | "sendPhone" | "verifyOtp" | "checkSession"

const paymentCalls = ({ timeline, cashiers, ledger, cases, perform }: Parts): Omit<BankCalls, LoginCall> => {
  /** What only a cashier may ask. `own` finds the payment that it is about, `deed` does it. */
  const ask = <A>(
    call: Call,
    session: string,
    now: number,
    own: (cashier: string) => Cases.Case | undefined,
    deed: (cashier: string, at: number) => Answer<A>
  ): Reply<A> => {
    timeline.settle(now)
    const asking = cashiers.phoneOf(session)
    return perform(call, now, {
      own: asking === null ? undefined : own(asking)?.faults,
      // Asked for again: the session may be lost when a late deed is done.
      deed: (at) => {
        const cashier = cashiers.phoneOf(session)
        return cashier === null ? Answer.SessionLost() : deed(cashier, at)
      },
      loseSession: () => cashiers.lose(session)
    })
  }
  const ofReference = (cashier: string, reference: string) => {
    const ours = ledger.oursOf(cashier, reference)
    return ours === undefined ? undefined : cases.ofPayment(cashier, ours)
  }

  return {
    create: (session, order, now) => {
      const open = (cashier: string) => cases.open(cashier, order)
      return ask(order.phone === null ? "createQr" : "createPush", session, now, open, (cashier, at) =>
        ledger.create(cashier, order, open(cashier).scenario, at)
      )
    },
    stateByReference: (session, reference, now) =>
      ask(
        "stateByReference",
        session,
        now,
        (cashier) => ofReference(cashier, reference),
        (cashier, at) => ledger.byReference(cashier, reference, at)
      ),
    stateByOurs: (session, ours, now) =>
      ask(
        "stateByOurs",
        session,
        now,
        (cashier) => cases.ofPayment(cashier, ours),
        (cashier, at) => ledger.byOurs(cashier, ours, at)
      ),
    cancel: (session, reference, now) =>
      ask(
        "cancel",
        session,
        now,
        (cashier) => ofReference(cashier, reference),
        (cashier, at) => ledger.cancel(cashier, reference, at)
      ),
    refund: (session, order, now) =>
      ask(
        "refund",
        session,
        now,
        (cashier) => cases.link(cashier, order.ours, ofReference(cashier, order.reference)),
        (cashier, at) => ledger.refund(cashier, order, at)
      ),
    refundState: (session, ours, now) =>
      ask(
        "refundState",
        session,
        now,
        (cashier) => cases.ofRefund(cashier, ours),
        (cashier, at) => ledger.refundByOurs(cashier, ours, at)
      )
  }
}

const loginCalls = ({ cashiers, cases, perform }: Parts): Pick<BankCalls, LoginCall> => {
  const faultsOf = (phone: string | null) => (phone === null ? undefined : cases.ofCashier(phone)?.faults)
  const nothing = () => {}
  return {
    initLogin: (now) =>
      perform("initLogin", now, {
        own: undefined,
        deed: (at) => Answer.Accepted({ value: cashiers.init(at) }),
        loseSession: nothing
      }),
    sendPhone: (processId, phone, now) =>
      perform("sendPhone", now, {
        own: faultsOf(phone),
        deed: (at) => cashiers.sendPhone(processId, phone, at),
        loseSession: nothing
      }),
    verifyOtp: (processId, otp, now) =>
      perform("verifyOtp", now, {
        own: faultsOf(cashiers.phoneOfProcess(processId)),
        deed: (at) => cashiers.verify(processId, otp, at),
        loseSession: nothing
      }),
    checkSession: (session, now) =>
      perform("checkSession", now, {
        own: faultsOf(cashiers.phoneOf(session)),
        deed: () => (cashiers.phoneOf(session) === null ? Answer.SessionLost() : Answer.Accepted({ value: undefined })),
        loseSession: () => cashiers.lose(session)
      })
  }
}
