/** Counters of one window that live in this process. Memory is bounded. */
import { startOf } from "./RateWindow.ts"

interface Counted {
  readonly kind: string
  readonly subject: string
}

/**
 * Counters of up to `capacity` subjects. Beyond it the one that was silent longest is forgotten, and starts anew when
 * it comes back within the minute.
 * Instants are milliseconds; a new window begins with nothing counted.
 */
export const make = (capacity: number) => {
  const counts = new Map<string, number>()
  let windowAt = Number.NEGATIVE_INFINITY
  let isCrowded = false
  const enter = (now: number) => {
    if (startOf(now) === windowAt) return
    counts.clear()
    isCrowded = false
    windowAt = startOf(now)
  }
  const set = (name: string, count: number) => {
    counts.delete(name) // a map keeps the order of insertion: now it is the newest
    counts.set(name, count)
    if (counts.size <= capacity) return
    isCrowded = true
    for (const oldest of counts.keys()) {
      counts.delete(oldest)
      break
    }
  }
  const countOf = (name: string) => counts.get(name) ?? 0
  return {
    /** Counts once more, and answers the count. */
    next: (counted: Counted, now: number): number => {
      enter(now)
      const count = countOf(nameOf(counted)) + 1
      set(nameOf(counted), count)
      return count
    },
    /** What is counted by now, of all servers as far as it was told. */
    countOf: (counted: Counted, now: number): number => {
      enter(now)
      return countOf(nameOf(counted))
    },
    /** What others have counted too: the count is at least `count` from now on. */
    raise: (counted: Counted, now: number, count: number): void => {
      // An answer that was long under way may belong to a window that has ended.
      if (startOf(now) === windowAt && count > countOf(nameOf(counted))) set(nameOf(counted), count)
    },
    /** Whether this window has seen more subjects than are kept. */
    isCrowded: (now: number): boolean => {
      enter(now)
      return isCrowded
    }
  }
}

const nameOf = ({ kind, subject }: Counted): string => `${kind}\n${subject}`
