/** The life of a payment at the simulated bank: what is done to it, and what it does by itself as time passes. Pure. */
import { type MadeRefund, type Payment, Signal } from "@tolem/core/provider/Payment"
import { subtract, Tiyn, zero } from "@tolem/core/value/Money"
import type { Step } from "./Scenario.ts"

/** A payment as the bank keeps it. Instants are milliseconds. */
export interface Life {
  readonly reference: string
  readonly ours: string
  /** Phone of the cashier whose payment it is. */
  readonly cashier: string
  readonly kind: "qr" | "phone"
  readonly amount: Tiyn
  readonly phone: string | null
  readonly description: string | null
  readonly scenario: string
  readonly createdAt: number
  readonly expiresAt: number
  /** Address of the receipt that there will be; null if there is no page for it. */
  readonly receiptUrl: string | null
  readonly signal: Signal
  readonly steps: ReadonlyArray<Step>
  /** What will happen by itself, earliest first. */
  readonly agenda: ReadonlyArray<Due>
}

/** What can be done to a payment. A refund without an amount gives back what is left. */
export type Action =
  | { readonly does: "scan" | "pay" | "refuse" | "fail" | "expire" | "cancel" }
  | { readonly does: "refund"; readonly amount: Tiyn | null; readonly ours: string | null }

interface Due {
  readonly at: number
  /** What it was counted from; what is counted from the expiry moves with it. */
  readonly after: Step["after"]
  readonly action: Action
}

/** A new payment with its whole future so far. */
export const begin = (facts: Omit<Life, "signal" | "agenda">): Life => {
  const expiry: Due = { at: facts.expiresAt, after: "expiry", action: { does: "expire" } }
  const life: Life = { ...facts, signal: Signal.Waiting(), agenda: [expiry] }
  return schedule(schedule(life, "creation", facts.createdAt), "expiry", facts.expiresAt)
}

/** The payment at the instant `now`: everything due has happened, in order, each at its own time. */
export const advance = (life: Life, now: number): Life => {
  let current = life
  for (let due = current.agenda[0]; due !== undefined && due.at <= now; due = current.agenda[0]) {
    const rest = { ...current, agenda: current.agenda.slice(1) }
    current = act(rest, due.action, due.at) ?? rest
  }
  return current
}

/** The payment after `action`; null if it cannot be done to a payment that has come this far. */
export const act = (life: Life, action: Action, at: number): Life | null => {
  const { signal } = life
  const open = signal._tag === "Waiting" || signal._tag === "Scanned"
  switch (action.does) {
    case "scan":
      return signal._tag === "Waiting" ? { ...life, signal: Signal.Scanned() } : null
    case "refuse":
      return open ? { ...life, signal: Signal.RefusedByPayer() } : null
    case "fail":
      return open ? { ...life, signal: Signal.Failed() } : null
    case "expire":
      return open ? { ...moved(life, at), signal: Signal.Expired() } : null
    case "cancel":
      return open ? schedule({ ...life, signal: Signal.Cancelled() }, "cancellation", at) : null
    case "pay":
      // A code that was scanned in its last second is paid after it: such money comes late.
      return open || signal._tag === "Expired" || signal._tag === "Cancelled" ? pay(life, at) : null
    case "refund":
      return refund(life, action.amount, action.ours, at)
  }
}

/** What can still be given back. */
export const remainder = ({ amount, signal }: Life): Tiyn =>
  signal._tag === "Paid" ? signal.refunds.reduce((rest, each) => subtract(rest, each.amount), amount) : zero

/** The refund with our id, if it was made. */
export const refundOf = ({ signal }: Life, ours: string): MadeRefund | undefined =>
  signal._tag === "Paid" ? signal.refunds.findLast((refund) => refund.ours === ours) : undefined

/** The payment as the port shows it. */
export const shown = (life: Life): Payment => ({
  reference: life.reference,
  ours: life.ours,
  amount: life.amount,
  links: life.kind === "qr" ? linksOf(life.reference) : null,
  expiresAt: life.expiresAt,
  signal: life.signal,
  statusText: life.signal._tag === "Paid" && remainder(life) < life.amount ? "Refunded" : life.signal._tag
})

const linksOf = (reference: string) => ({
  qrUrl: `tolem-sandbox://qr/${reference}`,
  deepLink: `tolem-sandbox://pay/${reference}`
})

const pay = (life: Life, at: number): Life => {
  const { reference, amount, receiptUrl: url } = life
  const receipt = { at, reference: `${reference}-paid`, amount, number: `R-${reference}`, url }
  return schedule({ ...life, signal: Signal.Paid({ receipt, refunds: [] }) }, "payment", at)
}

const refund = (life: Life, amount: Tiyn | null, ours: string | null, at: number): Life | null => {
  const { signal } = life
  const left = remainder(life)
  const given = amount ?? left
  if (signal._tag !== "Paid" || given <= 0 || given > left) return null
  const reference = `${life.reference}-refund-${signal.refunds.length + 1}`
  const made: MadeRefund = { reference, ours, amount: given, at }
  return { ...life, signal: Signal.Paid({ ...signal, refunds: [...signal.refunds, made] }) }
}

/** Puts the scenario's steps that count from `after` on the agenda. */
const schedule = (life: Life, after: Step["after"], from: number): Life => {
  const steps = life.steps.filter((step) => step.after === after)
  const added = steps.map((step): Due => {
    // What counts back from the expiry of a short payment cannot happen before there is one.
    return { at: Math.max(life.createdAt, from + step.ms), after, action: actionOf(step, life.amount) }
  })
  // Sorting keeps the order of what falls on the same instant.
  return { ...life, agenda: [...life.agenda, ...added].sort((a, b) => a.at - b.at) }
}

/** Sets the expiry to `at`, and with it what counts from it. */
const moved = (life: Life, at: number): Life => {
  const byMs = at - life.expiresAt
  const agenda = life.agenda
    .map((due) => (due.after === "expiry" ? { ...due, at: Math.max(at, due.at + byMs) } : due))
    .sort((a, b) => a.at - b.at)
  return { ...life, expiresAt: at, agenda }
}

const actionOf = ({ does, share }: Step, amount: Tiyn): Action =>
  does === "refund" ? { does, amount: share === 1 ? null : Tiyn(Math.round(amount * share)), ours: null } : { does }
