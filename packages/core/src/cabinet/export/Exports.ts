/** Use-cases of exports: all invoices that a filter lets through, in parts, as many as there are. */
import { Context, Data, Effect, Layer, Stream } from "effect"
import { type AuditRecord, recordOf } from "../../audit/Audit.ts"
import { AuditStore } from "../../audit/AuditStore.ts"
import { Connections } from "../../connection/Connections.ts"
import { InvoiceSettings } from "../../invoice/InvoiceSettings.ts"
import { Ids } from "../../value/Ids.ts"
import type { Desk } from "../Desks.ts"
import { checkFilter, type FilterRequest } from "../InvoiceFilters.ts"
import { type InvoicePlace, type ListFilter, ReportStore } from "../ReportStore.ts"
import { isEmpty, sightOf } from "../Reports.ts"
import { type CsvLanguage, csvForms, csvHead, csvLanguages, csvLine } from "./InvoiceCsv.ts"

/** The member exports already, or too many others of the organization or on the server do. */
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

/** At once on a server: of one organization, and of all. Each holds a part of the database's time while it is read. */
const ofOrganization = 3
const ofServer = 24

const make = Effect.gen(function* () {
  const store = yield* ReportStore
  const audits = yield* AuditStore
  const connections = yield* Connections
  const ids = yield* Ids
  const { rowsPerLook: rows } = yield* InvoiceSettings
  // Ids of accounts by organization. One at once of a member: a part that is lost is begun anew, not beside it.
  const running = new Map<string, Set<string>>()

  let all = 0

  /** Takes the place of an export, which is given back when the scope ends, or before that by what this answers. */
  const admit = ({ organization, accountId }: Desk) => {
    const taken = Effect.suspend(() => {
      const ours = running.get(organization.id) ?? new Set<string>()
      if (all >= ofServer || ours.has(accountId) || ours.size >= ofOrganization)
        return Effect.fail(new TooManyExports())
      running.set(organization.id, ours.add(accountId))
      all++
      let isHeld = true
      const leave = Effect.sync(() => {
        if (!isHeld) return
        isHeld = false
        all--
        ours.delete(accountId)
        if (ours.size === 0) running.delete(organization.id)
      })
      return Effect.succeed(leave)
    })
    return Effect.acquireRelease(taken, (leave) => leave)
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

  /** Notes how many rows were read for it, and whether to the end; of the one who has begun it. */
  const noteEnd = Effect.fnUntraced(
    function* (begun: AuditRecord, sent: { rows: number; isWhole: boolean }) {
      const detail = JSON.stringify({ export: begun.id, ...sent })
      const deed = { action: "invoices.export_ended", organizationId: begun.organizationId } as const
      const record = yield* recordOf(ids, { ...deed, subject: begun.subject, detail })
      yield* audits.note({ ...record, actor: begun.actor })
    },
    Effect.catchCause((cause) => Effect.logError("Exports: its end could not be noted", cause))
  )

  const invoices = Effect.fn("Exports.invoices")(function* (desk: Desk, request: ExportRequest) {
    const filter = yield* Effect.fromResult(checkFilter(sightOf(desk), request))
    const language: CsvLanguage = csvLanguages.find((each) => each === request.lang) ?? "kk"
    const leave = yield* admit(desk)
    const detail = JSON.stringify({ mode: desk.mode, ...askedOf(request) })
    const deed = { action: "invoices.exported", organizationId: desk.organization.id } as const
    const begun = yield* recordOf(ids, { ...deed, subject: desk.organization.id, detail })
    yield* audits.note(begun)
    const known = yield* connections.list(desk.organization.id)
    const cashiers = new Map(known.map(({ id, name }) => [id, name]))
    const form = csvForms[request.bom === "1" ? "excel" : "plain"]
    const head = csvHead(language, form)
    const sent = { rows: 0, isWhole: false }
    const lines = Stream.map(parts(filter), (found) => {
      sent.rows += found.length
      return found.map((invoice) => csvLine(invoice, cashiers, form)).join("")
    })
    const finish = Effect.sync(() => {
      sent.isWhole = true
    })
    const whole = Stream.drain(Stream.fromEffect(finish))
    let isNoted = false
    const ended = Effect.suspend(() => {
      if (isNoted) return Effect.void
      isNoted = true
      return Effect.ensuring(noteEnd(begun, sent), leave)
    })
    // One that is never begun ends with the scope.
    yield* Effect.addFinalizer(() => ended)
    return Stream.ensuring(Stream.concat(Stream.concat(Stream.make(head), lines), whole), ended)
  })

  return {
    /**
     * The invoices as a table for spreadsheets, newest first, a part at a time: it is read as it is taken, and nothing
     * more once it is not. It is noted in the audit log before, and at its end with the rows that were read for it. Its
     * place is taken here, so that a refusal comes before the first line, and held until it or the scope has ended.
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
