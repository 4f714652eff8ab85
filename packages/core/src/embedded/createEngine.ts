/**
 * The engine for applications that do not use Effect: the same use-cases as plain promises.
 *
 * ```ts
 * const engine = await createEngine({ database: sqlite({ filename: "shop.db" }), … })
 * const { organization } = await engine.organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" })
 * const shop = engine.of({ organizationId: organization.id, mode: "sandbox" })
 * const invoice = await shop.invoices.create({ amount: 1500 })
 * await shop.invoices.simulate(invoice.id, "paid")
 * await engine.close()
 * ```
 */
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { Engine, type Platform, type Stores } from "../engine/Engine.ts"
import type { Finding } from "../engine/Integrity.ts"
import type { SettingsPart } from "../engine/Settings.ts"
import { type Code, entry } from "../error/ErrorCatalog.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { Caller, CreateResult } from "../invoice/InvoiceCreation.ts"
import type { InvoiceRequest } from "../invoice/InvoiceDraft.ts"
import { eventJson, type InvoiceObject, invoiceObject, refundJson } from "../invoice/InvoiceJson.ts"
import type { ListRequest, SimulatedStatus } from "../invoice/InvoiceRequests.ts"
import type { KeyScope } from "../merchant/Merchant.ts"
import type { OrganizationRequest } from "../merchant/OrganizationRequests.ts"
import type { PaymentProvider } from "../provider/PaymentProvider.ts"
import * as SecretBox from "../secret/SecretBox.ts"
import type { Subscription } from "../subscription/Subscription.ts"
import type { SubscriptionChanges, SubscriptionCreate } from "../subscription/SubscriptionDraft.ts"
import { type SubscriptionObject, subscriptionObject as toSubscription } from "../subscription/SubscriptionJson.ts"
import type { SubscriptionListRequest } from "../subscription/Subscriptions.ts"
import { isZoneCurrent } from "../value/Calendar.ts"
import type { Mode } from "../value/Mode.ts"
import type { WebhookSender } from "../webhook/sending/WebhookSender.ts"
import { customersOf, formHooksOf, paymentLinksOf } from "./EmbeddedLinks.ts"
import * as EmbeddedLogins from "./EmbeddedLogins.ts"
import { tariffsOf } from "./EmbeddedTariffs.ts"
import { webhooksOf } from "./EmbeddedWebhooks.ts"
import type { RunPromise } from "./Promises.ts"

/** What the platform of an embedded engine provides. */
export type EmbeddedPlatform = Platform | SecretBox.Requirements | WebhookSender

/** The parts of an embedded engine. */
export interface EngineOptions<E> {
  /** A storage adapter, as `sqlite({ filename })` of `@tolem/adapter-sqlite`. */
  readonly database: Layer.Layer<Stores, E, SecretBox.SecretBox>
  /** A provider adapter, through whom live invoices are paid; without it there is no live mode. */
  readonly provider?: Layer.Layer<PaymentProvider>
  /** What carries login codes, the preferred channel first. Without one there is no login by code. */
  readonly codeChannels?: ReadonlyArray<EmbeddedLogins.EmbeddedChannel>
  /** The platform, as `nodePlatform()` of `@tolem/adapter-node`. */
  readonly platform: Layer.Layer<EmbeddedPlatform>
  /** Texts that secrets at rest are encrypted with: the first seals, all open. At least 32 random characters each. */
  readonly secretKeys: readonly [string, ...ReadonlyArray<string>]
  /** What differs from the default settings, as `{ webhook: { timeoutMs: 5000 } }`. */
  readonly settings?: SettingsPart
  /** Whether this process makes due things happen: expiry, webhooks. Default true. */
  readonly agents?: boolean
}

