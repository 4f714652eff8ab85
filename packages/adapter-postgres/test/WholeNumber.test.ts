import { Result } from "effect"
import { expect, it } from "vitest"
import { codec } from "../src/WholeNumber.ts"

/** The bytes that the database would send, behind others. */
const sent = (value: bigint, before: number): Uint8Array => {
  const bytes = new Uint8Array(before + 8 + 3).fill(0xa5)
  new DataView(bytes.buffer).setBigInt64(before, value)
  return bytes
}

const expected = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

const isReadAsIs = (value: bigint, before: number): void => {
  const bytes = sent(value, before)
  expect(codec.read?.(bytes, before, 8)).toEqual(Result.succeed(expected(value)))
  expect(codec.decode(bytes.subarray(before, before + 8))).toEqual(Result.succeed(expected(value)))
  expect(Result.map(codec.encode(value), (written) => [...written])).toEqual(
    Result.succeed([...bytes.subarray(before, before + 8)])
  )
}

it("reads numbers as numbers, and what they cannot hold exactly", () => {
  const edges = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]
  for (const edge of edges) {
    for (const value of [edge, -edge, edge - 1n, -edge - 1n]) isReadAsIs(value, 5)
  }
  expect(codec.read?.(sent(2n ** 53n, 0), 0, 8)).toEqual(Result.succeed(2n ** 53n))
})

it("reads whole numbers of any size and place", () => {
  let bits = 1n
  for (let turn = 0; turn < 2000; turn++) {
    bits = BigInt.asUintN(64, bits * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n)
    isReadAsIs(BigInt.asIntN(64, bits) >> BigInt(turn % 64), turn % 10)
  }
})
