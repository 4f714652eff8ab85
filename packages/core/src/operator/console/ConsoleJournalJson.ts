/** The journal as operators are shown it, without anything of customers. Pure. */
import type { AuditRecord } from "../../audit/Audit.ts"
import { anyKindOf } from "../../audit/DeedKinds.ts"
import type { Names } from "../../cabinet/journal/Journal.ts"
import { listPlaceText } from "../../cabinet/ListPlace.ts"
import { toIso } from "../../value/Calendar.ts"
import { shownDetail } from "./ShownDetail.ts"

interface ConsoleJournalPage {
  readonly records: ReadonlyArray<AuditRecord>
  readonly names: Names
  readonly hasMore: boolean
}

/** A page; `next` is the `after` of the one that follows, null if there is none. */
export const consoleJournalJson = ({ records, names, hasMore }: ConsoleJournalPage) => {
  const last = records.at(-1)
  const named = (id: string) => ({ id, name: names.get(id) ?? null })
  return {
    records: records.map((record) => ({
      id: record.id,
      at: toIso(record.createdAt),
      action: record.action as string,
      kind: anyKindOf(record.action),
      organization: record.organizationId === null ? null : named(record.organizationId),
      actor: { ...record.actor, name: record.actor.id === null ? null : (names.get(record.actor.id) ?? null) },
      subject: named(record.subject),
      detail: shownDetail(record)
    })),
    next: hasMore && last !== undefined ? listPlaceText(last) : null
  }
}
