/** Money as whole tiyn (1/100 tenge), so that sums are exact. Amounts on the wire are JSON numbers of tenge. */
import { Brand, Result } from "effect"

/** A whole number of tiyn; 150000 is 1 500 tenge. */
export type Tiyn = number & Brand.Brand<"Tiyn">

/** Marks a whole number as tiyn. The caller guarantees that it is one. */
export const Tiyn = Brand.nominal<Tiyn>()

/** No money. */
export const zero: Tiyn = Tiyn(0)

/** `a + b`, in tiyn. */
export const add = (a: Tiyn, b: Tiyn): Tiyn => Tiyn(a + b)

/** `a - b`, in tiyn. */
export const subtract = (a: Tiyn, b: Tiyn): Tiyn => Tiyn(a - b)

/**
 * The tiyn of a JSON number of tenge. Fails if the value is no finite number, has more than two
 * decimals, or is too far from zero to be exact.
 */
export const fromTenge = (
  value: unknown
): Result.Result<Tiyn, "not_a_number" | "too_many_decimals" | "too_small" | "too_large"> => {
  if (typeof value !== "number" || !Number.isFinite(value)) return Result.fail("not_a_number")
  const tiyn = Math.round(value * 100)
  if (!Number.isSafeInteger(tiyn)) return Result.fail(value < 0 ? "too_small" : "too_large")
  // 0.1 + 0.2 sent as 0.30000000000000004 has too many decimals; 1.15 * 100 is 114.99999999999999, yet it is fine.
  if (tiyn / 100 !== value) return Result.fail("too_many_decimals")
  return Result.succeed(Tiyn(tiyn))
}

/** Money of any number of invoices, in tiyn. Unlike that of one it may be more than a number holds exactly. */
export type TiynSum = bigint

/** The JSON number of tenge that is nearest to a sum, which is not negative. */
export const sumToTenge = (sum: TiynSum): number => Number(`${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`)

/** The JSON number of tenge, with at most two decimals. */
export const toTenge = (amount: Tiyn): number => amount / 100

/** Whether the amount has no tiyn part. */
export const isWholeTenge = (amount: Tiyn): boolean => amount % 100 === 0
