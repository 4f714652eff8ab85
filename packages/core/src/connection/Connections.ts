/**
 * Use-cases of cashiers: made, logged in in three steps, chosen for invoices, and gone. All of it happens in real time,
 * also if a sandbox asks for it whose clock is ahead.
 */
import { Clock, Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { type Action, recordOf } from "../audit/Audit.ts"
import {
  ConnectionNotFound,
  FieldRefused,
  NoProvider,
  NotLive,
  ProviderSessionNotConfigured
} from "../error/Refusals.ts"
import type { StorageError } from "../error/StorageError.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { noProvider } from "../provider/NoProvider.ts"
import { PaymentProvider, type ProviderSession } from "../provider/PaymentProvider.ts"
import { optionalLine, optionalPhone } from "../value/Checks.ts"
import { Ids } from "../value/Ids.ts"
import {
  after,
  type Connection,
  type Login,
  newConnection,
  type Transition,
  type UsableConnection
} from "./Connection.ts"
import {
  ConnectionHasKeys,
  ConnectionNotActive,
  LoginRefused,
  loginRefused,
  ProviderSessionExpired
} from "./ConnectionErrors.ts"
import { ConnectionStore } from "./ConnectionStore.ts"

const maxTries = 5
const loginMs = 600_000
const maxName = 200
/** What could be a code; about anything else the provider is not asked, and it costs no try. */
const otpForm = /^[0-9A-Za-z]{1,32}$/

/** The use-cases of cashiers at the provider. */
export class Connections extends Context.Service<
  Connections,
  {
    /** Adds a cashier; with a session they are logged in already. The first active one becomes the default. */
    readonly create: (
      organizationId: string,
      request: { readonly name: unknown; readonly session?: ProviderSession | undefined }
    ) => Effect.Effect<Connection, FieldRefused | StorageError>
    readonly list: (organizationId: string) => Effect.Effect<ReadonlyArray<Connection>, StorageError>
    readonly get: (organizationId: string, id: string) => Effect.Effect<Connection, ConnectionNotFound | StorageError>
    /** Step 1 of the login. Answers the id of the process, which lives for ten minutes. */
    readonly initLogin: (
      organizationId: string,
      id: string
    ) => Effect.Effect<Login, ConnectionNotFound | LoginRefused | StorageError>
    /** Step 2: a code is sent to the cashier's phone. */
    readonly sendPhone: (
      organizationId: string,
      id: string,
      request: { readonly processId: string; readonly phone: unknown }
    ) => Effect.Effect<void, ConnectionNotFound | FieldRefused | LoginRefused | StorageError>
    /** Step 3: with the right code the connection is active. */
    readonly verifyOtp: (
      organizationId: string,
      id: string,
      request: { readonly processId: string; readonly otp: Redacted.Redacted<string> }
    ) => Effect.Effect<Connection, ConnectionNotFound | LoginRefused | StorageError>
    /** Disables or enables a cashier, or makes them the default. */
    readonly change: (
      organizationId: string,
      id: string,
      transition: Extract<Transition, { readonly _tag: "Disabled" | "Enabled" | "MadeDefault" }>
    ) => Effect.Effect<Connection, ConnectionNotFound | StorageError>
    readonly remove: (
      organizationId: string,
      id: string
    ) => Effect.Effect<void, ConnectionNotFound | ConnectionHasKeys | StorageError>
    /**
     * The cashier by which something new is begun at the provider: the one that the key is bound to, or the default
     * one. `NotLive` while the organization works in its sandbox: every way to the provider begins here.
     */
    readonly forCreate: (
      organizationId: string,
      connectionId: string | null
    ) => Effect.Effect<
      UsableConnection,
      NotLive | ProviderSessionNotConfigured | ConnectionNotActive | ProviderSessionExpired | StorageError
    >
    /** The cashier of an invoice, for watching and refunding it; they may be disabled by now. */
    readonly ofInvoice: (
      organizationId: string,
      connectionId: string | null
    ) => Effect.Effect<UsableConnection, NoProvider | ProviderSessionExpired | StorageError>
    /** The provider has ended this session. Changes nothing where the cashier has logged in anew meanwhile. */
    readonly sessionLost: (connection: UsableConnection) => Effect.Effect<void, StorageError>
  }
>()("@tolem/core/Connections") {
  /** The use-cases over the store; without a provider no cashier can log in. */
  static readonly layer: Layer.Layer<Connections, never, ConnectionStore | MerchantStore | Ids> = Layer.effect(
    Connections,
    Effect.suspend(() => make)
  )
}

/** How a cashier is found for what is to be done at the provider. */
const makeChoice = Effect.gen(function* () {
  const store = yield* ConnectionStore
  const merchants = yield* MerchantStore

  const usable = (connection: Connection): UsableConnection | undefined =>
    connection.session === null ? undefined : { ...connection, session: connection.session }

  const forCreate = Effect.fnUntraced(function* (organizationId: string, connectionId: string | null) {
    const organization = yield* merchants.organization(organizationId)
    if (!Option.exists(organization, ({ mode }) => mode === "live")) return yield* new NotLive()
    const all = yield* store.list(organizationId)
    if (all.length === 0) return yield* new ProviderSessionNotConfigured()
    const chosen = connectionId === null ? defaultOf(all) : all.find(({ id }) => id === connectionId)
    if (chosen?.status === "expired") return yield* new ProviderSessionExpired()
    const found = chosen?.status === "active" ? usable(chosen) : undefined
    return found ?? (yield* new ConnectionNotActive())
  })

  const ofInvoice = Effect.fnUntraced(function* (organizationId: string, connectionId: string | null) {
    const found = connectionId === null ? Option.none() : yield* store.find(organizationId, connectionId)
    if (Option.isNone(found)) return yield* new NoProvider()
    if (found.value.status === "expired") return yield* new ProviderSessionExpired()
    return usable(found.value) ?? (yield* new NoProvider())
  })

  return { forCreate, ofInvoice }
})

const make = Effect.gen(function* () {
  const store = yield* ConnectionStore
  const ids = yield* Ids
  const provider = Option.getOrElse(yield* Effect.serviceOption(PaymentProvider), () => noProvider)

  const get = Effect.fnUntraced(function* (organizationId: string, id: string) {
    const found = yield* store.find(organizationId, id)
    return Option.isSome(found) ? found.value : yield* new ConnectionNotFound()
  })

  const deed = (action: Action, organizationId: string, id: string) =>
    recordOf(ids, { action, organizationId, subject: id })

  /** Applies a transition to whatever is stored, again if another writer was faster. */
  const apply = (organizationId: string, id: string, transition: (current: Connection) => Transition | null) => {
    const attempt = Effect.gen(function* () {
      const current = yield* get(organizationId, id)
      const wanted = transition(current)
      const next = wanted === null ? current : after(current, wanted, yield* Clock.currentTimeMillis)
      if (wanted === null || next === current) return Option.some(current)
      const action = actionOf[wanted._tag]
      const audit = action === null ? undefined : yield* deed(action, organizationId, id)
      return (yield* store.replace(next, audit)) ? Option.some(next) : Option.none()
    })
    return Effect.map(Effect.repeat(attempt, { until: Option.isSome }), Option.getOrThrow)
  }

  const defaultIfNone = Effect.fnUntraced(function* (connection: Connection) {
    if (connection.status !== "active" || connection.isDefault) return connection
    const others = yield* store.list(connection.organizationId)
    if (others.some(({ isDefault }) => isDefault)) return connection
    const made = apply(connection.organizationId, connection.id, () => ({ _tag: "MadeDefault" }))
    return yield* Effect.catchTag(made, "ConnectionNotFound", () => Effect.succeed(connection))
  })

  const create = Effect.fn("Connections.create")(function* (
    organizationId: string,
    request: { readonly name: unknown; readonly session?: ProviderSession | undefined }
  ) {
    const name = yield* Effect.fromResult(checkName(request.name))
    const facts = { id: yield* ids.next("con"), organizationId, name, session: request.session ?? null }
    const connection = newConnection({ ...facts, now: yield* Clock.currentTimeMillis })
    yield* store.add(connection, yield* deed("connection.created", organizationId, connection.id))
    return yield* defaultIfNone(connection)
  })

  const initLogin = Effect.fn("Connections.initLogin")(function* (organizationId: string, id: string) {
    const connection = yield* get(organizationId, id)
    const answer = yield* provider.initLogin()
    if (answer._tag !== "Accepted") return yield* loginRefused(answer)
    const now = yield* Clock.currentTimeMillis
    const login: Login = {
      id: yield* ids.next("prc"),
      connectionId: connection.id,
      organizationId,
      providerProcessId: answer.value.processId,
      phone: null,
      tries: 0,
      expiresAt: Math.min(now + loginMs, answer.value.expiresAt),
      usedAt: null
    }
    yield* store.addLogin(login)
    return login
  })

  const openLogin = Effect.fnUntraced(function* (organizationId: string, id: string, processId: string) {
    yield* get(organizationId, id)
    const found = Option.getOrUndefined(yield* store.login(id, processId))
    const now = yield* Clock.currentTimeMillis
    if (found === undefined || (found.usedAt === null && found.expiresAt <= now)) {
      return yield* new LoginRefused({ code: "challenge_expired" })
    }
    return found.usedAt === null ? found : yield* new LoginRefused({ code: "challenge_used" })
  })

  const sendPhone = Effect.fn("Connections.sendPhone")(function* (
    organizationId: string,
    id: string,
    request: { readonly processId: string; readonly phone: unknown }
  ) {
    const phone = yield* Effect.fromResult(checkPhone(request.phone))
    const login = yield* openLogin(organizationId, id, request.processId)
    const answer = yield* provider.sendPhone({ processId: login.providerProcessId, phone })
    if (answer._tag !== "Accepted") return yield* loginRefused(answer)
    yield* store.notePhone(login.id, phone)
  })

  const verifyOtp = Effect.fn("Connections.verifyOtp")(function* (
    organizationId: string,
    id: string,
    request: { readonly processId: string; readonly otp: Redacted.Redacted<string> }
  ) {
    const login = yield* openLogin(organizationId, id, request.processId)
    if (!otpForm.test(Redacted.value(request.otp))) return yield* new LoginRefused({ code: "invalid_code" })
    // Counted before the provider is asked, so that many at once get no more tries than one by one.
    const tries = yield* store.countTry(login.id)
    if (tries > maxTries) return yield* new LoginRefused({ code: "too_many_attempts" })
    const answer = yield* provider.verifyOtp({ processId: login.providerProcessId, otp: request.otp })
    if (answer._tag !== "Accepted") return yield* loginRefused(answer)
    if (!(yield* store.endLogin(login.id, yield* Clock.currentTimeMillis))) {
      return yield* new LoginRefused({ code: "challenge_used" })
    }
    const { phone } = login
    const active = yield* apply(organizationId, id, () => ({ _tag: "LoggedIn", session: answer.value, phone }))
    return yield* defaultIfNone(active)
  })

  const remove = Effect.fn("Connections.remove")(function* (organizationId: string, id: string) {
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
    create,
    list: store.list,
    get,
    initLogin,
    sendPhone,
    verifyOtp,
    change: (organizationId, id, transition) => apply(organizationId, id, () => transition),
    remove,
    ...(yield* makeChoice),
    sessionLost
  } satisfies Connections["Service"]
})

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
    Result.mapError(optionalLine(value, maxName, "invalid_name"), (code) => new FieldRefused({ code })),
    (name) =>
      name === null || name.trim() === ""
        ? Result.fail(new FieldRefused({ code: "invalid_name" }))
        : Result.succeed(name)
  )

const checkPhone = (value: unknown) =>
  Result.flatMap(
    Result.mapError(optionalPhone(value), (code) => new FieldRefused({ code })),
    (phone) => (phone === null ? Result.fail(new FieldRefused({ code: "invalid_phone" })) : Result.succeed(phone))
  )
