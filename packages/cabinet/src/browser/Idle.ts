/** What can wait until the browser has nothing else to do. */

const patienceMs = 2000

/** Does it then; browsers that do not tell when that is wait a little. */
export const whenIdle = (act: () => void): (() => void) => {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(act, { timeout: patienceMs })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(act, patienceMs / 4)
  return () => clearTimeout(timer)
}
