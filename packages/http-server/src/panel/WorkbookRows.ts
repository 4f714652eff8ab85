/** The cells of a workbook that people upload. What it unpacks to is bounded before any of it is read. */
import { inflateRawSync } from "node:zlib"
import {
  type CellRow,
  type FileFault,
  maxBulkColumns,
  maxBulkRows,
  maxCellLength
} from "@tolem/core/cabinet/bulk/BulkFile"
import { Effect } from "effect"

// A thousand rows take some hundred kilobytes, formats and all.
const maxUnpackedBytes = 8 * 1024 * 1024
const maxEntries = 200

/** Whether bytes are an archive, as workbooks are. */
export const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** The filled rows of the first sheet. Formulas are what they came to when the file was saved. */
export const workbookRows = (bytes: Uint8Array): Effect.Effect<ReadonlyArray<CellRow>, FileFault> =>
  Effect.tryPromise({
    try: async () => {
      if (!isWithin(bytes)) throw new WorkbookFault({ cause: "unpacked", row: null })
      const { streamXlsxRows } = await import("hucre/xlsx")
      const rows: Array<CellRow> = []
      for await (const { index, values } of streamXlsxRows(bytes, { sheet: 0 })) {
        if (values.length > maxBulkColumns) throw new WorkbookFault({ cause: "columns", row: index + 1 })
        const cells = values.map((value) => textOf(value).slice(0, maxCellLength + 1))
        if (cells.some((cell) => cell.trim() !== "")) rows.push({ row: index + 1, cells })
        if (rows.length > maxBulkRows + 1) throw new WorkbookFault({ cause: "rows", row: null })
      }
      return rows
    },
    catch: (error) => (error instanceof WorkbookFault ? error.fault : { cause: "workbook", row: null })
  })

class WorkbookFault extends Error {
  readonly fault: FileFault
  constructor(fault: FileFault) {
    super(fault.cause)
    this.fault = fault
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  // What a formula has come to may miss its tiyn by some billionths.
  if (typeof value === "number") return String(Math.abs(value) < 1e12 ? Math.round(value * 1e6) / 1e6 : value)
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value)
}

/**
 * Whether all parts of an archive unpack to no more than the bound. They are unpacked, since what an archive says of
 * itself need not be true. Throws if it is broken.
 */
const isWithin = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--
  const count = view.getUint16(end + 10, true)
  let [at, left] = [view.getUint32(end + 16, true), maxUnpackedBytes]
  if (count > maxEntries) return false
  for (let entry = 0; entry < count; entry++) {
    const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)]
    const local = view.getUint32(at + 42, true)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    left -= method === 0 ? size : unpackedLength(bytes.subarray(start, start + size), left)
    if (left < 0) return false
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return true
}

/** How long it is unpacked; more than `most` if it is more. */
const unpackedLength = (packed: Uint8Array, most: number): number => {
  try {
    return packed.length === 0 ? 0 : inflateRawSync(packed, { maxOutputLength: Math.max(1, most) }).length
  } catch (error) {
    if (error instanceof RangeError) return most + 1
    throw error
  }
}
