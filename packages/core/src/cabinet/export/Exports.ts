/** Use-cases of exports: all that a filter or a period lets through, in parts, as many as there are. */
import { Clock, Context, Data, Effect, Layer, Stream } from "effect"
import type { AuditRecord } from "../../audit/Audit.ts"
import { AuditStore, type JournalPlace, type JournalQuery } from "../../audit/AuditStore.ts"
import { Connections } from "../../connection/Connections.ts"
import type { StorageError } from "../../error/StorageError.ts"
import type { Invoice } from "../../invoice/Invoice.ts"
import { InvoiceSettings } from "../../invoice/InvoiceSettings.ts"
import { SandboxClocks } from "../../time/SandboxClocks.ts"
import type { Desk } from "../Desks.ts"
import { checkFilter, type FilterRequest, type Sight } from "../InvoiceFilters.ts"
import { Journal } from "../journal/Journal.ts"
import { checkJournal, type JournalRequest } from "../journal/JournalRequests.ts"
import { type InvoicePlace, type ListFilter, ReportStore } from "../ReportStore.ts"
import { isEmpty, sightOf } from "../Reports.ts"
import { type ListedRefund, RefundListStore, type RefundPlace, type RefundQuery } from "../refund/RefundListStore.ts"
import { checkRefundFilter, type RefundFilterRequest } from "../refund/RefundRequests.ts"
import {
  type Moved,
  type Movement,
  type MovementPlace,
  type MovementQuery,
  MovementStore
} from "../statement/MovementStore.ts"
import { addMoved, unmoved } from "../statement/StatementJson.ts"
import { checkStatement, type StatementRequest } from "../statement/StatementRequests.ts"
import {
  accountText,
  clientBankDocument,
  clientBankEncoding,
  clientBankEnd,
  clientBankHead,
  inWindows1251
} from "./ClientBank.ts"
import { ExportPlaces } from "./ExportPlaces.ts"
import { invoiceColumns, invoiceRow } from "./InvoiceTable.ts"
import { journalColumns, journalRow } from "./JournalTable.ts"
import { movementColumns, movementRow } from "./MovementTable.ts"
import { refundColumns, refundRow } from "./RefundTable.ts"
import { groupingOf, statementTable } from "./StatementTable.ts"
import { type Table, tableLanguage } from "./Table.ts"

/** Money moved while a file of it was read, so that its sums no longer fit. Asked for again, it is whole. */
class MovedMeanwhile extends Data.TaggedError("MovedMeanwhile") {}

/** What is to be exported, as text from a query string. */
export interface ExportRequest extends FilterRequest {
  /** Of the heads: kk, ru or en. */
  readonly lang?: unknown
  /** `1`: as Excel reads it in Kazakh and in Russian, with the mark of UTF-8 that it needs. */
  readonly bom?: unknown
}

/** Payments and refunds of a period, with the language of the heads. */
export interface MovementExportRequest extends StatementRequest, Pick<ExportRequest, "lang" | "bom"> {}

/** Refunds that a filter lets through, with the language of the heads. */
export interface RefundExportRequest extends RefundFilterRequest, Pick<ExportRequest, "lang" | "bom"> {}

/** A statement, and what its rows are: day, month, cashier or source. */
export interface StatementExportRequest extends MovementExportRequest {
  readonly by?: unknown
}

/** The exchange file of 1C. */
export interface ClientBankRequest extends StatementRequest {
  /** As the account is kept there: letters and digits. */
  readonly account?: unknown
  /** `utf-8`; else windows-1251. */
  readonly encoding?: unknown
}

/** The journal, with the language of the heads. */
export interface JournalExportRequest extends JournalRequest, Pick<ExportRequest, "lang" | "bom"> {}

/** Rows that are read at once. What waits to be sent is no more than some of these. */
const perPart = 500

