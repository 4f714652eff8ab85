/** Checks of what members ask of the journal. Pure. */
import { Result } from "effect"
import type { JournalPlace, JournalQuery } from "../../audit/AuditStore.ts"
import { type DeedKind, deedKinds, deedsOf, type PlatformKind } from "../../audit/DeedKinds.ts"
import { FieldRefused } from "../../error/Refusals.ts"
import { isStorable } from "../../value/Checks.ts"
import { queryInstant } from "../../value/QueryChecks.ts"

/** What the journal is narrowed down to, as text from a query string. */
export interface JournalRequest {
  /** Id of an account or a key. */
  readonly actor?: unknown
  /** A kind of deeds. */
  readonly kind?: unknown
  /** Days in Almaty, or date-times. */
  readonly from?: unknown
  readonly to?: unknown
  /** The end of the page before. */
  readonly after?: unknown
}

/** What is looked for, of whichever organization. */
export type JournalFilter = Omit<JournalQuery, "organizationId" | "limit">

/** What a request looks for. A kind that is not among `kinds`, or an actor that cannot be one, finds nothing. */
export const checkJournal = (
  { actor, kind, from, to, after }: JournalRequest,
  kinds: ReadonlyArray<DeedKind | PlatformKind> = deedKinds
) =>
  Result.gen(function* () {
    const before = isAbsent(after) ? null : placeFrom(after)
    if (before === undefined) return yield* Result.fail("invalid_after" as const)
    const known = kinds.find((each) => each === kind)
    const isActor = typeof actor === "string" && isStorable(actor)
    const isNothing = (known === undefined && !isAbsent(kind)) || !(isActor || isAbsent(actor))
    const filter: JournalFilter = {
      actorId: isActor && actor !== "" ? actor : null,
      actions: isNothing ? [] : known === undefined ? null : deedsOf(known),
      from: yield* queryInstant(from, "start", "invalid_from"),
      to: yield* queryInstant(to, "end", "invalid_to"),
      before
    }
    return filter
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const isAbsent = (given: unknown): boolean => given === undefined || given === ""

const form = /^([0-9]{1,15})\.(aud_[0-9a-z]{26})$/

const placeFrom = (text: unknown): JournalPlace | undefined => {
  const [, at, id] = form.exec(typeof text === "string" ? text : "") ?? []
  return at === undefined || id === undefined ? undefined : { createdAt: Number(at), id }
}
