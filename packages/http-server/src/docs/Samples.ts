/** Requests of the reference as programs send them, and answers as they may look. Pure. */
import type { OpenApiDocument } from "@tolem/api/OpenApiDocument"

/** A schema of the document, as far as it is read here. */
export interface Schema extends Readonly<Partial<Record<Bound, number>>> {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly pattern?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly description?: string
  readonly default?: unknown
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly examples?: ReadonlyArray<unknown>
}

type Bound = "minimum" | "maximum" | "minLength" | "maxLength" | "maxItems"

/** An operation of the document. */
export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: ReadonlyArray<unknown>
  readonly "x-required-scopes"?: ReadonlyArray<string>
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Media {
  readonly schema?: Schema
}

/** An answer of an operation. */
export interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, Media>>
}

/** Where an operation is. */
export interface Place {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The operations of the groups, in the order of the document. */
export const placesOf = (document: OpenApiDocument, tags: ReadonlyArray<string>): ReadonlyArray<Place> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as object).flatMap(([method, operation]: [string, Operation]) =>
      operation.tags.some((tag) => tags.includes(tag)) ? [{ method: method.toUpperCase(), path, operation }] : []
    )
  )

/** What a reference of the document is to; a schema that is none stays. */
export const resolved = <Part extends { readonly $ref?: string }>(part: Part, document: OpenApiDocument): Part => {
  const [kind = "", name = ""] = (part.$ref ?? "").split("/").slice(-2)
  if (part.$ref === undefined) return part
  const components: object = document.components
  return (components as Readonly<Record<string, Readonly<Record<string, Part>>>>)[kind]?.[name] ?? part
}

/** JSON for people: lists of numbers and words stay on one line. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replaceAll(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items: string) => {
    return `[${items.replaceAll(/\s*\n\s*/g, " ")}]`
  })

/** The variables that stand for ids in the addresses of samples. */
const variables: Readonly<Record<string, string>> = {
  invoices: "INVOICE_ID",
  pay: "INVOICE_ID",
  receipts: "INVOICE_ID",
  subscriptions: "SUBSCRIPTION_ID",
  "payment-links": "LINK_ID",
  l: "LINK_SLUG",
  pictures: "PICTURE",
  "form-hooks": "HOOK_ID",
  f: "HOOK_ID",
  "webhook-endpoints": "ENDPOINT_ID",
  deliveries: "DELIVERY_ID",
  organizations: "ORGANIZATION_ID",
  connections: "CONNECTION_ID"
}

const addressOf = (path: string): string => {
  const segments = path.split("/")
  return segments
    .map((segment, at) => (segment.startsWith("{") ? `$${variables[segments[at - 1] ?? ""] ?? "ID"}` : segment))
    .join("/")
}

/** The example of what the operation takes; undefined: nothing. */
const bodyOf = ({ requestBody }: Operation, document: OpenApiDocument): [type: string, body: object] | undefined => {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || media?.schema === undefined) return undefined
  const [example = {}] = resolved(media.schema, document).examples ?? []
  return [type, example as object]
}

/** The request as the shell sends it. The key and ids are variables of the shell. */
export const curlOf = ({ method, path, operation }: Place, document: OpenApiDocument, baseUrl: string): string => {
  const sent = bodyOf(operation, document)
  const keyed = operation.security.length > 0
  const lines = [
    `curl -sS${method === "GET" || method === "POST" ? "" : ` -X ${method}`}${
      method === "POST" && sent === undefined ? " -X POST" : ""
    } "${baseUrl}${addressOf(path)}"`,
    ...(keyed ? [`-H "X-API-Key: $TOLEM_KEY"`] : []),
    ...(sent === undefined ? [] : dataOf(...sent))
  ]
  return lines.join(" \\\n  ")
}

const dataOf = (type: string, body: object): ReadonlyArray<string> => {
  if (type !== "application/json") return Object.entries(body).map(([name, text]) => `-d '${name}=${String(text)}'`)
  const text = jsonText(body)
  const told = (text.length > 70 ? text : JSON.stringify(body)).replaceAll(process, `'"$PROCESS_ID"'`)
  return ["-H 'Content-Type: application/json'", `-d '${told}'`]
}

/** The id of a login, which the step before it has answered. */
const process = /prc_[0-9a-z]{26}/g
const quotedProcess = new RegExp(`"${process.source}"`, "g")

/** The same in JavaScript. */
export const javascriptOf = (
  { method, path, operation }: Place,
  document: OpenApiDocument,
  baseUrl: string
): string => {
  const sent = bodyOf(operation, document)
  const address = addressOf(path).replaceAll(/\$(\w+)/g, (_, name: string) => `\${process.env.${name}}`)
  const isJson = sent?.[0] === "application/json"
  const headers = [
    ...(operation.security.length > 0 ? ['"X-API-Key": process.env.TOLEM_KEY'] : []),
    ...(isJson ? ['"Content-Type": "application/json"'] : [])
  ]
  const told =
    sent === undefined
      ? ""
      : jsonText(sent[1]).replaceAll("\n", "\n  ").replaceAll(quotedProcess, "process.env.PROCESS_ID")
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(", ")} }`] : []),
    ...(sent === undefined ? [] : [isJson ? `body: JSON.stringify(${told})` : `body: new URLSearchParams(${told})`])
  ]
  const rest = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`
  const content = Object.entries(operation.responses).find(([status]) => /^20/.test(status))?.[1].content
  const read = content === undefined ? "" : `, await response.${"application/json" in content ? "json" : "text"}()`
  return [`const response = await fetch(\`${baseUrl}${address}\`${rest})`, `console.log(response.status${read})`].join(
    "\n"
  )
}

/** The same in Python, with what comes with it. */
export const pythonOf = ({ method, path, operation }: Place, document: OpenApiDocument, baseUrl: string): string => {
  const sent = bodyOf(operation, document)
  const address = addressOf(path).replaceAll(/\$(\w+)/g, (_, name: string) => `{os.environ['${name}']}`)
  const isJson = sent?.[0] === "application/json"
  const headers = [
    ...(operation.security.length > 0 ? [`"X-API-Key": os.environ["TOLEM_KEY"]`] : []),
    ...(isJson ? ['"Content-Type": "application/json"'] : [])
  ]
  const told = isJson ? `json.dumps(${pythonText(sent?.[1])}).encode()` : `urlencode(${pythonText(sent?.[1])}).encode()`
  return [
    isJson ? "import json, os" : "import os",
    ...(sent !== undefined && !isJson ? ["from urllib.parse import urlencode"] : []),
    "from urllib.request import Request, urlopen",
    "",
    "request = Request(",
    `    f"${baseUrl}${address}",`,
    `    method="${method}",`,
    ...(headers.length > 0 ? [`    headers={${headers.join(", ")}},`] : []),
    ...(sent === undefined ? [] : [`    data=${told},`]),
    ")",
    "with urlopen(request) as response:",
    isText(operation)
      ? "    print(response.status, response.read().decode())"
      : '    print(response.status, len(response.read()), "bytes")'
  ].join("\n")
}

/** SVG and JSON are text; other pictures are not. */
const isText = ({ responses }: Operation): boolean =>
  !Object.keys(responses["200"]?.content ?? {}).some((type) => /^image\/(?!svg)/.test(type))

const pythonText = (value: object = {}): string =>
  JSON.stringify(value)
    .replaceAll(/\btrue\b/g, "True")
    .replaceAll(/\bfalse\b/g, "False")
    .replaceAll(/\bnull\b/g, "None")
    .replaceAll(quotedProcess, 'os.environ["PROCESS_ID"]')
