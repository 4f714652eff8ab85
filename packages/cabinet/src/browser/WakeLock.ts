/** Keeps the screen of a till from going dark. */

/** Keeps it on for as long as the page is looked at; the answer ends it. */
export const keepAwake = (): (() => void) => {
  let isOver = false
  let lock: WakeLockSentinel | null = null
  const take = async () => {
    if (isOver || document.visibilityState !== "visible") return
    try {
      lock = await navigator.wakeLock.request("screen")
      if (isOver) await lock.release()
    } catch {
      // A browser that has none, or a battery that is low.
    }
  }
  const onShown = () => void take()
  document.addEventListener("visibilitychange", onShown)
  void take()
  return () => {
    isOver = true
    document.removeEventListener("visibilitychange", onShown)
    void lock?.release().catch(() => undefined)
  }
}
