/** The payments of the simulated bank and what its counter does with them, when nothing goes wrong. */
import type { Abilities } from "@tolem/core/provider/Abilities"
import { Answer, refused } from "@tolem/core/provider/Answer"
import type { OperationBounds, OperationPage } from "@tolem/core/provider/Operation"
import { type MadeRefund, type Payment, Signal } from "@tolem/core/provider/Payment"
import { isWholeTenge, type Tiyn } from "@tolem/core/value/Money"
import { type Action, act, advance, begin, type Life, refundOf, shown } from "./Life.ts"
import type { Scenario } from "./Scenario.ts"
import { operationsOf, type Planted, statementOf, statementPage } from "./Statement.ts"

/** A payment to be made, of either kind: `phone` is null for a QR. */
export interface Order {
  readonly ours: string
  readonly amount: Tiyn
  readonly description: string | null
  readonly phone: string | null
}

/** A refund to be made. */
export interface RefundOrder {
  readonly reference: string
  readonly ours: string
  readonly amount: Tiyn
}

/** How payments are made. Windows in milliseconds. */
export interface Options {
  readonly qrMs: number
  readonly phoneMs: number
  /** Makes references differ from those of another run. */
  readonly mark: string
  /** Address of the bank's pages, without a trailing slash; null if it has none. */
  readonly url: string | null
  readonly can: Required<Abilities>
}

