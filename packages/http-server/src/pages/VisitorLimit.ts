/**
 * Counts the requests of each visitor's address in fixed windows of one UTC minute. The counters live in this process:
 * with several servers each counts for itself. Memory is bounded.
 */
import { type Standing, standing, startOf } from "@tolem/core/ratelimit/RateWindow"

/** Counts a request at `now` (milliseconds) and answers where the address stands with it. */
export type VisitorLimit = (address: string, limit: number, now: number) => Standing

/** Addresses that are counted at a time: some ten megabytes. */
const defaultCapacity = 100_000

/**
 * Makes a counter of up to `capacity` addresses. Beyond it the address that was silent longest is forgotten, and starts
 * anew when it comes back within the minute.
 */
export const make = (capacity: number = defaultCapacity): VisitorLimit => {
  const counts = new Map<string, number>()
  let windowAt = 0
  return (address, limit, now) => {
    if (startOf(now) !== windowAt) {
      counts.clear()
      windowAt = startOf(now)
    }
    const count = (counts.get(address) ?? 0) + 1
    counts.delete(address) // a map keeps the order of insertion: now it is the newest
    counts.set(address, count)
    if (counts.size > capacity) {
      for (const oldest of counts.keys()) {
        counts.delete(oldest)
        break
      }
    }
    return standing(count, limit, now)
  }
}
