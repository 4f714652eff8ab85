/** Random keys: a request that is sent again under its key is done once. */

const bytes = 16

/** A key that was never used. Also where a page is not reached by https, and so has no random UUIDs. */
export const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("")
