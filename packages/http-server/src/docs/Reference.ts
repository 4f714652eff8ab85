/** A page of the reference: what the contract says of a group's operations, as Markdown. */
import type { OpenApiDocument } from "@tolem/api/OpenApiDocument"
import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import { sampleOf } from "./Answers.ts"
import {
  curlOf,
  javascriptOf,
  jsonText,
  type Operation,
  type Place,
  placesOf,
  pythonOf,
  resolved,
  type Schema
} from "./Samples.ts"
import type { DocLanguage, DocPage } from "./Site.ts"
import type { Terms } from "./Terms.ts"

/** What a page is made of. */
export interface Sources {
  readonly document: OpenApiDocument
  readonly baseUrl: string
  readonly language: DocLanguage
  readonly terms: Terms
}

/** The page of the groups that `page` names. */
export const referencePage = (page: DocPage, sources: Sources): string => {
  const { document, language, terms } = sources
  const { tags = [] } = page
  const places = placesOf(document, tags)
  const about = document.tags
    .filter(({ name }) => tags.includes(name))
    .map(({ description = "" }) => terms(description))
  return [
    `# ${page.title[language]}`,
    about.join(" "),
    terms("In the samples `$TOLEM_KEY` is your API key, and names such as `$INVOICE_ID` stand for ids of yours."),
    ...places.map((place) => operationText(place, sources)),
    `## ${terms("Errors")}`,
    errorTable(places, sources)
  ].join("\n\n")
}

const operationText = (place: Place, sources: Sources): string => {
  const { method, path, operation } = place
  const { document, baseUrl, terms } = sources
  const scopes = operation["x-required-scopes"] ?? []
  const parts = [
    `## ${terms(operation.summary)}`,
    `\`${method} ${path}\``,
    terms(operation.description ?? ""),
    scopes.length === 0 ? "" : `${terms("Scope")}: ${scopes.map((scope) => `\`${scope}\``).join(` ${terms("or")} `)}.`,
    memberTable(parametersOf(operation), sources),
    memberTable(membersOf(operation, document), sources),
    `\`\`\`sh curl\n${curlOf(place, document, baseUrl)}\n\`\`\``,
    `\`\`\`js JavaScript\n${javascriptOf(place, document, baseUrl)}\n\`\`\``,
    `\`\`\`python Python\n${pythonOf(place, document, baseUrl)}\n\`\`\``,
    answerText(operation, sources)
  ]
  return parts.filter((part) => part !== "").join("\n\n")
}

interface Member {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
  readonly description: string
}

const parametersOf = ({ parameters }: Operation): ReadonlyArray<Member> =>
  parameters.map(({ name, required = false, schema, description = schema.description ?? "" }) => ({
    name,
    required,
    schema,
    description
  }))

const membersOf = ({ requestBody }: Operation, document: OpenApiDocument): ReadonlyArray<Member> => {
  const [media] = Object.values(requestBody?.content ?? {})
  return media?.schema === undefined ? [] : flat(media.schema, document, "")
}

/** The members of the object, those of objects inside with dots. */
const flat = (given: Schema, document: OpenApiDocument, prefix: string): ReadonlyArray<Member> => {
  const { properties = {}, required = [] } = resolved(given, document)
  return Object.entries(properties).flatMap(([name, own]) => {
    const schema = plain(own, document)
    const inner = schema.items === undefined ? schema : plain(schema.items, document)
    const description = own.description ?? schema.description ?? ""
    const member = { name: `${prefix}${name}`, required: required.includes(name), schema, description }
    return [member, ...flat(inner, document, `${prefix}${name}${schema.items === undefined ? "." : "[]."}`)]
  })
}

const plain = (schema: Schema, document: OpenApiDocument): Schema =>
  schema.anyOf?.[0] === undefined
    ? resolved(schema, document)
    : { ...resolved(schema.anyOf[0], document), ...(schema.default !== undefined && { default: schema.default }) }

const memberTable = (members: ReadonlyArray<Member>, { terms }: Sources): string => {
  if (members.length === 0) return ""
  const rows = members.map(({ name, required, schema, description }) => {
    const must = required ? ` **${terms("required")}**` : ""
    const about = [terms(description), rulesOf(schema, terms)].filter((part) => part !== "").join(". ")
    return `| \`${name}\`${must} | ${kindOf(schema)} | ${about} |`
  })
  return [`| ${terms("Name")} | ${terms("Type")} | ${terms("What it is")} |`, "|---|---|---|", ...rows].join("\n")
}

const kindOf = ({ type, format }: Schema): string => {
  const name = [type].flat().filter((each) => each !== undefined && each !== "null")[0] ?? "string"
  return format === undefined ? name : `${name}, ${format}`
}

const rulesOf = (schema: Schema, terms: Terms): string => {
  const { minLength = 0, maxLength, minimum, maximum, maxItems, default: usual } = schema
  const words = schema.enum?.map((word) => `\`${String(word)}\``).join(", ")
  return [
    words,
    maxLength === undefined
      ? undefined
      : terms(minLength === 0 ? `at most ${maxLength} characters` : `${minLength} to ${maxLength} characters`),
    minimum === undefined ? undefined : maximum === undefined ? `≥ ${minimum}` : `${minimum}–${maximum}`,
    maxItems === undefined ? undefined : terms(`at most ${maxItems}`),
    usual === undefined ? undefined : `${terms("default")}: \`${JSON.stringify(usual)}\``
  ]
    .filter((rule) => rule !== undefined)
    .join("; ")
}

const answerText = ({ responses }: Operation, { document, terms }: Sources): string => {
  const [status = "", response] =
    Object.entries(responses).find(([each]) => each === "201") ??
    Object.entries(responses).find(([each]) => each.startsWith("2")) ??
    []
  const schema = response?.content?.["application/json"]?.schema
  const others = Object.keys(responses).filter((each) => /^[23]/.test(each) && each !== status)
  const more = others.length === 0 ? "" : ` (${terms("or")} ${others.join(", ")})`
  const title = `${terms("Answer")}: \`${status}\`${more}`
  if (schema === undefined) return `${title}.`
  return `${title}\n\n\`\`\`json\n${jsonText(sampleOf(schema, document))}\n\`\`\``
}

const errorTable = (places: ReadonlyArray<Place>, { document, language, terms }: Sources): string => {
  const found = new Map<Code, number>()
  for (const { operation } of places) {
    for (const response of Object.values(operation.responses)) {
      const schema = resolved(response, document).content?.["application/json"]?.schema
      const codes = schema === undefined ? [] : (resolved(schema, document).properties?.["error"]?.enum ?? [])
      for (const code of codes as ReadonlyArray<Code>) found.set(code, entry(code).status)
    }
  }
  const rows = [...found]
    .toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
    .map(([code, status]) => `| ${status} | \`${code}\` | ${entry(code)[language]} |`)
  return [`| HTTP | ${terms("Code")} | ${terms("Meaning")} |`, "|---|---|---|", ...rows].join("\n")
}
