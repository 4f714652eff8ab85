/** The printer of the device. */

/** Opens what the browser prints with. */
export const printPage = (): void => window.print()