/** What the engine refused: `code` is stable, `message` is for people (Kazakh). */
export class TolemError extends Error {
  override readonly name = "TolemError"
  readonly code: Code
  /** How long to wait, if the refusal says so. */
  readonly retryAfterSeconds: number | null
  constructor(code: Code, retryAfterSeconds: number | null = null) {
    super(entry(code).kk)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An invoice that was asked for by `create`. */
export type CreatedInvoice = InvoiceObject & { readonly idempotentReplay?: true }

/** Builds the engine and starts its agents. Fails if the database cannot be opened. */
export const createEngine = async <E>(options: EngineOptions<E>) => {
  if (!isZoneCurrent()) throw new Error("The time zone data of this runtime are older than Almaty's change of 2024")
  const secretKeys = options.secretKeys.map((key) => Redacted.make(key))
  const box = SecretBox.layer([Redacted.make(options.secretKeys[0]), ...secretKeys.slice(1)])
  const useCases = Engine.layer(options.settings)
  const all = options.agents === false ? useCases : Layer.provideMerge(Engine.agents, useCases)
  const layer = all.pipe(
    Layer.provide(options.database),
    Layer.provide(options.provider ?? Layer.empty),
    Layer.provide(EmbeddedLogins.channels(options.codeChannels)),
    Layer.provide(box),
    Layer.provide(options.platform)
  )
  const runtime = ManagedRuntime.make(layer)
  const engine = await runtime.runPromise(Engine)
  return embedded(
    engine,
    (effect) => runtime.runPromise(effect),
    () => runtime.dispose()
  )
}

/** The engine as promises. Every promise may be rejected with a `TolemError`. */
export type EmbeddedEngine = Awaited<ReturnType<typeof createEngine>>

type Coded = { readonly code: Code; readonly retryAfterSeconds?: number }

const embedded = (
  engine: Engine["Service"],
  runPromise: <A>(effect: Effect.Effect<A>) => Promise<A>,
  close: () => Promise<void>
) => {
  const run = async <A>(effect: Effect.Effect<A, Coded>): Promise<A> => {
    const result = await runPromise(Effect.result(effect))
    if (Result.isFailure(result)) throw new TolemError(result.failure.code, result.failure.retryAfterSeconds)
    return result.success
  }
  return {
    organizations: {
      /** Opens an organization; its owner's account is made if the phone is new. */
      create: (request: OrganizationRequest) => run(engine.organizations.create(request)),
      /** Switches the mode that an organization works in; `live` needs a cashier who works. */
      setMode: (organizationId: string, mode: Mode) =>
        run(Effect.map(engine.modes.switchTo(organizationId, mode), ({ id, mode }) => ({ id, mode }))),
      /** Makes a key for the HTTP interface. Its text is shown this once. */
      createKey: async (request: {
        readonly organizationId: string
        readonly mode: Mode
        readonly name: string
        readonly scopes: ReadonlyArray<KeyScope>
      }) => {
        const { key, text } = await run(engine.organizations.createKey(request))
        return { id: key.id, apiKey: Redacted.value(text) }
      }
    },
    /** What organizations may do, and how they pay for it. */
    tariffs: tariffsOf(engine, run),
    /** Cashiers at the provider, through whom live invoices are paid. */
    connections: connectionsOf(engine, run),
    /** People who log in by code. */
    logins: EmbeddedLogins.loginsOf(engine, run),
    /** What one organization does in one mode. */
    of: (owner: { readonly organizationId: string; readonly mode: Mode }) => {
      const caller: Caller = { ...owner, connectionId: null, source: "api" }
      return {
        invoices: invoicesOf(engine, caller, run),
        subscriptions: subscriptionsOf(engine, caller, run),
        paymentLinks: paymentLinksOf(engine, caller, run),
        formHooks: formHooksOf(engine, caller, run),
        webhooks: webhooksOf(engine, caller, run)
      }
    },
    /** What customers do at payment links and form hooks. */
    customers: customersOf(engine, run),
    sandbox: {
      /** Moves the clock of an organization's sandbox, and makes everything happen that falls due on the way. */
      advance: (organizationId: string, byMs: number) => run(engine.sandboxTime.advance(organizationId, byMs))
    },
    /** Checks the stored data against itself; empty if all is well. */
    verify: (): Promise<ReadonlyArray<Finding>> => run(engine.integrity.findings),
    /** Stops the agents, lets running work finish, closes the database. */
    close
  }
}

const invoicesOf = (engine: Engine["Service"], caller: Caller, run: RunPromise) => {
  const { invoices, settings } = engine
  const object = (effect: Effect.Effect<Invoice, Coded>): Promise<InvoiceObject> =>
    run(Effect.map(effect, (invoice) => invoiceObject(invoice, settings)))
  const answer = ({ invoice, replayed }: CreateResult): CreatedInvoice =>
    replayed ? { ...invoiceObject(invoice, settings), idempotentReplay: true } : invoiceObject(invoice, settings)
  return {
    /** Creates an invoice; with an `idempotencyKey` that was used before, answers the earlier one. */
    create: (request: InvoiceRequest): Promise<CreatedInvoice> =>
      run(Effect.map(invoices.create(caller, { body: request }), answer)),
    /** Creates 1 to 100 invoices, each by itself, and answers in their order. */
    bulk: (requests: ReadonlyArray<InvoiceRequest>) =>
      run(
        Effect.map(
          invoices.bulk(
            caller,
            requests.map((body) => ({ body }))
          ),
          (results) =>
            results.map((result, index) =>
              Result.isSuccess(result)
                ? { index, ok: true as const, invoice: answer(result.success) }
                : { index, ok: false as const, error: result.failure.code }
            )
        )
      ),
    /** The invoice with its events and refunds. */
    get: (id: string) =>
      run(
        Effect.map(invoices.get(caller, id), ({ invoice, events, refunds }) => ({
          ...invoiceObject(invoice, settings),
          events: events.map(eventJson),
          refunds: refunds.map(refundJson)
        }))
      ),
    /** A page of invoices, newest first. */
    list: (request: ListRequest = {}) =>
      run(
        Effect.map(invoices.list(caller, request), (page) => ({
          ...page,
          invoices: page.invoices.map((invoice) => invoiceObject(invoice, settings))
        }))
      ),
    /** Closes an open invoice. */
    cancel: (id: string) => object(invoices.cancel(caller, id)),
    /** Gives back `amount` tenge, or all that is left. */
    refund: (
      id: string,
      request: { readonly amount?: number; readonly reason?: string; readonly idempotencyKey?: string } = {}
    ) => object(Effect.map(invoices.refund(caller, id, { body: request }), ({ invoice }) => invoice)),
    /** Sandbox only: pretends that the provider reported this status. */
    simulate: (id: string, status: SimulatedStatus) => object(invoices.simulate(caller, id, { status }))
  }
}

const connectionsOf = ({ connections }: Engine["Service"], run: RunPromise) => ({
  /** Adds a cashier, who has yet to log in. */
  create: async (organizationId: string, request: { readonly name: string }) => {
    const { id, name, status } = await run(connections.create(organizationId, { name: request.name }))
    return { id, name, status }
  },
  /** The organization's cashiers, oldest first. */
  list: async (organizationId: string) => {
    const all = await run(connections.list(organizationId))
    return all.map(({ id, name, status, isDefault }) => ({ id, name, status, isDefault }))
  },
  /** Begins a login, which lives for ten minutes. */
  initLogin: async (organizationId: string, id: string) => {
    const { id: processId } = await run(connections.initLogin(organizationId, id))
    return { processId }
  },
  /** Has a code sent to the cashier's phone, 7XXXXXXXXXX. */
  sendPhone: (organizationId: string, id: string, request: { readonly processId: string; readonly phone: string }) =>
    run(connections.sendPhone(organizationId, id, request)),
  /** Ends the login with that code. */
  verifyOtp: async (
    organizationId: string,
    id: string,
    { processId, otp }: { readonly processId: string; readonly otp: string }
  ) => {
    const request = { processId, otp: Redacted.make(otp) }
    const { status } = await run(connections.verifyOtp(organizationId, id, request))
    return { id, status }
  }
})

const subscriptionsOf = ({ subscriptions, settings }: Engine["Service"], caller: Caller, run: RunPromise) => {
  const object = (effect: Effect.Effect<Subscription, Coded>): Promise<SubscriptionObject> =>
    run(Effect.map(effect, toSubscription))
  return {
    /** Creates a subscription; with an `idempotencyKey` that was used before, answers the earlier one. */
    create: (request: SubscriptionCreate) =>
      object(Effect.map(subscriptions.create(caller, { body: request }), ({ subscription }) => subscription)),
    get: (id: string) => object(subscriptions.get(caller, id)),
    /** A page of subscriptions, newest first. */
    list: (request: SubscriptionListRequest = {}) =>
      run(
        Effect.map(subscriptions.list(caller, request), (page) => ({
          ...page,
          subscriptions: page.subscriptions.map(toSubscription)
        }))
      ),
    /** Changes what is given; the rest stays. */
    patch: (id: string, changes: SubscriptionChanges) => object(subscriptions.patch(caller, id, { body: changes })),
    pause: (id: string) => object(subscriptions.pause(caller, id)),
    resume: (id: string) => object(subscriptions.resume(caller, id)),
    cancel: (id: string) => object(subscriptions.cancel(caller, id)),
    /** Makes an invoice out of schedule. */
    run: (id: string): Promise<InvoiceObject> =>
      run(Effect.map(subscriptions.run(caller, id), (invoice) => invoiceObject(invoice, settings)))
  }
}
