/** Tables as they are sent: as files, part by part, as they are read. */
import { csvForms, csvHead, csvLine, harmless } from "@tolem/core/cabinet/export/Csv"
import type { Cell, Row, Table } from "@tolem/core/cabinet/export/Table"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { acceptedEncoding } from "../http/Compression.ts"
import { type JsonAnswer, unkept } from "../http/Responses.ts"

/** What a file is called, and in what the client takes it. */
export interface Delivery {
  readonly filename: string
  readonly accepted: string | undefined
}

/** The answer with these bytes. It is cut off, and so no whole file, if they fail; it ends when the client goes. */
export const file = <E>(
  bytes: Stream.Stream<Uint8Array<ArrayBuffer>, E>,
  contentType: string,
  { filename, accepted }: Delivery
): JsonAnswer<string> => {
  const isGzip = acceptedEncoding((accepted ?? "").replaceAll(/\bbr\b/gi, "")) === "gzip"
  return HttpServerResponse.stream(isGzip ? gzipped(bytes) : bytes, {
    contentType,
    headers: {
      ...unkept,
      "content-disposition": `attachment; filename="${filename}"`,
      vary: "Accept-Encoding",
      ...(isGzip && { "content-encoding": "gzip" })
    }
  }) as JsonAnswer<string>
}

/** A table as text. `bom`: `1` as Excel reads it in Kazakh and in Russian. */
export const csv = ({ columns, parts }: Table, bom: unknown, delivery: Delivery): JsonAnswer<string> => {
  const form = csvForms[bom === "1" ? "excel" : "plain"]
  const encoder = new TextEncoder()
  const lines = Stream.map(parts, (rows) => rows.map((row) => csvLine(row, form)).join(""))
  const text = Stream.concat(Stream.make(csvHead(columns, form)), lines)
  return file(
    Stream.map(text, (part) => encoder.encode(part)),
    "text/csv; charset=utf-8",
    delivery
  )
}

/** A table as a workbook, of so many sheets as hold its rows. It is compressed in itself. */
export const xlsx = ({ columns, parts }: Table, filename: string): JsonAnswer<string> => {
  const bytes = Effect.map(workbookWriter, (write) =>
    Stream.fromReadableStream({
      evaluate: () =>
        write(rowsOf(Stream.toReadableStream(parts)), {
          name: "Tolem",
          columns: columns.map(({ head, isMoney }) => ({
            header: head,
            width: isMoney ? moneyWidth : textWidth,
            ...(isMoney && { numFmt: "#,##0.00" })
          })),
          freezePane: { rows: 1 }
        }) as ReadableStream<Uint8Array<ArrayBuffer>>,
      onError: (error) => error
    })
  )
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
  return file(Stream.unwrap(bytes), type, { filename, accepted: undefined })
}

/** Loaded with the first workbook, as it takes room. */
const workbookWriter = Effect.promise(async () => {
  const { writeXlsxStream } = await import("hucre/xlsx")
  return writeXlsxStream
})

/** The rows of all parts, each read when those before it were taken. */
async function* rowsOf(parts: ReadableStream<ReadonlyArray<Row>>) {
  for await (const part of parts) for (const row of part) yield row.map(cellOf)
}

const moneyWidth = 16
const textWidth = 22

// What XML cannot hold, and what Excel takes for the name of a character.
const unwritable = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]|_x[0-9A-Fa-f]{4}_/gu

const cellOf = (cell: Cell): string | number | null => {
  if (typeof cell === "bigint") return Number(cell) / 100
  if (typeof cell !== "string") return cell
  return harmless(cell)
    .toWellFormed()
    .replaceAll(unwritable, (found) => (found.length === 1 ? "\uFFFD" : `_x005F${found}`))
}

// It takes no more than it has room for, so that nothing is read of the database before it can be sent.
const gzipped = <E>(bytes: Stream.Stream<Uint8Array<ArrayBuffer>, E>): Stream.Stream<Uint8Array, unknown> =>
  Stream.fromReadableStream({
    evaluate: () => Stream.toReadableStream(bytes).pipeThrough(new CompressionStream("gzip")),
    onError: (error) => error
  })
