/** The printer of the device. */

/** Opens what the browser prints with; some go on at once, and say when it is closed. */
export const printPage = (onClosed: () => void): void => {
  window.addEventListener("afterprint", onClosed, { once: true })
  window.print()
}
