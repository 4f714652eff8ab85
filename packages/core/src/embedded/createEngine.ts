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
import { Context, Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { Engine, type Platform, type Stores, type UseCases } from "../engine/Engine.ts"
import type { Finding } from "../engine/Integrity.ts"
import type { SettingsPart } from "../engine/Settings.ts"
import type { Transacting } from "../feed/ReactionStore.ts"
import type { Caller } from "../invoice/InvoiceCreation.ts"
import type { Mailer } from "../mail/Mailer.ts"
import type { OrganizationDetails } from "../merchant/OrganizationRequests.ts"
import type { PictureMaker } from "../picture/PictureMaker.ts"
import type { PaymentProvider } from "../provider/PaymentProvider.ts"
import * as SecretBox from "../secret/SecretBox.ts"
import { isZoneCurrent } from "../value/Calendar.ts"
import type { ConnectionId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Tenant } from "../value/Tenant.ts"
import type { WebhookSender } from "../webhook/sending/WebhookSender.ts"
import { OpenTransaction } from "../work/OpenTransaction.ts"
import { makeAdmission } from "./Admission.ts"
import { type EventsOptions, eventsOf } from "./EmbeddedEvents.ts"
import { invoicesOf, type Runs, refundsOf, subscriptionsOf } from "./EmbeddedInvoices.ts"
import { customersOf, formHooksOf, paymentLinksOf } from "./EmbeddedLinks.ts"
import * as EmbeddedLogins from "./EmbeddedLogins.ts"
import { accountsOf, auditOf, connectionsOf, organizationsOf } from "./EmbeddedOrganizations.ts"
import { partnersOf, tariffsOf } from "./EmbeddedPartners.ts"
import { announce, during, ownConsumer, type ReactionHandlers, react, reactionsOf } from "./EmbeddedReactions.ts"
import { webhooksOf } from "./EmbeddedWebhooks.ts"
import type { RunPromise } from "./Faces.ts"
import type { EmbeddedLogger } from "./Logs.ts"
import * as Logs from "./Logs.ts"
import { attentionOf, reportsOf } from "./overview/EmbeddedReports.ts"
import { invitationsOf } from "./people/EmbeddedInvitations.ts"
import { membersOf } from "./people/EmbeddedMembers.ts"
import { EngineClosed, TolemError } from "./TolemError.ts"

/** What the platform of an embedded engine provides. */
export type EmbeddedPlatform = Platform | SecretBox.Requirements | WebhookSender

/** The parts of an embedded engine. */
export interface EngineOptions<E, Tx = unknown> {
  /** A storage adapter, as `sqlite({ filename })` of `@tolem/adapter-sqlite`. */
  readonly database: Layer.Layer<Stores, E, SecretBox.SecretBox> & Transacting<Tx>
  /**
   * What is done when something has happened, by the type of event: at least once, those of an invoice in order, by one
   * process at a time, also for what happened while none ran. Consumers of other names: `engine.reactions.add`.
   */
  readonly on?: ReactionHandlers<Tx>
  /** A provider adapter. Live invoices are paid through it; without it there is no live mode. */
  readonly provider?: Layer.Layer<PaymentProvider>
  /** Takes letters to customers: `defineMailer`, or `SmtpMailer.layer` of `@tolem/adapter-smtp`. Default: none. */
  readonly mailer?: Layer.Layer<Mailer>
  /** Draws pictures that people send, as `SharpPictures.layer` of `@tolem/adapter-sharp`. */
  readonly pictures?: Layer.Layer<PictureMaker>
  /** What carries login codes, the preferred one first; `"email"`: the `mailer`. Without one there is no such login. */
  readonly codeChannels?: ReadonlyArray<EmbeddedLogins.EmbeddedChannel | "email">
  /** The platform, as `nodePlatform()` of `@tolem/adapter-node`. */
  readonly platform: Layer.Layer<EmbeddedPlatform>
  /** Texts that secrets at rest are encrypted with: the first seals, all open. At least 32 random characters each. */
  readonly secretKeys: readonly [string, ...ReadonlyArray<string>]
  /**
   * `none`, the default: nothing in live mode is limited or ends because of a tariff. `catalogue`: organizations have
   * tariffs of `settings.tariffs.catalogue`, as those of the reference server do.
   */
  readonly tariffs?: "none" | "catalogue"
  /** What differs from the default settings, as `{ webhook: { timeoutMs: 5000 } }`. */
  readonly settings?: SettingsPart
  /** Takes what the engine logs, as `pino()` or `console`; without one it goes to standard output. */
  readonly logger?: EmbeddedLogger
  /** Where spans go, as `Otlp.layerJson({ baseUrl })` of `effect/observability`; without one nowhere. */
  readonly tracer?: Layer.Layer<never>
  /** Whether this process makes due things happen: expiry, webhooks. Default true. */
  readonly agents?: boolean
}

/** Builds the engine and starts its agents. Fails if the database cannot be opened. */
export const createEngine = async <E, Tx = unknown>(options: EngineOptions<E, Tx>): Promise<EmbeddedEngine<Tx>> => {
  if (!isZoneCurrent()) throw new Error("The time zone data of this runtime are older than Almaty's change of 2024")
  const secretKeys = options.secretKeys.map((key) => Redacted.make(key))
  const box = SecretBox.layer([Redacted.make(options.secretKeys[0]), ...secretKeys.slice(1)])
  const { tariffs = "none", settings = {} } = options
  const enforced = tariffs === "catalogue"
  const useCases = Engine.layer({ ...settings, tariffs: { ...settings.tariffs, enforced } })
  const all = options.agents === false ? useCases : Layer.provideMerge(Engine.agents, useCases)
  const layer = all.pipe(
    Layer.provideMerge(options.database),
    Layer.provide([options.provider ?? Layer.empty, options.mailer ?? Layer.empty, options.pictures ?? Layer.empty]),
    Layer.provide(EmbeddedLogins.channels(options.codeChannels)),
    Layer.provide(box),
    Layer.provideMerge(options.platform),
    Layer.provideMerge(Layer.merge(Logs.layer(options.logger), options.tracer ?? Layer.empty))
  )
  const runtime = ManagedRuntime.make(layer)
  const context = await runtime.context()
  const host: Host = { context, runPromise: (effect) => runtime.runPromise(effect), dispose: () => runtime.dispose() }
  const { on, agents = true } = options
  if (on === undefined) return embedded<Tx>(host)
  const [engine, named] = [Context.get(context, Engine), { name: ownConsumer }]
  const reacting = react(engine, named, on)
  // What happens before the first `tick` is heard of there.
  await (agents ? runtime.runPromise(reacting) : runtime.runPromise(announce(engine, named, on)))
  return embedded<Tx>(host, agents ? undefined : reacting)
}

/** What an embedded engine is made of. */
export type EmbeddedServices = Engine | UseCases | Stores | EmbeddedPlatform

interface Host {
  readonly context: Context.Context<EmbeddedServices>
  readonly runPromise: <A>(effect: Effect.Effect<A, never, EmbeddedServices>) => Promise<A>
  readonly dispose: () => Promise<void>
}

/** The engine as promises. Every promise may be rejected with a `TolemError`, after `close` with `EngineClosed`. */
export interface EmbeddedEngine<Tx = unknown> extends ReturnType<typeof embedded<Tx>> {}

/** What one organization does in one mode, as promises. */
export interface EmbeddedMerchant extends ReturnType<typeof merchantOf> {}

/** How long `close` waits for what is under way: longer than a server that stops waits for its requests. */
const closeMs = 10_000

/** What begins while the engine is open, is waited for when it is closed, and refused afterwards. */
const makeLife = ({ runPromise, dispose }: Host) => {
  const guests = new Set<() => Promise<void>>()
  const running = new Set<Promise<unknown>>()
  const leaving = new AbortController()
  let closing: Promise<void> | undefined
  const end = async () => {
    await runPromise(
      Effect.timeoutOption(
        Effect.promise(() => Promise.allSettled(running)),
        closeMs
      )
    )
    await Promise.all(Array.from(guests, (leave) => leave()))
    await dispose()
  }
  return {
    begin: async <A>(effect: Effect.Effect<A, never, EmbeddedServices>): Promise<A> => {
      if (closing !== undefined) throw new EngineClosed()
      const begun = runPromise(effect)
      running.add(begun)
      try {
        return await begun
      } catch (error) {
        throw closing === undefined ? error : new EngineClosed()
      } finally {
        running.delete(begun)
      }
    },
    beforeClose: (leave: () => Promise<void>): void => void guests.add(leave),
    close: (): Promise<void> => {
      closing ??= end()
      leaving.abort()
      return closing
    },
    /** Says that it is being closed, to what would wait for ever. */
    closing: leaving.signal
  }
}

const embedded = <Tx>(host: Host, reacting?: ReturnType<typeof react>) => {
  const { context } = host
  const engine = Context.get(context, Engine)
  const { begin, beforeClose, close, closing } = makeLife(host)
  const runBare: RunPromise = async (effect) => {
    const result = await begin(Effect.result(Effect.tapError(effect, Logs.logFailure)))
    if (Result.isFailure(result)) throw new TolemError(result.failure)
    return result.success
  }
  const { beside, note } = Context.get(context, OpenTransaction)
  const run: RunPromise = (effect) => runBare(Effect.andThen(beside({ writes: false }), effect))
  const admitted = makeAdmission(engine)
  const of = (owner: Tenant & { readonly connectionId?: ConnectionId | null }): EmbeddedMerchant =>
    merchantOf(
      engine,
      { connectionId: null, ...owner, source: "api" },
      { run: (effect) => run(admitted(owner.organizationId, effect)), runBare, note },
      closing
    )
  return {
    /** Organizations and their keys. */
    organizations: organizationsOf(engine, run),
    /** Cashiers at the provider. Live invoices are paid through them. */
    connections: connectionsOf(engine, run),
    /** Members of organizations. */
    members: membersOf(engine, run),
    /** Phones that organizations ask to become members. */
    invitations: invitationsOf(engine, run),
    /** People. */
    accounts: accountsOf(engine, run),
    /** People who log in by code. */
    logins: EmbeddedLogins.loginsOf(engine, run),
    /** What organizations may do, and how they pay for it. */
    tariffs: tariffsOf(engine, run),
    /** What partners do for their clients. */
    partners: partnersOf(engine, run),
    /** Who has done what. */
    audit: auditOf(engine, run),
    /**
     * What one organization does in one mode; with a `connectionId`, as a key that is bound to this cashier. Refused
     * if there is no such organization.
     */
    of,
    /**
     * What the organization that is called `key` here does in one mode. It is made if there is none: one, however often
     * and by how many processes at once this is asked. With `mode: "live"` it is switched to live mode if a cashier of
     * it works; until one does it stays in its sandbox, and creates in live mode are refused with `not_live`: ask again
     * once they have logged in, or call `organizations.switchMode`. Nothing is switched by `mode: "sandbox"`.
     */
    merchant: async ({ key, mode, ...request }: MerchantRequest): Promise<EmbeddedMerchant> => {
      const { organization } = await run(engine.organizations.ensure({ ownerPhone: ownPhone, ...request }, key))
      const { id: organizationId } = organization
      if (mode === "live")
        await run(Effect.catchTag(engine.modes.switchTo(organizationId, mode), "NoProvider", () => Effect.void))
      return of({ organizationId, mode })
    },
    /** What has happened to one organization in one mode: `engine.events({ organizationId, mode, after, types })`. */
    events: ({ organizationId, mode, ...options }: EventsOptions & Tenant) =>
      of({ organizationId, mode }).events(options),
    /** Code of the application that hears of events, beside that of `on`; see `createEngine`. */
    reactions: reactionsOf<Tx>(engine, run),
    /** What customers do at payment links and form hooks. */
    customers: customersOf(engine, run),
    /** Time in sandboxes. */
    sandbox: {
      /** Moves the clock of an organization's sandbox, and makes everything happen that falls due on the way. */
      advance: (organizationId: OrganizationId, byMs: number) => run(engine.sandboxTime.advance(organizationId, byMs))
    },
    /** Checks the stored data against itself; empty if all is well. */
    verify: (): Promise<ReadonlyArray<Finding>> => run(engine.integrity.findings),
    /**
     * Makes due things happen for so long, 10 seconds if nothing is said, and calls the handlers of `on`: in place of
     * agents where no process stays, as in a function that is called by the minute. What runs at the end is waited for:
     * handlers no longer than their own time, 8 seconds if the settings say nothing else.
     */
    tick: ({ forMs = 10_000 }: { readonly forMs?: number } = {}): Promise<void> => {
      const due = Effect.provide(Effect.sleep(forMs), Layer.fresh(Engine.agents))
      return run(Effect.provideContext(reacting === undefined ? due : during(reacting, due), context))
    },
    /** For packages that build on the engine: what it is made of, and what is to be ended before it is closed. */
    host: {
      /** The services of the engine, for effects of the package's own. */
      context,
      /** Has this ended before the engine is closed. */
      beforeClose
    },
    /** Stops the agents, lets running work finish, closes the database. Whatever is asked afterwards is refused. */
    close
  }
}

/** What an application calls one of its organizations, and how it is made. */
export type MerchantRequest = Omit<OrganizationDetails, "ownerPhone"> & {
  /** The application's own name of it, 1 to 255 characters. */
  readonly key: string
  readonly mode: Mode
  /** 7XXXXXXXXXX. Without it the organization belongs to the application itself, and no person owns it. */
  readonly ownerPhone?: string
}

/** A phone that no person has: there is no network `000`. */
const ownPhone = "70000000000"

const merchantOf = (engine: Engine["Service"], caller: Caller, runs: Runs, closing: AbortSignal) => ({
  /** Whose all this is. */
  organizationId: caller.organizationId,
  /** In which mode. */
  mode: caller.mode,
  /** What is to be paid, and what was. */
  invoices: invoicesOf(engine, caller, runs),
  /** Refunds of which the provider has not told what became. */
  refunds: refundsOf(engine, caller, runs.run),
  /** Invoices that are made by themselves, on their dates. */
  subscriptions: subscriptionsOf(engine, caller, runs.run),
  /** Addresses at which customers have invoices made. */
  paymentLinks: paymentLinksOf(engine, caller, runs.run),
  /** The same for forms of web sites. */
  formHooks: formHooksOf(engine, caller, runs.run),
  /** Addresses that events are sent to. */
  webhooks: webhooksOf(engine, caller, runs.run),
  /** Invoices by cursor, sums, and totals of periods. */
  reports: reportsOf(engine, caller, runs.run),
  /** What a person has to look at. */
  attention: attentionOf(engine, caller, runs.run),
  /** What has happened, in order: `for await (const event of shop.events({ after }))`, or a page at a time. */
  events: eventsOf(engine, caller, runs.run, closing)
})
