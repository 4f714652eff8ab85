/** The text of a file of rows, as spreadsheets and books of accounts write it, and its cells. Pure. */
import { Result } from "effect"
import { type CellRow, type FileFault, maxBulkColumns, maxBulkRows, maxCellLength } from "./BulkFile.ts"

/** The text of bytes: UTF-8, with its mark or without, else windows-1251, as older programs write in Russian. */
export const textOfBytes = (bytes: Uint8Array): Result.Result<string, FileFault> => {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (utf16) return Result.fail({ cause: "encoding", row: null })
  const text = decoded(bytes, "utf-8") ?? decoded(bytes, "windows-1251")
  // Neither encoding writes text with these: it is another one, or no text at all.
  const isText = text !== null && !/(?![\t\n\v\f\r])\p{Cc}|\uFFFD/u.test(text)
  return isText ? Result.succeed(text) : Result.fail({ cause: "encoding", row: null })
}

const decoded = (bytes: Uint8Array, encoding: string): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The cells of a text: RFC 4180, with commas, semicolons or tabs between them. Fails with the row that is broken. */
export const cellsOf = (text: string): Result.Result<ReadonlyArray<CellRow>, FileFault> => {
  const rows: Array<CellRow> = []
  const separator = separatorOf(text)
  let [at, row] = [0, 0]
  while (at < text.length) {
    row++
    const cells: Array<string> = []
    for (let isEnd = false; !isEnd; ) {
      const cell = cellAt(text, at, separator)
      if (cell === null) return Result.fail({ cause: "quote", row })
      cells.push(cell.value.slice(0, maxCellLength + 1))
      isEnd = text[cell.end] !== separator
      at = cell.end + (text.startsWith("\r\n", cell.end) ? 2 : 1)
      if (cells.length > maxBulkColumns) return Result.fail({ cause: "columns", row })
    }
    const isFilled = cells.some((cell) => cell.trim() !== "")
    if (isFilled) rows.push({ row, cells })
    if (rows.length > maxBulkRows + 1) return Result.fail({ cause: "rows", row: null })
  }
  return Result.succeed(rows)
}

/** What stands most often in the first line, outside of quotes. */
const separatorOf = (text: string): string => {
  const [line = ""] = text.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/, 1)
  const counts = [",", ";", "\t"].map((each) => [each, line.split(each).length] as const)
  return counts.reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}

/** A cell from there on, and where it ends; null if its quotes do not. */
const cellAt = (text: string, start: number, separator: string): { value: string; end: number } | null => {
  let [value, from] = ["", start]
  if (text[start] === '"') {
    for (let at = start + 1; ; ) {
      const quote = text.indexOf('"', at)
      if (quote === -1) return null
      at = quote + 1
      if (text[at] === '"') {
        at++
        continue
      }
      value = text.slice(start + 1, quote).replaceAll('""', '"')
      from = at
      break
    }
  }
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++
  return { value: value + text.slice(from, end), end }
}
