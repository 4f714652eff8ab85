/** The bank's time, and what it will do later by itself. */

/** A time of its own. */
export const make = () => {
  let latest = 0
  let aheadMs = 0
  let later: ReadonlyArray<{ readonly at: number; readonly run: (at: number) => void }> = []
  return {
    /**
     * The bank's time for a caller whose clock says `now`. It never goes back, whatever the clocks of callers say. What
     * fell due until then has happened, earliest first.
     */
    settle: (now: number): number => {
      latest = Math.max(latest, now + aheadMs)
      for (let due = later[0]; due !== undefined && due.at <= latest; due = later[0]) {
        later = later.slice(1)
        due.run(due.at)
      }
      return latest
    },
    /** Has `run` called with the instant `at` once it has come. */
    postpone: (at: number, run: (at: number) => void): void => {
      later = [...later, { at, run }].sort((a, b) => a.at - b.at)
    },
    /** Runs ahead of the callers' clocks by so much more. */
    advance: (ms: number): void => {
      aheadMs += ms
    }
  }
}

/** The time of the sandbox, which can be sent ahead. Instants and durations are milliseconds. */
export interface Timeline extends ReturnType<typeof make> {}
