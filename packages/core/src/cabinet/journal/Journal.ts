/** Use-cases of the journal: what was done in an organization, by whom, when, and from where. */
import { Context, Effect, Layer } from "effect"
import type { AuditRecord } from "../../audit/Audit.ts"
import { AuditStore } from "../../audit/AuditStore.ts"
import { ConnectionStore } from "../../connection/ConnectionStore.ts"
import { DirectoryStore } from "../../merchant/DirectoryStore.ts"
import { MerchantStore } from "../../merchant/MerchantStore.ts"
import type { OrganizationId } from "../../value/Ids.ts"
import { WebhookStore } from "../../webhook/WebhookStore.ts"
import type { Outlook } from "../Desks.ts"
import { checkJournal, type JournalRequest } from "./JournalRequests.ts"

/** Of which organization. */
type At = Pick<Outlook, "organization">

/** What people, keys, cashiers and endpoints are called, by their ids. */
export type Names = ReadonlyMap<string, string>

/** Records on a page. */
const pageSize = 50

const make = Effect.gen(function* () {
  const audits = yield* AuditStore
  const directory = yield* DirectoryStore
  const merchants = yield* MerchantStore
  const connections = yield* ConnectionStore
  const webhooks = yield* WebhookStore

  const actors = Effect.fn("Journal.actors")(function* ({ organization }: At) {
    const members = yield* directory.members(organization.id)
    const keys = yield* merchants.keys(organization.id)
    return [
      ...members.map(({ account }) => ({
        kind: "account" as const,
        id: account.id,
        name: account.name ?? account.phone
      })),
      ...keys.map(({ id, name, lastCharacters }) => ({ kind: "key" as const, id, name: keyName(name, lastCharacters) }))
    ]
  })

  const endpointsOf = (organizationId: OrganizationId) =>
    Effect.map(
      Effect.forEach(["sandbox", "live"] as const, (mode) => webhooks.endpoints({ organizationId, mode })),
      (found) => found.flat()
    )

  const namesOf = Effect.fnUntraced(function* (at: At) {
    const organizationId = at.organization.id
    const cashiers = yield* connections.list(organizationId)
    const endpoints = yield* endpointsOf(organizationId)
    return new Map<string, string>([
      ...(yield* actors(at)).map(({ id, name }) => [id, name] as const),
      ...cashiers.map(({ id, name }) => [id, name] as const),
      ...endpoints.map(({ id, url }) => [id, url] as const)
    ])
  })

  /** Adds what people are called who are members no more, or never were. Their phones are not told. */
  const withStrangers = Effect.fnUntraced(function* (names: Names, records: ReadonlyArray<AuditRecord>) {
    const people = records.flatMap(({ actor, subject }) => [actor.kind === "account" ? actor.id : null, subject])
    const missing = new Set(people.flatMap((id) => (id?.startsWith("acc_") === true && !names.has(id) ? [id] : [])))
    const known = yield* audits.names([...missing])
    return new Map([...names, ...known])
  })

  const page = Effect.fn("Journal.page")(function* (at: At, request: JournalRequest) {
    const filter = yield* Effect.fromResult(checkJournal(request))
    const found = yield* audits.journal({ ...filter, organizationId: at.organization.id, limit: pageSize + 1 })
    const records = found.slice(0, pageSize)
    const names = yield* withStrangers(yield* namesOf(at), records)
    return { records, names, hasMore: found.length > pageSize }
  })

  return {
    /** A page of the records that a request looks for, newest first, with what is named in them. */
    page,
    /** The people and the keys that may be asked for: those of today. */
    actors,
    /** What people of today, keys, cashiers and endpoints are called. */
    names: namesOf,
    /** The same, with the people of these records. */
    withStrangers
  }
})

const keyName = (name: string, lastCharacters: string): string => `${name} …${lastCharacters}`.trim()

/** The journal of an organization. */
export class Journal extends Context.Service<Journal, Effect.Success<typeof make>>()("@tolem/core/Journal") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Journal, make)
}
