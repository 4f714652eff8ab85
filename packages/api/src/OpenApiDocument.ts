/** The OpenAPI document: the contract and the public addresses, webhooks, and the bounds that settings set. */
import { defaults, type Settings } from "@tolem/core/engine/Settings"
import { toTenge } from "@tolem/core/value/Money"
import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import { finishOperation, headers } from "./OperationDocument.ts"
import { PublicApi } from "./PublicApi.ts"
import { EventSchemas, webhooks } from "./WebhookDocument.ts"

/** The document, with what the library's type of it leaves out. */
export interface OpenApiDocument extends OpenApi.OpenAPISpec {
  readonly webhooks: Readonly<Record<string, object>>
}

/** What of a schema's annotations the document shows beside the usual ones. */
const keywords = ["minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems"]
const shown = new Set([...keywords, "additionalProperties", "x-setting"])
const options: OpenApi.FromApiOptions = { includeAnnotationKey: (key) => shown.has(key) }

/** The document of a service with these settings. `server` is the address that its paths are under. */
export const openApiDocument = (settings: Settings = defaults, server: string = settings.baseUrl): OpenApiDocument => {
  const document = OpenApi.fromApi(Api, options)
  for (const more of [OpenApi.fromApi(PublicApi, options), OpenApi.fromApi(EventSchemas, options)]) {
    Object.assign(document.paths, more.paths)
    Object.assign(document.components.schemas, more.components.schemas)
    document.tags.push(...more.tags)
  }
  document.servers = [{ url: server }]
  const { schemas } = document.components
  const responses: Record<string, object> = {}
  Object.assign(document.components, { headers, responses })
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method]
      if (operation !== undefined) finishOperation(operation, { path, schemas, responses })
    }
  }
  const finished = Object.assign(document, { webhooks })
  settle(finished, boundsOf(settings))
  return finished
}

const methods = ["get", "post", "patch", "delete"] as const

type Part = Record<string, unknown>

const boundsOf = (settings: Settings): Readonly<Record<string, Part>> => ({
  amount: { minimum: toTenge(settings.amount.min), maximum: toTenge(settings.amount.maxQr) },
  metadata: {
    description: `Any JSON object of at most ${settings.maxMetadataBytes / 1024} KiB, returned as it was sent`
  },
  bulk: { maxItems: settings.maxBulk },
  page: { maximum: settings.maxPageSize, default: settings.defaultPageSize },
  wait: { maximum: settings.feed.maxWaitMs / 1000 }
})

/**
 * Names the bounds that settings set, leaves objects open (members may be added to answers, and unknown ones are
 * ignored), and says in one schema what the library says in two: a check beside its type, null beside a type.
 */
const settle = (value: unknown, bounds: Readonly<Record<string, Part>>): void => {
  if (typeof value !== "object" || value === null) return
  const part = value as Part
  for (const member of Object.values(part)) settle(member, bounds)
  if (part["additionalProperties"] === false) delete part["additionalProperties"]
  const { allOf, anyOf } = part as Alternatives
  if (allOf?.every((one) => !("$ref" in one)) === true) {
    delete part["allOf"]
    Object.assign(part, ...allOf)
  }
  const [first, second] = anyOf ?? []
  if (typeof first?.["type"] === "string" && !("enum" in first) && second?.["type"] === "null" && anyOf?.length === 2) {
    delete part["anyOf"]
    Object.assign(part, { ...first, ...part, type: [first["type"], "null"] })
  }
  if (typeof part["x-setting"] === "string") Object.assign(part, bounds[part["x-setting"]])
  delete part["x-setting"]
}

interface Alternatives {
  readonly allOf?: ReadonlyArray<Part>
  readonly anyOf?: ReadonlyArray<Part>
}
