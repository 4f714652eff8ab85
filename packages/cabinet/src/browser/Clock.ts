/** Time as the browser has it: all that the cabinet asks of it. */

/** Now, in milliseconds. */
export const now = (): number => Date.now()

/** Does something again and again; the answer ends it. */
export const repeatedly = (ms: number, act: () => void): (() => void) => {
  const timer = setInterval(act, ms)
  return () => clearInterval(timer)
}

/** Does something once, a little later; the answer takes it back. */
export const later = (ms: number, act: () => void): (() => void) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
