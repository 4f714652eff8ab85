/** Machines of what is owed and paid: invoices, refunds, subscriptions and their runs. */
import { decideInvoice, type Invoice, InvoiceCommand, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import type { InvoiceDraft } from "@tolem/core/invoice/InvoiceDraft"
import { invoiceDefaults } from "@tolem/core/invoice/InvoiceSettings"
import { begin } from "@tolem/core/invoice/live/LiveRefund"
import { nextStep } from "@tolem/core/invoice/live/ProviderState"
import { liveInvoice, sandboxInvoice, waitingInvoice } from "@tolem/core/invoice/NewInvoice"
import { decideRefund, type Refund } from "@tolem/core/invoice/Refund"
import { Signal } from "@tolem/core/provider/Payment"
import { decideRun, newRun, type Run, RunCommand } from "@tolem/core/subscription/Run"
import * as RunDecisions from "@tolem/core/subscription/RunDecisions"
import { runInvoice } from "@tolem/core/subscription/RunInvoice"
import {
  decideSubscription,
  isClosed,
  type Subscription,
  SubscriptionCommand
} from "@tolem/core/subscription/Subscription"
import { subscriptionDefaults } from "@tolem/core/subscription/SubscriptionSettings"
import { Tiyn, zero } from "@tolem/core/value/Money"
import { Result } from "effect"
import type { Machine, Move } from "./Chart.ts"

const now = 1_767_225_600_000
const hour = 3_600_000
const nobody = { name: null, phone: null, email: null }
const context = { now, eventId: "evt_1", source: "api" } as const

const draft: InvoiceDraft = {
  kind: "qr",
  amount: Tiyn(100_00),
  description: null,
  externalOrderId: null,
  customer: nobody,
  successUrl: null,
  failUrl: null,
  metadata: null,
  idempotencyKey: null
}
const facts = { id: "inv_1", organizationId: "org_1", now, connectionId: "con_1", fingerprint: null }
const live = liveInvoice(draft, facts)
const sandbox = sandboxInvoice(draft, { ...facts, links: { qrUrl: "", deepLink: "" } }, invoiceDefaults)
const waiting = (given: Partial<InvoiceDraft>) => {
  const origin = { kind: "subscription", id: "sub_1", run: 1, attempt: 0 } as const
  return waitingInvoice({ ...draft, ...given }, { ...facts, connectionId: null, origin }, invoiceDefaults)
}

const invoices: ReadonlyArray<Invoice> = InvoiceStatus.literals.map((status) => ({
  ...live,
  status,
  refunded: status === "refunded" ? live.amount : status === "partially_refunded" ? Tiyn(40_00) : zero
}))

const refund: Refund = {
  id: "ref_1",
  invoiceId: "inv_1",
  organizationId: "org_1",
  amount: Tiyn(10_00),
  status: "pending",
  reason: null,
  idempotencyKey: null,
  fingerprint: null,
  providerReference: null,
  createdAt: now,
  completedAt: null
}

type Examples<Row, Command extends { readonly _tag: string }> = Readonly<
  Record<Command["_tag"], ReadonlyArray<readonly [label: string, command: (row: Row) => Command]>>
>
/** The moves of all commands: one without an example does not compile. */
const movesOf = <Row, Command extends { readonly _tag: string }>(
  examples: Examples<Row, Command>,
  decide: (row: Row, command: Command) => Row | null
): ReadonlyArray<Move<Row>> =>
  Object.values<Examples<Row, Command>[Command["_tag"]]>(examples).flatMap((each) =>
    each.map(([label, command]): Move<Row> => [label, (row) => decide(row, command(row))])
  )

const refundOf = (amount: Tiyn) => InvoiceCommand.Refund({ refund: { ...refund, amount } })
const decided = (invoice: Invoice, command: InvoiceCommand) =>
  Result.getOrNull(Result.map(decideInvoice(invoice, command, context), ({ next }) => next))

/** See `decideInvoice`. */
export const invoiceMachine: Machine<Invoice> = {
  title: "Invoice",
  about: "`pay` of an expired or cancelled invoice is late money. Every command that has no arrow is refused.",
  stateOf: ({ status }) => status,
  begins: [
    ["live, before the provider is asked", live],
    ["of a link, a hook or a run, until a person asks for its code", waiting({ kind: "qr" })],
    ["sandbox", sandbox],
    ["of a run for a phone, sandbox", waiting({ kind: "phone" })]
  ],
  examples: invoices,
  moves: movesOf<Invoice, InvoiceCommand>(
    {
      Offer: [
        [
          "offer",
          () => InvoiceCommand.Offer({ offer: { reference: "P", qrUrl: null, deepLink: null, expiresAt: now } })
        ]
      ],
      Pay: [["pay", () => InvoiceCommand.Pay({ paidAt: now })]],
      Fail: [["fail", () => InvoiceCommand.Fail()]],
      Expire: [["expire", () => InvoiceCommand.Expire()]],
      Cancel: [["cancel", () => InvoiceCommand.Cancel()]],
      Refund: [
        ["refund a part", () => refundOf(Tiyn(10_00))],
        ["refund the rest", ({ amount, refunded }) => refundOf(Tiyn(amount - refunded))]
      ]
    },
    decided
  )
}

const paid: Invoice = { ...live, status: "paid", paidAt: now, providerReference: "P" }
const made = { reference: "R", ours: null, amount: Tiyn(10_00), at: now }
const foundRefund = (): Refund => {
  const receipt = { at: now, reference: "M", amount: paid.amount, number: null, url: null }
  const signal = Signal.Paid({ receipt, refunds: [made] })
  const payment = { reference: "P", ours: "inv_1", amount: paid.amount, links: null, expiresAt: now, signal }
  const found = { invoice: paid, refunds: [], payment: { ...payment, statusText: "" }, refundId: "ref_1" }
  const step = nextStep({ ...found, circumstances: context })
  if (step._tag !== "Write" || step.write.refund === null) throw new Error("a refund of the provider has no record")
  return step.write.refund
}

/** See `decideRefund`. */
export const refundMachine: Machine<Refund> = {
  title: "Refund",
  about: "`pending` is written before the provider is called; while one is `pending` or `unknown` no other begins.",
  stateOf: ({ status }) => status,
  begins: [
    ["asked for", Result.getOrThrow(begin(paid, [], { ...refund, amount: null }, now)).record],
    ["found at the provider", foundRefund()]
  ],
  examples: (["pending", "unknown", "succeeded", "failed"] as const).map((status) => ({ ...refund, status })),
  moves: [
    ["made", (record) => decideRefund(record, made, now)],
    ["refused", (record) => decideRefund(record, "failed", now)],
    ["no answer", (record) => decideRefund(record, "unknown", now)]
  ]
}

const subscription: Subscription = {
  id: "sub_1",
  organizationId: "org_1",
  mode: "sandbox",
  connectionId: null,
  status: "active",
  amount: Tiyn(100_00),
  kind: "qr",
  description: null,
  customer: nobody,
  metadata: null,
  interval: "day",
  every: 1,
  dayOfMonth: null,
  anchorAt: now,
  retryHours: [1],
  misfire: "run_once",
  nextIndex: 0,
  nextRunAt: now,
  lastRunAt: null,
  lastInvoiceId: null,
  runs: 1,
  maxRuns: null,
  faults: 0,
  fault: null,
  idempotencyKey: null,
  fingerprint: null,
  dueAt: now,
  createdAt: now,
  updatedAt: now,
  sequence: 1,
  version: 1
}
const decisions = { now, eventIds: ["evt_1", "evt_2"], source: "api" } as const

const afterRun = (given: Subscription): Subscription | null => {
  if (isClosed(given)) return null
  const place = { run: given.runs + 1, attempt: 0 }
  const invoice = runInvoice(given, place, facts, subscriptionDefaults)
  const decided = decideInvoice(invoice, InvoiceCommand.Cancel(), context)
  const creation = { invoice, event: Result.getOrThrow(decided).event }
  return RunDecisions.runMade(given, { creation, mail: null, due: null, issueAt: null }, decisions).next
}

/** See `decideSubscription`, and `runMade` for its runs. */
export const subscriptionMachine: Machine<Subscription> = {
  title: "Subscription",
  about: "A closed one, cancelled or finished, accepts nothing any more.",
  stateOf: ({ status }) => status,
  begins: [["create", subscription]],
  examples: (["active", "paused", "cancelled", "finished"] as const).map((status) => ({ ...subscription, status })),
  moves: [
    ...movesOf<Subscription, SubscriptionCommand>(
      {
        Pause: [["pause", () => SubscriptionCommand.Pause()]],
        Resume: [["resume", () => SubscriptionCommand.Resume()]],
        Cancel: [["cancel", () => SubscriptionCommand.Cancel()]],
        Patch: [
          ["change", () => SubscriptionCommand.Patch({ patch: { amount: Tiyn(50_00) } })],
          ["change maxRuns to what it has made", ({ runs }) => SubscriptionCommand.Patch({ patch: { maxRuns: runs } })]
        ]
      },
      (row, command) =>
        Result.getOrNull(Result.map(decideSubscription(row, command, decisions), (change) => change?.next ?? null))
    ),
    ["make a run", afterRun],
    ["make the last run", (row) => afterRun({ ...row, maxRuns: row.runs + 1 })]
  ]
}

const begun = { subscriptionId: "sub_1", organizationId: "org_1", run: 1, scheduledAt: now, invoiceId: "inv_1" }
const open = newRun(begun, null, now)
const reissue = { lostAt: now - hour, renewals: 0, invoiceId: "inv_2" }

/** See `decideRun`. */
export const runMachine: Machine<Run> = {
  title: "Run of a subscription",
  about:
    "`waiting` is stored as `open` with a date: its invoice has ended without money, and is issued again then. Where " +
    "the subscription is cancelled, or paused at that date, the run ends in its place.",
  stateOf: ({ status, dueAt }) => (status === "open" && dueAt !== null ? "waiting" : status),
  begins: [
    ["make, for a page", open],
    ["make, for a phone", newRun(begun, now, now)]
  ],
  examples: [
    newRun(begun, now, now),
    open,
    { ...open, dueAt: now },
    { ...open, invoiceIds: ["inv_1", "inv_2"] },
    { ...open, status: "ended" }
  ],
  moves: movesOf<Run, RunCommand>(
    {
      Offer: [["the invoice can be paid", () => RunCommand.Offer()]],
      Fault: [["fault", () => RunCommand.Fault({ code: "provider_error" })]],
      Pay: [["paid, in time or late", () => RunCommand.Pay()]],
      Cancel: [["invoice cancelled", () => RunCommand.Cancel()]],
      Lose: [["invoice failed or expired", () => RunCommand.Lose({ lostAt: now, renewals: 0 })]],
      Reissue: [
        ["issue again, for a page", () => RunCommand.Reissue({ ...reissue, issueAt: null })],
        ["issue again, for a phone", () => RunCommand.Reissue({ ...reissue, issueAt: now })]
      ],
      Renew: [["the customer wants another code", () => RunCommand.Renew({ invoiceId: "inv_3" })]]
    },
    (run, command) =>
      Result.getOrNull(
        Result.map(decideRun(run, command, { now, subscription, settings: subscriptionDefaults }), ({ next }) => next)
      )
  )
}
