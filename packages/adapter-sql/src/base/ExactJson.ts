/** JSON of rows whose whole numbers may be more than a number holds. Pure. */

/** The value of a JSON text of rows, with a `bigint` for every whole number that is no safe integer. */
export const exactJson = (text: string): unknown =>
  maybeUnsafe.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)

// To look for them first takes less time than to look at every value. Safe ones have fewer digits, or are few.
const maybeUnsafe = /:-?\d{16}/

const exactly = (_name: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value
