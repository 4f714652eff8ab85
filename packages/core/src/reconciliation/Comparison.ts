/**
 * Compares two streams of operations, ours and the provider's, each by its instants. What is matched is let go at once,
 * so that memory holds only what one side has been ahead with, and what the other side does not have.
 */
import type { Operation } from "../provider/Operation.ts"
import type { InvoiceId } from "../value/Ids.ts"
import type { Tiyn } from "../value/Money.ts"
import type { ComparedSums, SideSums } from "./Reconciliation.ts"

/** An operation as it stands here. */
export interface OwnOperation {
  readonly kind: Operation["kind"]
  /** Our id: of the invoice, or of the refund. */
  readonly id: string
  readonly invoiceId: InvoiceId
  /** The provider's reference: of the payment, or of the refund; null if it never told one. */
  readonly reference: string | null
  /** The provider's reference of the payment. */
  readonly payment: string | null
  readonly amount: Tiyn
  readonly at: number
}

/** What the two sides do not have alike. */
export type Unmatched =
  | { readonly side: "here"; readonly own: OwnOperation }
  | { readonly side: "there"; readonly operation: Operation }
  | { readonly side: "both"; readonly own: OwnOperation; readonly operation: Operation }

/** What came of it. */
export interface Outcome {
  readonly sums: ComparedSums
  readonly unmatched: ReadonlyArray<Unmatched>
}

/** The time that is compared: the instants from `from` on, before `until`. */
export interface Span {
  readonly from: number
  readonly until: number
}

interface Counts extends Record<keyof SideSums, number> {}

const nothing = (): Counts => ({ payments: 0, paid: 0, refunds: 0, refunded: 0 })

const count = (sums: Counts, kind: Operation["kind"], amount: Tiyn): void => {
  if (kind === "payment") {
    sums.payments++
    sums.paid += amount
  } else {
    sums.refunds++
    sums.refunded += amount
  }
}

// A payment is known by our id and by the provider's reference of it, a refund by our id and its own reference.
const keysOfOwn = ({ kind, id, reference }: OwnOperation): ReadonlyArray<string> => [
  `${kind} ours ${id}`,
  ...(reference === null ? [] : [`${kind} ${reference}`])
]

const keysOfTheirs = ({ kind, ours, payment, reference }: Operation): ReadonlyArray<string> => [
  ...(ours === null ? [] : [`${kind} ours ${ours}`]),
  `${kind} ${kind === "payment" ? payment : reference}`
]

/**
 * A comparison of a span. Ours may come from `marginMs` before and after it as well: what is found only there is no
 * difference, for clocks differ. Of one invoice the provider may have been paid twice, so that our id alone does not
 * make two payments one: their references must not differ, and one of ours from outside of the span must be as near.
 */
export const make = (span: Span, marginMs: number) => {
  const own = new Map<string, OwnOperation>()
  const theirs = new Map<string, ReadonlyArray<Operation>>()
  const different: Array<Unmatched> = []
  const sums = { here: nothing(), there: nothing() }
  const isWithin = ({ at }: { readonly at: number }) => at >= span.from && at < span.until
  let waiting = 0

  const isSame = (mine: OwnOperation, { payment, at }: Operation): boolean => {
    if (mine.kind === "refund") return true
    const isNamed = mine.reference === null || mine.reference === payment
    return isNamed && (isWithin(mine) || Math.abs(mine.at - at) <= marginMs)
  }

  const meet = (mine: OwnOperation, operation: Operation): void => {
    if (mine.amount !== operation.amount) different.push({ side: "both", own: mine, operation })
  }

  const remove = (operation: Operation): void => {
    waiting--
    for (const key of keysOfTheirs(operation)) {
      const left = (theirs.get(key) ?? []).filter((each) => each !== operation)
      if (left.length === 0) theirs.delete(key)
      else theirs.set(key, left)
    }
  }

  return {
    /** Takes one of ours. */
    here: (mine: OwnOperation): void => {
      if (isWithin(mine)) count(sums.here, mine.kind, mine.amount)
      const keys = keysOfOwn(mine)
      const found = keys.flatMap((key) => theirs.get(key) ?? []).find((operation) => isSame(mine, operation))
      if (found !== undefined) {
        remove(found)
        meet(mine, found)
        return
      }
      waiting++
      for (const key of keys) own.set(key, mine)
    },
    /** Takes one of the provider's. */
    there: (operation: Operation): void => {
      count(sums.there, operation.kind, operation.amount)
      const keys = keysOfTheirs(operation)
      const found = keys.flatMap((key) => own.get(key) ?? []).find((mine) => isSame(mine, operation))
      if (found !== undefined) {
        waiting--
        for (const key of keysOfOwn(found)) own.delete(key)
        meet(found, operation)
        return
      }
      waiting++
      for (const key of keys) theirs.set(key, [...(theirs.get(key) ?? []), operation])
    },
    /** How many wait for the other side, and how many are different. */
    size: (): number => waiting + different.length,
    /** What came of it, once both streams have ended. */
    end: (): Outcome => {
      const mine = [...new Set(own.values())].filter(isWithin)
      const others = [...new Set([...theirs.values()].flat())]
      const unmatched: ReadonlyArray<Unmatched> = [
        ...different,
        ...others.map((operation) => ({ side: "there", operation }) as const),
        ...mine.map((each) => ({ side: "here", own: each }) as const)
      ]
      return { sums, unmatched }
    }
  }
}
