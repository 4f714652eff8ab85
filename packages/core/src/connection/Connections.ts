/**
 * Use-cases of cashiers: made, logged in in three steps, chosen for invoices, and gone. All of it happens in real time,
 * also if a sandbox asks for it whose clock is ahead.
 */
import { Clock, Context, Effect, Layer, Metric, Option, Redacted, Result } from "effect"
import { type Action, recordOf } from "../audit/Audit.ts"
import {
  ConnectionNotFound,
  FieldRefused,
  NoProvider,
  NotLive,
  ProviderSessionNotConfigured
} from "../error/Refusals.ts"
import { family } from "../measure/Series.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import type { ProviderSession } from "../provider/PaymentProvider.ts"
import { optionalLine } from "../value/Checks.ts"
import { type ConnectionId, Ids, type OrganizationId } from "../value/Ids.ts"
import * as Rivals from "../work/Rivals.ts"
import { after, type Connection, newConnection, type Transition, type UsableConnection } from "./Connection.ts"
import { ConnectionHasKeys, ConnectionNotActive, ProviderSessionExpired } from "./ConnectionErrors.ts"
import { makeLogins } from "./ConnectionLogins.ts"
import { ConnectionStore } from "./ConnectionStore.ts"

/** The most characters of a name. */
export const maxConnectionName = 200

type ChosenTransition = Extract<Transition, { readonly _tag: "Disabled" | "Enabled" | "MadeDefault" }>

/** How a cashier is found for what is to be done at the provider. */
const makeChoice = Effect.gen(function* () {
  const store = yield* ConnectionStore
  const merchants = yield* MerchantStore

  const usable = (connection: Connection): UsableConnection | undefined =>
    connection.session === null ? undefined : { ...connection, session: connection.session }

  const forCreate = Effect.fnUntraced(function* (organizationId: OrganizationId, connectionId: ConnectionId | null) {
    const organization = yield* merchants.organization(organizationId)
    if (!Option.exists(organization, ({ mode }) => mode === "live")) return yield* new NotLive()
    const all = yield* store.list(organizationId)
    if (all.length === 0) return yield* new ProviderSessionNotConfigured()
    const chosen = connectionId === null ? defaultOf(all) : all.find(({ id }) => id === connectionId)
    if (chosen?.status === "expired") return yield* new ProviderSessionExpired()
    const found = chosen?.status === "active" ? usable(chosen) : undefined
    return found ?? (yield* new ConnectionNotActive())
  })

  const ofInvoice = Effect.fnUntraced(function* (organizationId: OrganizationId, connectionId: ConnectionId | null) {
    const found = connectionId === null ? Option.none() : yield* store.find(organizationId, connectionId)
    if (Option.isNone(found)) return yield* new NoProvider()
    if (found.value.status === "expired") return yield* new ProviderSessionExpired()
    return usable(found.value) ?? (yield* new NoProvider())
  })

  return {
    /**
     * The cashier by which something new is begun at the provider: the one that the key is bound to, or the default
     * one. `NotLive` while the organization works in its sandbox: every way to the provider begins here.
     */
    forCreate,
    /** The cashier of an invoice, for watching and refunding it; they may be disabled by now. */
    ofInvoice
  }
})

