/** Reads request bodies: bounded, strictly UTF-8, strictly a JSON object; the text is kept for what must not change. */
import { Readable } from "node:stream"
import type { Code } from "@tolem/core/error/ErrorCatalog"
import { isObject, type JsonObject } from "@tolem/core/value/Checks"
import { ByteSize, Data, Effect, Result, Semaphore } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { roomForBody } from "./RequestRoom.ts"
import type { NoRoom } from "./Room.ts"

/** A request body: parsed, and as it came. */
export interface JsonBody {
  readonly text: string
  readonly object: JsonObject
}

/** The body cannot be used. Nothing was done. */
export class BodyRefused<
  C extends Code = "invalid_json" | "payload_too_large" | "unsupported_media_type"
> extends Data.TaggedError("BodyRefused")<{ readonly code: C }> {}

/** Most bytes of a body, and of one that carries many invoices. */
export const maxBytes = ByteSize.kibibytes(256)
/** See `maxBytes`. */
export const maxBulkBytes = ByteSize.mebibytes(2)
/** The same of one that carries a picture in base64, and what stands beside it. */
export const maxPictureBodyBytes = ByteSize.kibibytes(384)

/** The JSON object that the request's body is. */
export const readJson = (
  request: HttpServerRequest.HttpServerRequest,
  limit: ByteSize.ByteSize = maxBytes
): Effect.Effect<JsonBody, BodyRefused | NoRoom> =>
  Effect.flatMap(readBytes(request, limit), (bytes) => {
    const parsed = Effect.suspend(() => Effect.fromResult(parse(request, bytes)))
    return bytes.byteLength <= largeBytes ? parsed : turn.withPermit(Effect.andThen(Effect.yieldNow, parsed))
  })

// Several large bodies that arrive together would hold the event loop together: a megabyte takes some milliseconds.
const largeBytes = 64 * 1024
/** Whose body is parsed: one at a time, each in a turn of the event loop of its own. */
const turn = Semaphore.makeUnsafe(1)

/** The same; a request without a body counts as one with an empty object. */
export const readOptionalJson = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<JsonBody, BodyRefused | NoRoom> =>
  Effect.flatMap(readBytes(request, maxBytes), (bytes) =>
    bytes.byteLength === 0 ? Effect.succeed(empty) : Effect.fromResult(parse(request, bytes))
  )

const empty: JsonBody = { text: "{}", object: {} }
const mediaType = /^\s*application\/json\s*(;|$)/i
// Bytes that are no UTF-8 would become replacement characters: the merchant's text, altered without a word.
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The bytes of the request's body, once there is room for them. */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest,
  limit: ByteSize.ByteSize
): Effect.Effect<Uint8Array, BodyRefused | NoRoom> =>
  Effect.flatMap(roomForBody(sizeOf(request, limit)), () => {
    // The client may have left while there was no room: then nothing comes any more, not even an end.
    const source = announced(request, limit)
    return source === undefined ? bytesOf(request, limit) : announcedBytes(source)
  })

/** Node's own request, if it has not been read, has all its bytes still to come, and no more than may be read. */
const announced = (
  { headers, source }: HttpServerRequest.HttpServerRequest,
  limit: ByteSize.ByteSize
): Readable | undefined => {
  const length = Number(headers["content-length"])
  return length <= ByteSize.toNumberUnsafe(limit) &&
    headers["expect"] === undefined &&
    headers["upgrade"] === undefined &&
    source instanceof Readable &&
    !source.readableDidRead &&
    !source.destroyed
    ? source
    : undefined
}

/** Without what the library does for streams of any kind, which takes longer than most bodies do. */
const announcedBytes = (source: Readable): Effect.Effect<Uint8Array, BodyRefused> =>
  Effect.callback((resume) => {
    const chunks: Array<Uint8Array> = []
    const take = (chunk: Uint8Array) => void chunks.push(chunk)
    const leave = () => {
      source.off("data", take).off("end", end).off("error", fail).off("close", fail)
    }
    const end = () => {
      leave()
      const [first] = chunks
      resume(Effect.succeed(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)))
    }
    // The client has left: nothing that is answered reaches it.
    const fail = () => {
      leave()
      resume(Effect.fail(new BodyRefused({ code: "invalid_json" })))
    }
    source.on("error", fail).on("close", fail).on("end", end).on("data", take)
    return Effect.sync(leave)
  })

/** Whatever was said of it: it may be longer than that, or the client may wait to be asked for it. */
const bytesOf = (
  request: HttpServerRequest.HttpServerRequest,
  limit: ByteSize.ByteSize
): Effect.Effect<Uint8Array, BodyRefused> =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, limit),
    Effect.mapBoth({
      onFailure: ({ reason }) => {
        const tooLarge = reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
        return new BodyRefused({ code: tooLarge ? "payload_too_large" : "invalid_json" })
      },
      onSuccess: (bytes) => new Uint8Array(bytes)
    })
  )

/** Room for a body that is read: its length need not be given, and a longer one is not read. */
const sizeOf = ({ headers, source }: HttpServerRequest.HttpServerRequest, limit: ByteSize.ByteSize): number => {
  const most = ByteSize.toNumberUnsafe(limit)
  const said = headers["content-length"]
  if (said !== undefined) return Math.min(most, Number(said))
  // A web request says nothing of its body; of Node's one that says nothing has none.
  return headers["transfer-encoding"] === undefined && "rawHeaders" in source ? 0 : most
}

const parse = (
  request: HttpServerRequest.HttpServerRequest,
  bytes: Uint8Array
): Result.Result<JsonBody, BodyRefused> => {
  if (bytes.byteLength > 0 && !mediaType.test(request.headers["content-type"] ?? "")) {
    return Result.fail(new BodyRefused({ code: "unsupported_media_type" }))
  }
  try {
    const text = utf8.decode(bytes)
    const object: unknown = JSON.parse(text)
    if (isObject(object)) return Result.succeed({ text, object })
  } catch {
    // Neither UTF-8 nor JSON: the same answer as for JSON that is no object.
  }
  return Result.fail(new BodyRefused({ code: "invalid_json" }))
}
