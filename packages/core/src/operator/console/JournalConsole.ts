/** Use-case of the console: the journal of all organizations and of the platform, page by page. */
import { Context, Effect, Layer } from "effect"
import type { AuditRecord } from "../../audit/Audit.ts"
import { AuditStore } from "../../audit/AuditStore.ts"
import { deedKinds, platformKinds } from "../../audit/DeedKinds.ts"
import { checkJournal, type JournalRequest } from "../../cabinet/journal/JournalRequests.ts"
import { isStorable } from "../../value/Checks.ts"
import { pageSize } from "./ConsoleRequests.ts"

/** What the journal is narrowed down to, as text from a query string. */
export interface ConsoleJournalRequest extends JournalRequest {
  /** Id of an organization. */
  readonly organization?: unknown
}

const allKinds = [...deedKinds, ...platformKinds]

const make = Effect.gen(function* () {
  const audits = yield* AuditStore

  /** What the people and the organizations of these records are called. Phones are not told. */
  const namesOf = Effect.fnUntraced(function* (records: ReadonlyArray<AuditRecord>) {
    const mentioned = records.flatMap(({ actor, organizationId, subject }) => [actor.id, organizationId, subject])
    const ids = new Set(mentioned.flatMap((id) => (id !== null && /^(acc|org)_/.test(id) ? [id] : [])))
    return yield* audits.names([...ids])
  })

  const none = { records: [], names: new Map<string, string>(), hasMore: false }

  const page = Effect.fn("JournalConsole.page")(function* (request: ConsoleJournalRequest) {
    const filter = yield* Effect.fromResult(checkJournal(request, allKinds))
    const { organization = "" } = request
    // What cannot be an id is of nothing.
    if (typeof organization !== "string" || !isStorable(organization)) return none
    const organizationId = organization === "" ? null : organization
    const found = yield* audits.journal({ ...filter, organizationId, limit: pageSize + 1 })
    const records = found.slice(0, pageSize)
    return { records, names: yield* namesOf(records), hasMore: found.length > pageSize }
  })

  return {
    /** A page of the records that a request looks for, newest first, with what is named in them. */
    page
  }
})

/** The journal over all organizations. */
export class JournalConsole extends Context.Service<JournalConsole, Effect.Success<typeof make>>()(
  "@tolem/core/JournalConsole"
) {
  /** The use-case over the stores. */
  static readonly layer = Layer.effect(JournalConsole, make)
}