/** A ledger of its own. */
export const make = ({ qrMs, phoneMs, mark, url, can }: Options) => {
  const lives = new Map<string, Life>()
  const byOurs = new Map<string, string>()
  const refunds = new Map<string, string>()
  const keyOf = (cashier: string, ours: string) => `${cashier} ${ours}`

  const find = (reference: string | undefined, at: number): Life | undefined => {
    const life = reference === undefined ? undefined : lives.get(reference)
    return life === undefined ? undefined : saved(advance(life, at))
  }
  const saved = (life: Life): Life => {
    lives.set(life.reference, life)
    return life
  }
  const owned = (cashier: string, reference: string | undefined, at: number): Life | undefined => {
    const life = find(reference, at)
    return life?.cashier === cashier ? life : undefined
  }
  const stated = (life: Life | undefined): Answer<Payment> =>
    life === undefined ? refused("not_found") : Answer.Accepted({ value: asTold(shown(life), can) })

  const create = (cashier: string, order: Order, { name, steps }: Scenario, at: number): Answer<Payment> => {
    const { ours, amount, phone, description } = order
    const earlier = owned(cashier, byOurs.get(keyOf(cashier, ours)), at)
    if (phone !== null && !can.push) return refused("invalid")
    if (earlier !== undefined && can.createOnce) {
      const same = earlier.amount === amount && earlier.phone === phone
      return same ? stated(earlier) : refused("reference_used")
    }
    if (!isPayable(order)) return refused("invalid")
    const reference = `sb-${mark}-${lives.size + 1}`
    const kind = phone === null ? "qr" : "phone"
    const expiresAt = at + (kind === "qr" ? qrMs : phoneMs)
    const receiptUrl = url === null ? null : `${url}/receipts/${encodeURIComponent(reference)}`
    const facts = { reference, ours, cashier, kind, amount, phone, description, expiresAt, receiptUrl, steps } as const
    byOurs.set(keyOf(cashier, ours), reference)
    return stated(saved(begin({ ...facts, scenario: name, createdAt: at })))
  }

  const cancel = (cashier: string, reference: string, at: number): Answer<Payment> => {
    const life = owned(cashier, reference, at)
    if (life === undefined) return refused("not_found")
    if (life.kind === "qr") return refused("other", { detail: "a QR code cannot be withdrawn" })
    if (!can.cancel) return refused("other", { detail: "nothing can be withdrawn" })
    if (life.signal._tag === "Cancelled") return stated(life)
    const next = act(life, { does: "cancel" }, at)
    return next === null ? refused("not_open") : stated(saved(next))
  }

  const refundByOurs = (cashier: string, ours: string, at: number): Answer<MadeRefund> => {
    const life = owned(cashier, refunds.get(keyOf(cashier, ours)), at)
    const made = life === undefined ? undefined : refundOf(life, ours)
    return made === undefined ? refused("not_found") : Answer.Accepted({ value: made })
  }

  const refund = (cashier: string, order: RefundOrder, at: number): Answer<MadeRefund> => {
    const { reference, ours, amount } = order
    const earlier = refundByOurs(cashier, ours, at)
    if (earlier._tag === "Accepted" && can.refundOnce) {
      const same = refunds.get(keyOf(cashier, ours)) === reference && earlier.value.amount === amount
      return same ? earlier : refused("reference_used")
    }
    const life = owned(cashier, reference, at)
    if (life === undefined) return refused("not_found")
    const next = Number.isSafeInteger(amount) ? act(life, { does: "refund", amount, ours }, at) : null
    if (next === null) return refused("not_refundable")
    saved(next)
    refunds.set(keyOf(cashier, ours), reference)
    return refundByOurs(cashier, ours, at)
  }

  let planted: ReadonlyArray<Planted> = []
  const operations = (cashier: string, order: OperationBounds, at: number): Answer<OperationPage> => {
    const all = Array.from(lives.values()).filter((life) => life.cashier === cashier)
    const moved = all.flatMap(({ reference }) => operationsOf(find(reference, at)!))
    return statementPage(statementOf(moved, cashier, planted), order)
  }

  return {
    create,
    operations: (...asked: Parameters<typeof operations>) => (can.listOperations ? operations(...asked) : untold),
    /** What the list of operations says that is not so. */
    planted: () => planted,
    /** Has the list say so, or all of it be true again. */
    plant: (one: Planted | null, at: number): void => {
      const dated = one?.does === "extra" ? { ...one, at: one.at ?? at } : one
      planted = dated === null ? [] : [...planted, dated]
    },
    byReference: (cashier: string, reference: string, at: number) => stated(owned(cashier, reference, at)),
    byOurs: (cashier: string, ours: string, at: number) =>
      can.findByOurs ? stated(owned(cashier, byOurs.get(keyOf(cashier, ours)), at)) : untold,
    cancel,
    refund,
    refundByOurs: (...asked: Parameters<typeof refundByOurs>) => (can.findRefunds ? refundByOurs(...asked) : untold),
    /** Our id of the payment, if it is this cashier's. */
    oursOf: (cashier: string, reference: string) => {
      const life = lives.get(reference)
      return life?.cashier === cashier ? life.ours : undefined
    },
    /** Every payment, oldest first. */
    all: (at: number) => Array.from(lives.keys()).flatMap((reference) => find(reference, at) ?? []),
    find,
    /** Does it to the payment; undefined if it cannot be done, or there is none. */
    act: (reference: string, action: Action, at: number): Life | undefined => {
      const life = find(reference, at)
      const next = life === undefined ? null : act(life, action, at)
      return next === null ? undefined : saved(next)
    }
  }
}

/** The payments of the sandbox. Cashiers see their own payments only. Instants are milliseconds. */
export interface Ledger extends ReturnType<typeof make> {}

const untold = Answer.Unknown({ reason: "server_error" })

/** The payment as far as the bank shows it. */
const asTold = (payment: Payment, { showRefunds, showScans }: Abilities): Payment => {
  const { signal } = payment
  if (signal._tag === "Paid" && !showRefunds) return { ...payment, signal: { ...signal, refunds: [] } }
  return signal._tag === "Scanned" && !showScans ? { ...payment, signal: Signal.Waiting() } : payment
}

const isPayable = ({ amount, phone, description }: Order): boolean =>
  Number.isSafeInteger(amount) &&
  amount > 0 &&
  (phone === null || (/^7[0-9]{10}$/.test(phone) && isWholeTenge(amount))) &&
  (description?.length ?? 0) <= 200
