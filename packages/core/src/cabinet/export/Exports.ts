/** Use-cases of exports: all invoices that a filter lets through, in parts, as many as there are. */
import { Context, Data, Effect, Layer, Stream } from "effect"
import { recordOf } from "../../audit/Audit.ts"
import { AuditStore } from "../../audit/AuditStore.ts"
import { Connections } from "../../connection/Connections.ts"
import type { StorageError } from "../../error/StorageError.ts"
import { InvoiceSettings } from "../../invoice/InvoiceSettings.ts"
import { Ids } from "../../value/Ids.ts"
import type { Desk } from "../Desks.ts"
import { checkFilter, type FilterRequest } from "../InvoiceFilters.ts"
import { type InvoicePlace, type ListFilter, ReportStore } from "../ReportStore.ts"
import { isEmpty, sightOf } from "../Reports.ts"
import { type CsvLanguage, csvForms, csvHead, csvLanguages, csvLine } from "./InvoiceCsv.ts"

/** The member exports already, or too many others of the organization do. */
export class TooManyExports extends Data.TaggedError("TooManyExports") {
  readonly code = "too_many_exports"
}

/** What is to be exported, as text from a query string. */
export interface ExportRequest extends FilterRequest {
  /** Of the heads: kk, ru or en. */
  readonly lang?: unknown
  /** `1`: as Excel reads it in Kazakh and in Russian, with the mark of UTF-8 that it needs. */
  readonly bom?: unknown
}

/** Rows that are read at once. What waits to be sent is no more than some of these. */
const perPart = 500

/** Of one organization at once, on a server. */
const ofOrganization = 3

const make = Effect.gen(function* () {
  const store = yield* ReportStore
  const audits = yield* AuditStore
  const connections = yield* Connections
  const ids = yield* Ids
  const { rowsPerLook: rows } = yield* InvoiceSettings
  // Ids of accounts by organization. One at once of a member: a part that is lost is begun anew, not beside it.
  const running = new Map<string, Set<string>>()

  const begin = ({ organization, accountId }: Desk): boolean => {
    const ours = running.get(organization.id) ?? new Set()
    if (ours.has(accountId) || ours.size >= ofOrganization) return false
    running.set(organization.id, ours.add(accountId))
    return true
  }
  const end = ({ organization, accountId }: Desk) => {
    const ours = running.get(organization.id)
    ours?.delete(accountId)
    if (ours?.size === 0) running.delete(organization.id)
  }
  const isFree = ({ organization, accountId }: Desk): boolean => {
    const ours = running.get(organization.id)
    return ours === undefined || (!ours.has(accountId) && ours.size < ofOrganization)
  }

  const parts = (filter: ListFilter) =>
    Stream.unfold(
      { after: null as InvoicePlace | null, isDone: isEmpty(filter) },
      Effect.fnUntraced(function* ({ after, isDone }) {
        if (isDone) return undefined
        const { found, end: ended } = yield* store.page(filter, { after, rows }, { limit: perPart, offset: 0 })
        const next = found.length === perPart ? (found.at(-1) ?? null) : ended
        return [found, { after: next, isDone: next === null }] as const
      })
    )

  const invoices = Effect.fn("Exports.invoices")(function* (desk: Desk, request: ExportRequest) {
    const filter = yield* Effect.fromResult(checkFilter(sightOf(desk), request))
    const language: CsvLanguage = csvLanguages.find((each) => each === request.lang) ?? "kk"
    if (!isFree(desk)) return yield* new TooManyExports()
    const detail = JSON.stringify({ mode: desk.mode, ...askedOf(request) })
    const deed = { action: "invoices.exported", organizationId: desk.organization.id } as const
    yield* audits.note(yield* recordOf(ids, { ...deed, subject: desk.organization.id, detail }))
    const all = yield* connections.list(desk.organization.id)
    const cashiers = new Map(all.map(({ id, name }) => [id, name]))
    const form = csvForms[request.bom === "1" ? "excel" : "plain"]
    const head = csvHead(language, form)
    const lines = Stream.map(parts(filter), (found) =>
      found.map((invoice) => csvLine(invoice, cashiers, form)).join("")
    )
    // Its place is taken by the stream itself: one that is never begun takes none.
    const held: Stream.Stream<string, StorageError | TooManyExports> = Stream.unwrap(
      Effect.suspend(() =>
        begin(desk)
          ? Effect.succeed(
              Stream.ensuring(
                Stream.concat(Stream.make(head), lines),
                Effect.sync(() => end(desk))
              )
            )
          : Effect.fail(new TooManyExports())
      )
    )
    return held
  })

  return {
    /**
     * The invoices as a table for spreadsheets, newest first, a part at a time: it is read as it is taken, and nothing
     * more once it is not. It is noted in the audit log before.
     */
    invoices
  }
})

/** The use-cases of exports. */
export class Exports extends Context.Service<Exports, Effect.Success<typeof make>>()("@tolem/core/Exports") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Exports, make)
}

/** What was asked for, without what was searched for: that may be of a person. */
const askedOf = ({ search, ...request }: ExportRequest) =>
  Object.fromEntries(
    Object.entries({ ...request, ...(search !== undefined && { search: "…" }) }).filter(
      ([, value]) => typeof value === "string" && value.length <= 100
    )
  )
