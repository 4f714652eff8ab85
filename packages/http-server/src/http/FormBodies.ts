/** Reads forms as browsers send them: bounded, strictly UTF-8. Files are passed over. */
import type { FormFields } from "@tolem/core/formhook/FormFields"
import { Effect, Result } from "effect"
import { type HttpServerRequest, MultipartParser } from "effect/http"
import { BodyRefused, maxBytes, readBytes } from "./Bodies.ts"
import type { NoRoom } from "./Room.ts"

/**
 * The fields of the form that the request's body is: urlencoded or multipart. Another type is
 * `form_required`; a body that is not what its type says is `invalid_request`.
 */
export const readForm = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<FormFields, BodyRefused<"form_required" | "invalid_request"> | BodyRefused | NoRoom> => {
  const type = request.headers["content-type"] ?? ""
  const fieldsOf = urlencoded.test(type) ? urlencodedFields : multipart.test(type) ? multipartFields(type) : undefined
  if (fieldsOf === undefined) return Effect.fail(new BodyRefused({ code: "form_required" }))
  return Effect.flatMap(readBytes(request, maxBytes), (bytes) =>
    Effect.fromResult(
      Result.try({
        try: () => fieldsOf(bytes),
        catch: () => new BodyRefused({ code: "invalid_request" })
      })
    )
  )
}

/** Whether a request says that its body is a form. */
export const isForm = ({ "content-type": type = "" }: Readonly<Record<string, string | undefined>>): boolean =>
  urlencoded.test(type) || multipart.test(type)

const urlencoded = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i
const multipart = /^\s*multipart\/form-data\s*(;|$)/i

// Bytes that are no UTF-8 would become replacement characters: the customer's text, altered without a word.
const utf8 = new TextDecoder("utf-8", { fatal: true })

const urlencodedFields = (bytes: Uint8Array): FormFields =>
  utf8
    .decode(bytes)
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const end = pair.indexOf("=")
      return end < 0
        ? ([decoded(pair), ""] as const)
        : ([decoded(pair.slice(0, end)), decoded(pair.slice(end + 1))] as const)
    })

// A lone percent sign is one, as browsers' own parsers take it.
const decoded = (text: string): string =>
  text.replaceAll("+", " ").replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => decodeURIComponent(encoded))

const multipartFields =
  (contentType: string) =>
  (bytes: Uint8Array): FormFields => {
    const fields: Array<readonly [string, string]> = []
    const broken: Array<unknown> = []
    const parser = MultipartParser.make({
      headers: { "content-type": contentType },
      onField: ({ name }, value) => void fields.push([name, utf8.decode(value)]),
      onFile: () => () => {},
      onError: (error) => void broken.push(error),
      onDone: () => {}
    })
    parser.write(bytes)
    parser.end()
    if (broken.length > 0) throw broken[0]
    return fields
  }
