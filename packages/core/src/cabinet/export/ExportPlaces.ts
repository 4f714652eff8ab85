/** How many exports there are at once, and what the audit log says of each. */
import { Context, Data, Effect, Layer, Stream } from "effect"
import { type AuditRecord, recordOf } from "../../audit/Audit.ts"
import { AuditStore } from "../../audit/AuditStore.ts"
import { Ids } from "../../value/Ids.ts"
import type { Desk } from "../Desks.ts"

/** The member exports already, here or in too many organizations, or too many others do. */
export class TooManyExports extends Data.TaggedError("TooManyExports") {
  readonly code = "too_many_exports"
}

/**
 * At once on a server: of one member over all their organizations, of one organization, and of all. Each holds a part
 * of the database's time while it is read.
 */
const ofMember = 3
const ofOrganization = 3
const ofServer = 24

const make = Effect.gen(function* () {
  const audits = yield* AuditStore
  const ids = yield* Ids
  // Ids of accounts by organization. One at once of a member: a part that is lost is begun anew, not beside it.
  const running = new Map<string, Set<string>>()

  let all = 0

  const countOf = (accountId: string) => Array.from(running.values()).filter((ids) => ids.has(accountId)).length

  /** Takes the place of an export, which is given back when the scope ends, or before that by what this answers. */
  const admit = ({ organization, accountId }: Desk) => {
    const taken = Effect.suspend(() => {
      const ours = running.get(organization.id) ?? new Set<string>()
      const isFull = all >= ofServer || ours.size >= ofOrganization || countOf(accountId) >= ofMember
      if (isFull || ours.has(accountId)) return Effect.fail(new TooManyExports())
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

  return Effect.fnUntraced(function* (desk: Desk, table: ExportedTable, request: object) {
    const leave = yield* admit(desk)
    const detail = JSON.stringify({ ...(table !== "invoices" && { table }), mode: desk.mode, ...askedOf(request) })
    const deed = { action: "invoices.exported", organizationId: desk.organization.id } as const
    const begun = yield* recordOf(ids, { ...deed, subject: desk.organization.id, detail })
    yield* audits.note(begun)
    const sent = { rows: 0, isWhole: false }
    let isNoted = false
    const ended = Effect.suspend(() => {
      if (isNoted) return Effect.void
      isNoted = true
      return Effect.ensuring(noteEnd(begun, sent), leave)
    })
    // One that is never begun ends with the scope.
    yield* Effect.addFinalizer(() => ended)
    const finish = Effect.sync(() => {
      sent.isWhole = true
    })
    return <A, E>(parts: Stream.Stream<ReadonlyArray<A>, E>): Stream.Stream<ReadonlyArray<A>, E> => {
      const counted = Stream.map(parts, (found) => {
        sent.rows += found.length
        return found
      })
      return Stream.ensuring(Stream.concat(counted, Stream.drain(Stream.fromEffect(finish))), ended)
    }
  })
})

/** What is exported. */
export type ExportedTable = "invoices" | "refunds" | "movements" | "journal" | "1c"

/**
 * Lets an export of a member begin, if there is a place for it, and notes it. What is read for it goes through what
 * this answers, which notes its end and gives the place back; the scope does so if nothing is ever read.
 */
export class ExportPlaces extends Context.Service<ExportPlaces, Effect.Success<typeof make>>()(
  "@tolem/core/ExportPlaces"
) {
  /** The places of one server. */
  static readonly layer = Layer.effect(ExportPlaces, make)
}

/** What was asked for, without what was searched for: that may be of a person. */
const askedOf = (asked: object) => {
  const { search, ...request } = asked as { readonly search?: unknown }
  return Object.fromEntries(
    Object.entries({ ...request, ...(search !== undefined && { search: "…" }) }).filter(
      ([, value]) => typeof value === "string" && value.length <= 100
    )
  )
}
