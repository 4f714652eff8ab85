/** Why no stored data can show a damage. */

/** The only place where it is written. */
export const own = "it is written nowhere else, so that nothing contradicts another value"

/** Like `own`; clocks may be set back, so that no order of instants is sure. */
export const time = "an instant that is written nowhere else, and that no money hangs on"

/** A line of a log for people. */
export const log = "a line of the log of attempts, that nothing is decided by"

/** It is gone in a day. */
export const brief = "it lives for minutes, is read by its own use-case only, and no money hangs on it"

/** A log of requests. */
export const dayLong = "it is shown for a day, is read by its own use-case only, and no money hangs on it"

/** A log of refused forms. */
export const weekLong = "it is shown for a week, is read by its own use-case only, and no money hangs on it"

/** The rows of a day are added up. */
export const sums = "rows that differ by it alone are added up, so that another number changes nothing"

/** Seals leave it out. */
export const volatile = "looks at the provider change it many times a minute, and no money hangs on it"
