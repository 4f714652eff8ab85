/** The journal as members are shown it. Pure. */
import type { Actor, AuditRecord } from "../../audit/Audit.ts"
import { deedKindOf } from "../../audit/DeedKinds.ts"
import { toIso } from "../../value/Calendar.ts"
import { listPlaceText } from "../ListPlace.ts"
import type { Names } from "./Journal.ts"

/** Who acted, as merchants are told: of those who run the platform neither name nor address. */
export const shownActor = ({ kind, id, origin }: Actor, names: Names) =>
  kind === "operator"
    ? { kind, id: null, name: null, origin: null }
    : { kind, id, name: id === null ? null : (names.get(id) ?? null), origin }

interface Page {
  readonly records: ReadonlyArray<AuditRecord>
  readonly names: Names
  readonly hasMore: boolean
}

/** A page; `next` is the `after` of the one that follows, null if there is none. */
export const journalJson = ({ records, names, hasMore }: Page) => {
  const last = records.at(-1)
  return {
    records: records.map(({ id, action, actor, subject, detail, createdAt }) => ({
      id,
      at: toIso(createdAt),
      action: action as string,
      kind: deedKindOf(action),
      actor: shownActor(actor, names),
      subject: { id: subject, name: names.get(subject) ?? null },
      detail
    })),
    next: hasMore && last !== undefined ? listPlaceText(last) : null
  }
}