/** Parts of rows, each with the place that the next one follows, null at the end; none if there is no beginning. */
const inParts = <Row, Place extends object>(
  from: Place | null | undefined,
  read: (after: Place | null) => Effect.Effect<readonly [ReadonlyArray<Row>, Place | null], StorageError>
) =>
  Stream.unfold(
    { after: from ?? null, isDone: from === undefined },
    Effect.fnUntraced(function* ({ after, isDone }) {
      if (isDone) return undefined
      const [found, next] = yield* read(after)
      return [found, { after: next, isDone: next === null }] as const
    })
  )

/** The last row of a part that is full: more may follow it. */
const lastOfWhole = <Row>(found: ReadonlyArray<Row>): Row | null =>
  found.length < perPart ? null : (found.at(-1) ?? null)

const make = Effect.gen(function* () {
  const store = yield* ReportStore
  const movementStore = yield* MovementStore
  const refundStore = yield* RefundListStore
  const audits = yield* AuditStore
  const { names: namesOf, withStrangers } = yield* Journal
  const connections = yield* Connections
  const { rowsPerLook: rows } = yield* InvoiceSettings
  const { entering } = yield* SandboxClocks
  const begin = yield* ExportPlaces

  const invoiceParts = (filter: ListFilter) =>
    inParts<Invoice, InvoicePlace>(isEmpty(filter) ? undefined : null, (after) =>
      Effect.map(store.page(filter, { after, rows }, { limit: perPart, offset: 0 }), ({ found, end }) => [
        found,
        (found.length === perPart ? found.at(-1) : end) ?? null
      ])
    )

  const refundParts = (query: RefundQuery) =>
    inParts<ListedRefund, RefundPlace>(isEmpty(query) ? undefined : null, (after) =>
      Effect.map(refundStore.page(query, { after, rows }, perPart), ({ found, end }) => [
        found,
        (found.length === perPart ? found.at(-1)?.refund : end) ?? null
      ])
    )

  const movementParts = (query: MovementQuery, isNothing: boolean) =>
    inParts<Movement, MovementPlace>(isNothing ? undefined : null, (after) =>
      Effect.map(movementStore.page(query, after, perPart), (found) => [found, lastOfWhole(found)])
    )

  const journalParts = (query: Omit<JournalQuery, "limit">) =>
    inParts<AuditRecord, JournalPlace>(query.before, (before) =>
      Effect.map(audits.journal({ ...query, before, limit: perPart }), (found) => [found, lastOfWhole(found)])
    )

  const cashiersOf = Effect.fnUntraced(function* ({ organization }: Desk) {
    const known = yield* connections.list(organization.id)
    return new Map(known.map(({ id, name }) => [id, name]))
  })

  const invoices = Effect.fn("Exports.invoices")(function* (desk: Desk, request: ExportRequest) {
    const filter = yield* Effect.fromResult(checkFilter(sightOf(desk), request))
    const sent = yield* begin(desk, "invoices", request)
    const cashiers = yield* cashiersOf(desk)
    const parts = sent(invoiceParts(filter))
    return {
      columns: invoiceColumns(tableLanguage(request.lang)),
      parts: Stream.map(parts, (found) => found.map((invoice) => invoiceRow(invoice, cashiers)))
    } satisfies Table
  })

  const refunds = Effect.fn("Exports.refunds")(function* (desk: Desk, request: RefundExportRequest) {
    const query = yield* Effect.fromResult(checkRefundFilter(sightOf(desk), request))
    const sent = yield* begin(desk, "refunds", request)
    const cashiers = yield* cashiersOf(desk)
    return {
      columns: refundColumns(tableLanguage(request.lang)),
      parts: Stream.map(sent(refundParts(query)), (found) => found.map((refund) => refundRow(refund, cashiers)))
    } satisfies Table
  })

  const scopeOf = Effect.fnUntraced(function* (sight: Sight, request: StatementRequest) {
    const now = yield* Clock.currentTimeMillis
    return { now, ...(yield* Effect.fromResult(checkStatement(sight, request, now))) }
  })

  const movements = Effect.fn("Exports.movements")(function* (desk: Desk, request: MovementExportRequest) {
    const { query } = yield* entering(scopeOf)(sightOf(desk), request)
    const sent = yield* begin(desk, "movements", request)
    const cashiers = yield* cashiersOf(desk)
    const parts = sent(movementParts(query, isEmpty(query)))
    return {
      columns: movementColumns(tableLanguage(request.lang)),
      parts: Stream.map(parts, (found) => found.map((movement) => movementRow(movement, cashiers)))
    } satisfies Table
  })

  const statement = Effect.fn("Exports.statement")(function* (desk: Desk, request: StatementExportRequest) {
    const { query } = yield* entering(scopeOf)(sightOf(desk), request)
    const sums = isEmpty(query) ? { days: [], cashiers: [], sources: [] } : yield* movementStore.sums(query)
    return statementTable(sums, groupingOf(request.by), tableLanguage(request.lang), yield* cashiersOf(desk))
  })

  const journal = Effect.fn("Exports.journal")(function* (desk: Desk, request: JournalExportRequest) {
    const filter = yield* Effect.fromResult(checkJournal(request))
    const sent = yield* begin(desk, "journal", request)
    const names = yield* namesOf(desk)
    const parts = Stream.mapEffect(sent(journalParts({ ...filter, organizationId: desk.organization.id })), (found) =>
      Effect.map(withStrangers(names, found), (known) => found.map((record) => journalRow(record, known)))
    )
    return { columns: journalColumns(tableLanguage(request.lang)), parts } satisfies Table
  })

  const clientBank = Effect.fn("Exports.clientBank")(function* (desk: Desk, request: ClientBankRequest) {
    const { query, period, now } = yield* entering(scopeOf)(sightOf(desk), request)
    const encoding = clientBankEncoding(request.encoding)
    const { legalName, name, idn } = desk.organization
    const holder = { name: legalName ?? name, idn, account: accountText(request.account) }
    const sent = yield* begin(desk, "1c", request)
    const cashiers = yield* cashiersOf(desk)
    const days = isEmpty(query) ? [] : (yield* movementStore.sums(query)).days
    const sums = days.reduce<Moved>(addMoved, unmoved)
    let [number, net] = [0, 0n]
    const documents = Stream.map(sent(movementParts(query, isEmpty(query))), (found) =>
      found
        .map((movement) => {
          net += BigInt(movement.kind === "payment" ? movement.amount : -movement.amount)
          const { connectionId } = movement
          const till = connectionId === null ? null : (cashiers.get(connectionId) ?? connectionId)
          return clientBankDocument(movement, ++number, holder, till)
        })
        .join("")
    )
    // What has moved meanwhile is in the documents and not in the sums above them: such a file has no end.
    const end = Stream.unwrap(
      Effect.suspend(() =>
        net === sums.paid - sums.refunded && number === sums.payments + sums.refunds
          ? Effect.succeed(Stream.make(clientBankEnd))
          : Effect.fail(new MovedMeanwhile())
      )
    )
    const head = clientBankHead({ period, holder, sums, encoding, now })
    const text = Stream.concat(Stream.concat(Stream.make(head), documents), end)
    const encoder = new TextEncoder()
    return Stream.map(text, (part) => (encoding === "windows" ? inWindows1251(part) : encoder.encode(part)))
  })

  return {
    /**
     * The invoices as a table for spreadsheets, newest first, a part at a time: it is read as it is taken, and nothing
     * more once it is not. It is noted in the audit log before, and at its end with the rows that were read for it. Its
     * place is taken here, so that a refusal comes before the first line, and held until it or the scope has ended.
     */
    invoices,
    /** The refunds that a filter of their list lets through, in the same way, newest first. */
    refunds,
    /** The payments and refunds of a period in the same way, oldest first. */
    movements,
    /** The records of the journal in the same way, newest first. */
    journal,
    /** The movements as the exchange file of 1C, whose documents add up to the sums in it, or it has no end. */
    clientBank,
    /** The statement of a period, with its sums. */
    statement
  }
})

/** The use-cases of exports. */
export class Exports extends Context.Service<Exports, Effect.Success<typeof make>>()("@tolem/core/Exports") {
  /** The use-cases over the store. */
  static readonly layer = Layer.provide(Layer.effect(Exports, make), [ExportPlaces.layer, Journal.layer])
}
