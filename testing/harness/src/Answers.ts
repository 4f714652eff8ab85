/** Holds what servers answer against the OpenAPI document: the status is announced, the body as its schema says. */
import { openApiDocument } from "@tolem/api/OpenApiDocument"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"

/** An answer as it was sent. */
export interface Answer {
  readonly method: string
  /** Without a query. */
  readonly path: string
  readonly status: number
  /** The media type. */
  readonly type: string
  readonly body: unknown
}

/** What the document says otherwise of an answer; undefined: nothing. */
export const complaintOf = ({ method, path, status, type, body }: Answer): string | undefined => {
  const document = known()
  const operation = document.operations.find(({ verb, form }) => verb === method && form.test(path))
  // That a client has an answer already is HTTP's own affair.
  if (operation === undefined || status === 304) return undefined
  const valid = document.validatorOf(operation, String(status), type.startsWith("text/html"))
  const name = `${method} ${operation.path} ${status}`
  if (valid === undefined) return `${name} is not announced`
  if (valid === null) return undefined
  const text = typeof body === "string" ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : ""
  if (valid(parsed(text))) return undefined
  const [error] = valid.errors ?? []
  return `${name}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Responses = Readonly<
  Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, object>> }>
>

interface Operation {
  readonly verb: string
  readonly path: string
  readonly form: RegExp
  readonly responses: Responses
}

interface Known {
  readonly operations: ReadonlyArray<Operation>
  /** Of the answer with a status, or of the page. Null: one without JSON; undefined: none is announced. */
  readonly validatorOf: (operation: Operation, status: string, isPage: boolean) => ValidateFunction | null | undefined
}

let made: Known | undefined
// Made when the first answer comes: most processes of the tests serve nothing.
const known = (): Known => (made ??= make())

const make = (): Known => {
  const document = openApiDocument()
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, "api")
  const { responses: shared } = document.components as { readonly responses?: Responses }
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, { readonly responses: Responses }>>).map(([verb, { responses }]) => {
      const form = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
      return { verb: verb.toUpperCase(), path, form, responses }
    })
  )
  const validators = new Map<string, ValidateFunction | null>()
  return {
    // Literal segments come first: `/invoices/bulk` is no invoice.
    operations: operations.toSorted((a, b) => a.path.split("{").length - b.path.split("{").length),
    validatorOf: ({ verb, path, responses }, status, isPage) => {
      const name = `${verb} ${path} ${status} ${isPage}`
      const found = validators.get(name)
      if (found !== undefined) return found
      const response = responses[status] ?? (Number(status) >= 400 ? responses["default"] : undefined)
      if (response === undefined) return undefined
      const inner = response.$ref?.replace(/.*\//, "")
      const content = (inner === undefined ? response : shared?.[inner])?.content
      if (isPage) return content?.["text/html"] === undefined ? undefined : null
      const media = content?.["application/json"]
      const schema = media as { readonly schema?: object } | undefined
      const own = schema?.schema === undefined ? null : ajv.compile(rooted(schema.schema))
      validators.set(name, own)
      return own
    }
  }
}

/** The schema with references into the document that it is taken from. */
const rooted = (schema: object): object => JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'))
