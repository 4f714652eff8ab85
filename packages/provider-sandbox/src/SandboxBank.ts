/**
 * The simulated provider: a state machine in memory. It does nothing by itself: every call brings the time, and first
 * everything happens that fell due before it. The same calls at the same times give the same answers.
 */
import { type Abilities, complete } from "@tolem/core/provider/Abilities"
import { Answer } from "@tolem/core/provider/Answer"
import type { OperationBounds } from "@tolem/core/provider/Operation"
import type { Call } from "@tolem/core/provider/PaymentProvider"
import * as Cases from "./Cases.ts"
import * as Cashiers from "./Cashiers.ts"
import * as Execution from "./Execution.ts"
import * as FaultQueue from "./FaultQueue.ts"
import * as Ledger from "./Ledger.ts"
import type { Action } from "./Life.ts"
import type { Reply } from "./Reply.ts"
import * as ScenarioBook from "./ScenarioBook.ts"
import type { Planted } from "./Statement.ts"
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
    can: abilities(options),
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

const abilities = ({ can }: Options): Required<Abilities> => complete({ listOperations: true, ...can })

const begin = (options: Options, runs: number) => {
  const { code = usualCode, scenario = "waits", qrWindowMs = 3 * minutes, phoneWindowMs = 1440 * minutes } = options
  const mark = `${options.mark ?? "0"}.${runs}`
  const timeline = Timeline.make()
  const cashiers = Cashiers.make(code, mark)
  const url = options.url?.replace(/\/+$/, "") ?? null
  const ledger = Ledger.make({ qrMs: qrWindowMs, phoneMs: phoneWindowMs, mark, url, can: abilities(options) })
  const book = ScenarioBook.make(scenario)
  const faults = FaultQueue.make()
  const parts = { timeline, cashiers, ledger, cases: Cases.make(book), perform: Execution.make(timeline, faults) }
  return {
    calls: { ...paymentCalls(parts), ...loginCalls(parts) },
    control: {
      /** Every payment, oldest first. */
      payments: (now: number) => ledger.all(timeline.settle(now)),
      payment: (reference: string, now: number) => ledger.find(reference, timeline.settle(now)),
      /** Does it as the customer or the bank would; undefined if it cannot be done, or there is no such payment. */
      act: (reference: string, action: Action, now: number) => ledger.act(reference, action, timeline.settle(now)),
      /** What the list of operations says that is not so. */
      planted: ledger.planted,
      /** Has the list of operations say what is not so; null: all of it is true again. */
      plant: (one: Planted | null, now: number): void => ledger.plant(one, timeline.settle(now)),
      /** Faults that calls meet before those of their payment. */
      faults,
      book,
      /** Ends the sessions of the cashier, or everybody's, and answers how many. */
      loseSessions: cashiers.loseAll,
      /** Lets the bank's time run ahead of its callers' clocks by so much more, and answers it. */
      advance: (ms: number, now: number): number => {
        timeline.advance(ms)
        return timeline.settle(now)
      }
    }
  }
}

/** The calls of the port. `session` is a token of `verifyOtp`; `now` is the instant at which the call arrives. */
export interface BankCalls extends ReturnType<typeof paymentCalls>, ReturnType<typeof loginCalls> {}

/** What steers the bank while it runs. */
export interface BankControl extends Readonly<ReturnType<typeof begin>["control"]> {}

interface Parts {
  readonly timeline: Timeline.Timeline
  readonly cashiers: Cashiers.Cashiers
  readonly ledger: Ledger.Ledger
  readonly cases: Cases.Cases
  readonly perform: Execution.Perform
}

const paymentCalls = ({ timeline, cashiers, ledger, cases, perform }: Parts) => {
  /** The session is looked at when the call arrives, for its faults, and when it is carried out. */
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
      deed: (at) => {
        const cashier = cashiers.phoneOf(session)
        return cashier === null ? Answer.SessionLost() : deed(cashier, at)
      },
      loseSession: () => cashiers.lose(session)
    })
  }
  const ofOurs = (ours: string) => (cashier: string) => cases.ofPayment(cashier, ours)
  const ofReference = (reference: string) => (cashier: string) => {
    const ours = ledger.oursOf(cashier, reference)
    return ours === undefined ? undefined : cases.ofPayment(cashier, ours)
  }

  return {
    /** A push if the order has a phone, else a QR. */
    create: (session: string, order: Ledger.Order, now: number) => {
      const open = (cashier: string) => cases.open(cashier, order)
      return ask(order.phone === null ? "createQr" : "createPush", session, now, open, (cashier, at) =>
        ledger.create(cashier, order, open(cashier).scenario, at)
      )
    },
    stateByReference: (session: string, reference: string, now: number) =>
      ask("stateByReference", session, now, ofReference(reference), (cashier, at) =>
        ledger.byReference(cashier, reference, at)
      ),
    stateByOurs: (session: string, ours: string, now: number) =>
      ask("stateByOurs", session, now, ofOurs(ours), (cashier, at) => ledger.byOurs(cashier, ours, at)),
    cancel: (session: string, reference: string, now: number) =>
      ask("cancel", session, now, ofReference(reference), (cashier, at) => ledger.cancel(cashier, reference, at)),
    refund: (session: string, order: Ledger.RefundOrder, now: number) => {
      const link = (cashier: string) => cases.link(cashier, order.ours, ofReference(order.reference)(cashier))
      return ask("refund", session, now, link, (cashier, at) => ledger.refund(cashier, order, at))
    },
    refundState: (session: string, ours: string, now: number) => {
      const ofRefund = (cashier: string) => cases.ofRefund(cashier, ours)
      return ask("refundState", session, now, ofRefund, (cashier, at) => ledger.refundByOurs(cashier, ours, at))
    },
    listOperations: (session: string, order: OperationBounds, now: number) => {
      const ofNone = () => undefined
      return ask("listOperations", session, now, ofNone, (cashier, at) => ledger.operations(cashier, order, at))
    }
  }
}

const loginCalls = ({ cashiers, cases, perform }: Parts) => {
  const ask = <A>(
    call: Call,
    phone: string | null,
    now: number,
    deed: (at: number) => Answer<A>,
    loseSession = nothing
  ) => {
    const own = phone === null ? undefined : cases.ofCashier(phone)?.faults
    return perform(call, now, { own, deed, loseSession })
  }
  return {
    initLogin: (now: number) => ask("initLogin", null, now, (at) => Answer.Accepted({ value: cashiers.init(at) })),
    sendPhone: (processId: string, phone: string, now: number) =>
      ask("sendPhone", phone, now, (at) => cashiers.sendPhone(processId, phone, at)),
    verifyOtp: (processId: string, otp: string, now: number) =>
      ask("verifyOtp", cashiers.phoneOfProcess(processId), now, (at) => cashiers.verify(processId, otp, at)),
    checkSession: (session: string, now: number): Reply<void> => {
      const known = () =>
        cashiers.phoneOf(session) === null ? Answer.SessionLost() : Answer.Accepted({ value: undefined })
      return ask("checkSession", cashiers.phoneOf(session), now, known, () => cashiers.lose(session))
    }
  }
}

const nothing = () => {}