const make = Effect.gen(function* () {
  const store = yield* ConnectionStore
  const ids = yield* Ids
  const changing = yield* Rivals.make

  const get = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ConnectionId) {
    const found = yield* store.find(organizationId, id)
    return Option.isSome(found) ? found.value : yield* new ConnectionNotFound()
  })

  const deed = (action: Action, organizationId: OrganizationId, id: ConnectionId) =>
    recordOf(ids, { action, organizationId, subject: id })

  /** Applies a transition to whatever is stored, again if another writer was faster. */
  const apply = (
    organizationId: OrganizationId,
    id: ConnectionId,
    transition: (current: Connection) => Transition | null
  ) => {
    const attempt = Effect.gen(function* () {
      const current = yield* get(organizationId, id)
      const wanted = transition(current)
      const next = wanted === null ? current : after(current, wanted, yield* Clock.currentTimeMillis)
      if (wanted === null || next === current) return Option.some(current)
      const action = actionOf[wanted._tag]
      const audit = action === null ? undefined : yield* deed(action, organizationId, id)
      const isWritten = yield* store.replace(next, audit)
      if (isWritten) yield* countSession(wanted._tag)
      return isWritten ? Option.some(next) : Option.none()
    })
    // One that becomes the default changes the others.
    return changing("Connections.apply", organizationId)(attempt)
  }

  const defaultIfNone = Effect.fnUntraced(function* (connection: Connection) {
    if (connection.status !== "active" || connection.isDefault) return connection
    const others = yield* store.list(connection.organizationId)
    if (others.some(({ isDefault }) => isDefault)) return connection
    const made = apply(connection.organizationId, connection.id, () => ({ _tag: "MadeDefault" }))
    return yield* Effect.catchTag(made, "ConnectionNotFound", () => Effect.succeed(connection))
  })

  const create = Effect.fn("Connections.create")(function* (
    organizationId: OrganizationId,
    request: { readonly name: unknown; readonly session?: ProviderSession | undefined }
  ) {
    const name = yield* Effect.fromResult(checkName(request.name))
    const facts = { id: yield* ids.next("con"), organizationId, name, session: request.session ?? null }
    const connection = newConnection({ ...facts, now: yield* Clock.currentTimeMillis })
    yield* store.add(connection, yield* deed("connection.created", organizationId, connection.id))
    if (connection.session !== null) yield* countSession("LoggedIn")
    return yield* defaultIfNone(connection)
  })

  const loggedIn = (organizationId: OrganizationId, id: ConnectionId, session: ProviderSession, phone: string | null) =>
    Effect.flatMap(
      apply(organizationId, id, () => ({ _tag: "LoggedIn", session, phone })),
      defaultIfNone
    )

  const remove = Effect.fn("Connections.remove")(function* (organizationId: OrganizationId, id: ConnectionId) {
    const outcome = yield* store.remove(organizationId, id, yield* deed("connection.deleted", organizationId, id))
    if (outcome === "absent") return yield* new ConnectionNotFound()
    if (outcome === "has_keys") return yield* new ConnectionHasKeys()
  })

  const sessionLost = ({ organizationId, id, session }: UsableConnection) => {
    const isSame = (current: Connection) =>
      current.session !== null && Redacted.value(current.session) === Redacted.value(session)
    const lost = apply(organizationId, id, (current) => (isSame(current) ? { _tag: "SessionLost" } : null))
    return Effect.asVoid(Effect.catchTag(lost, "ConnectionNotFound", () => Effect.void))
  }

  return {
    /** Adds a cashier; with a session they are logged in already. The first active one becomes the default. */
    create,
    /** The cashiers of an organization, oldest first. */
    list: store.list,
    /** One cashier. */
    get,
    ...(yield* makeLogins(get, loggedIn)),
    /** Disables or enables a cashier, or makes them the default. */
    change: (organizationId: OrganizationId, id: ConnectionId, transition: ChosenTransition) =>
      apply(organizationId, id, () => transition),
    /** Removes a cashier, if no key is bound to them. */
    remove,
    ...(yield* makeChoice),
    /** The provider has ended this session. Changes nothing if the cashier has logged in anew meanwhile. */
    sessionLost
  }
})

/** The use-cases of cashiers at the provider. */
export class Connections extends Context.Service<Connections, Effect.Success<typeof make>>()(
  "@tolem/core/Connections"
) {
  /** The use-cases over the store; without a provider no cashier can log in. */
  static readonly layer = Layer.effect(Connections, make)
}

const sessions = family(["change"], (attributes) =>
  Metric.counter("tolem_cashier_sessions_total", {
    description: "Sessions of cashiers at the provider that were opened, and those that the provider has ended (lost)",
    incremental: true,
    attributes
  })
)

const countSession = (transition: Transition["_tag"]) =>
  transition === "LoggedIn" || transition === "SessionLost"
    ? Metric.update(sessions({ change: transition === "LoggedIn" ? "opened" : "lost" }), 1)
    : Effect.void

/** What the audit log calls a transition; null for what no person has done. */
const actionOf = {
  LoggedIn: "connection.logged_in",
  SessionLost: null,
  Disabled: "connection.disabled",
  Enabled: "connection.enabled",
  MadeDefault: "connection.made_default"
} as const satisfies Record<Transition["_tag"], Action | null>

// The default may have gone, or been chosen before their first login: then another who works takes the place. One whose
// session has expired is not passed over: they have to log in again.
const defaultOf = (all: ReadonlyArray<Connection>): Connection | undefined =>
  all.find(({ isDefault, status }) => isDefault && (status === "active" || status === "expired")) ??
  all.find(({ status }) => status === "active")

const checkName = (value: unknown) =>
  Result.flatMap(
    Result.mapError(optionalLine(value, maxConnectionName, "invalid_name"), (code) => new FieldRefused({ code })),
    (name) =>
      name === null || name.trim() === ""
        ? Result.fail(new FieldRefused({ code: "invalid_name" }))
        : Result.succeed(name)
  )
