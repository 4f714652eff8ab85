/**
 * Whole numbers of eight bytes, PostgreSQL's `bigint`, in JavaScript. Amounts, instants and counts are numbers that it
 * can hold. Anything else is a fault of one row, which must not keep the others of its statement from being read: it
 * comes as a `bigint`, with which no sum can be made.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

// Made of two halves: a view and a `bigint` of each number would take ten times as long.
const read = (bytes: Uint8Array, offset: number) => {
  const value = int32At(bytes, offset) * twoTo32 + (int32At(bytes, offset + 4) >>> 0)
  return Result.succeed(Number.isSafeInteger(value) ? value : exactAt(bytes, offset))
}

const twoTo32 = 2 ** 32

const int32At = (bytes: Uint8Array, offset: number): number =>
  (bytes[offset]! << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!

const exactAt = (bytes: Uint8Array, offset: number): bigint =>
  new DataView(bytes.buffer, bytes.byteOffset + offset, 8).getBigInt64(0)

/** How they are written and read. */
export const codec: PgTypes.Codec<number | bigint> = {
  encode: (value) => PgTypes.encode(BigInt(value), PgTypes.OID.int8),
  decode: (bytes) => read(bytes, 0),
  read
}
