/** What subscriptions bring in a month, whatever their rhythms are. Pure. */
import type { TiynSum } from "../../value/Money.ts"
import type { Rhythm } from "../../value/Rhythm.ts"

/** Amounts of one rhythm, in tiyn. */
export interface RhythmAmount extends Pick<Rhythm, "interval" | "every"> {
  readonly amount: TiynSum
}

// A month is a twelfth of 365 days: 365/12 days, 365/84 weeks.
const parts: Readonly<Record<Rhythm["interval"], readonly [times: bigint, of: bigint]>> = {
  day: [365n, 12n],
  week: [365n, 84n],
  month: [1n, 1n]
}

// A multiple of 84 and of every number up to 12, so that each share of a month is a whole number of such parts.
const common = 84n * 27_720n

/**
 * The sum of what each brings in a month, to the nearest tiyn. It is rounded once, at the end: so the sum is the same
 * of single ones, and of any groups that they are put into. Rhythms of more than twelve intervals are not known.
 */
export const monthlyAmount = (amounts: Iterable<RhythmAmount>): TiynSum => {
  let sum = 0n
  for (const { interval, every, amount } of amounts) {
    const [times, of] = parts[interval]
    sum += (amount * times * common) / (of * BigInt(every))
  }
  return (2n * sum + common) / (2n * common)
}
