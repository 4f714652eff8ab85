/** A table for spreadsheets as it is sent: as a file, line by line, compressed on the way if the client takes that. */
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { acceptedEncoding } from "../http/Compression.ts"
import { type JsonAnswer, unkept } from "../http/Responses.ts"

/** The answer with these lines. It is cut off, and so no whole file, if they fail; it ends when the client goes. */
export const csv = <E>(
  lines: Stream.Stream<string, E>,
  filename: string,
  accepted: string | undefined
): JsonAnswer<string> => {
  const isGzip = acceptedEncoding((accepted ?? "").replaceAll(/\bbr\b/gi, "")) === "gzip"
  const encoder = new TextEncoder()
  const bytes = Stream.map(lines, (text) => encoder.encode(text))
  const body = isGzip ? gzipped(bytes) : bytes
  return HttpServerResponse.stream(body, {
    contentType: "text/csv; charset=utf-8",
    headers: {
      ...unkept,
      "content-disposition": `attachment; filename="${filename}"`,
      vary: "Accept-Encoding",
      ...(isGzip && { "content-encoding": "gzip" })
    }
  }) as JsonAnswer<string>
}

// It takes no more than it has room for, so that nothing is read of the database before it can be sent.
const gzipped = <E>(bytes: Stream.Stream<Uint8Array<ArrayBuffer>, E>): Stream.Stream<Uint8Array, unknown> =>
  Stream.fromReadableStream({
    evaluate: () => Stream.toReadableStream(bytes).pipeThrough(new CompressionStream("gzip")),
    onError: (error) => error
  })
