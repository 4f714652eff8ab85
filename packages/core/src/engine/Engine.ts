/**
 * The engine: all use-cases over ports that the application chooses, and the agents that make due things happen.
 *
 * ```text
 * Engine.layer    use-cases     needs Stores, Platform; PaymentProvider for live mode
 * Engine.agents   background    needs the engine, and a WebhookSender
 * ```
 * A command-line tool takes the use-cases only; a server takes both. Any number of servers may run on one database.
 */
import { Context, Effect, Layer } from "effect"
import { Access } from "../access/Access.ts"
import { Visitors } from "../access/Visitors.ts"
import { Attention } from "../attention/Attention.ts"
import { DeskChanges } from "../attention/DeskChanges.ts"
import { TariffSales } from "../billing/TariffSales.ts"
import { DeskConnections } from "../cabinet/DeskConnections.ts"
import { DeskInvoices } from "../cabinet/DeskInvoices.ts"
import { Desks } from "../cabinet/Desks.ts"
import { DeskWebhooks } from "../cabinet/DeskWebhooks.ts"
import { Exports } from "../cabinet/export/Exports.ts"
import { Journal } from "../cabinet/journal/Journal.ts"
import { StatementLetters } from "../cabinet/letter/StatementLetters.ts"
import { LinkStatistics } from "../cabinet/link/LinkStatistics.ts"
import { OwnOrganizations } from "../cabinet/OwnOrganizations.ts"
import { Reports } from "../cabinet/Reports.ts"
import { DeskRefunds } from "../cabinet/refund/DeskRefunds.ts"
import { Statements } from "../cabinet/statement/Statements.ts"
import { Team } from "../cabinet/Team.ts"
import { DeskTariffs } from "../cabinet/tariff/DeskTariffs.ts"
import { Connections } from "../connection/Connections.ts"
import { Modes } from "../connection/Modes.ts"
import { Profiles } from "../face/Profiles.ts"
import { Feed } from "../feed/Feed.ts"
import { Reactions } from "../feed/Reactions.ts"
import { FormHooks } from "../formhook/FormHooks.ts"
import { FormRefusals } from "../formhook/FormRefusals.ts"
import { Invitations } from "../invitation/Invitations.ts"
import { Commits } from "../invoice/Commits.ts"
import { InvoiceChanges } from "../invoice/changes/InvoiceChanges.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { LivePayments } from "../invoice/live/LivePayments.ts"
import { OfferOnOpen } from "../invoice/live/OfferOnOpen.ts"
import { Refunds } from "../invoice/live/Refunds.ts"
import { InvoiceLetters } from "../letters/InvoiceLetters.ts"
import { Logins } from "../login/Logins.ts"
import { KeyUses } from "../merchant/KeyUses.ts"
import { Members } from "../merchant/Members.ts"
import { Organizations } from "../merchant/Organizations.ts"
import { MessengerLinks } from "../messenger/MessengerLinks.ts"
import { Notices } from "../notice/Notices.ts"
import * as ConsoleParts from "../operator/ConsoleParts.ts"
import { Operators } from "../operator/Operators.ts"
import { Partners } from "../partner/Partners.ts"
import { PaymentLinks } from "../paymentlink/PaymentLinks.ts"
import { PlatformHealth } from "../platform/PlatformHealth.ts"
import { PlatformWork } from "../platform/PlatformWork.ts"
import { ReconciliationRuns } from "../reconciliation/ReconciliationRuns.ts"
import { Reconciliations } from "../reconciliation/Reconciliations.ts"
import { RequestLog } from "../requestlog/RequestLog.ts"
import { SubscriptionReports } from "../subscription/outlook/SubscriptionReports.ts"
import { SubscriptionRuns } from "../subscription/SubscriptionRuns.ts"
import { Subscriptions } from "../subscription/Subscriptions.ts"
import { Successors } from "../successor/Successors.ts"
import { Tariffs } from "../tariff/Tariffs.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { Ids } from "../value/Ids.ts"
import type { WebhookSender } from "../webhook/sending/WebhookSender.ts"
import { Webhooks } from "../webhook/Webhooks.ts"
import { Hints } from "../work/Hints.ts"
import { agents } from "./Agents.ts"
import { DeskSandbox } from "./DeskSandbox.ts"
import { type EngineParts, parts } from "./EngineParts.ts"
import type { Platform, Stores } from "./Ports.ts"
import { SandboxTime } from "./SandboxTime.ts"
import { Settings, type SettingsPart, withSettings } from "./Settings.ts"

export type { Platform, Stores }

// Each layer builds on those below it.
const useCases = Layer.mergeAll(
  Notices.layer,
  Successors.layer,
  Team.layer,
  OwnOrganizations.layer,
  DeskInvoices.layer,
  DeskRefunds.layer,
  DeskTariffs.layer,
  DeskConnections.layer,
  DeskWebhooks.layer,
  DeskSandbox.layer,
  Exports.layer,
  Journal.layer,
  ConsoleParts.layer,
  Reports.layer,
  LinkStatistics.layer,
  Statements.layer,
  Reconciliations.layer,
  StatementLetters.layer,
  Attention.layer,
  PlatformHealth.layer,
  PlatformWork.layer,
  DeskChanges.layer,
  SubscriptionReports.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(Desks.layer, PaymentLinks.layer, FormHooks.layer, TariffSales.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      ReconciliationRuns.layer,
      Subscriptions.layer,
      SandboxTime.layer,
      Invoices.layer,
      Refunds.layer,
      Webhooks.layer,
      Feed.layer,
      InvoiceChanges.layer,
      Reactions.layer,
      Partners.layer,
      Members.layer,
      Invitations.layer,
      Operators.layer,
      InvoiceLetters.layer,
      MessengerLinks.layer,
      Access.layer,
      Logins.layer
    )
  ),
  Layer.provideMerge(Layer.mergeAll(SubscriptionRuns.layer, OfferOnOpen.layer, Organizations.layer, Profiles.layer)),
  Layer.provideMerge(LivePayments.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Commits.layer,
      Connections.layer,
      Modes.layer,
      KeyUses.layer,
      RequestLog.layer,
      FormRefusals.layer,
      SandboxClocks.layer,
      Tariffs.layer
    )
  ),
  Layer.provideMerge(Layer.mergeAll(Ids.layer, Hints.layer, Visitors.layer))
)

/** The use-cases, each also a service of its own, with what they share. Types of other packages name each. */
export type UseCases =
  | TariffSales
  | PaymentLinks
  | FormHooks
  | Successors
  | Team
  | OwnOrganizations
  | DeskInvoices
  | DeskRefunds
  | DeskTariffs
  | DeskConnections
  | DeskWebhooks
  | DeskSandbox
  | Reports
  | LinkStatistics
  | Statements
  | Reconciliations
  | StatementLetters
  | Notices
  | MessengerLinks
  | Exports
  | Journal
  | Attention
  | PlatformHealth
  | PlatformWork
  | DeskChanges
  | Desks
  | ReconciliationRuns
  | Subscriptions
  | SubscriptionReports
  | SandboxTime
  | Invoices
  | Refunds
  | Webhooks
  | Feed
  | InvoiceChanges
  | Reactions
  | Partners
  | Members
  | Invitations
  | ConsoleParts.ConsoleUseCases
  | InvoiceLetters
  | Access
  | Logins
  | SubscriptionRuns
  | OfferOnOpen
  | Organizations
  | Profiles
  | LivePayments
  | Commits
  | Connections
  | Modes
  | KeyUses
  | RequestLog
  | FormRefusals
  | SandboxClocks
  | Tariffs
  | Ids
  | Hints
  | Visitors

/** The use-cases in one place, for applications that embed the engine. */
export class Engine extends Context.Service<Engine, EngineParts>()("@tolem/core/Engine") {
  /** The use-cases over the ports. What `part` leaves out is as in the settings provided. Starts nothing. */
  static readonly layer = (part: SettingsPart = {}): Layer.Layer<Engine | UseCases, never, Stores | Platform> =>
    Layer.unwrap(
      Effect.map(Settings, (settings) =>
        engine.pipe(Layer.provideMerge(useCases), Layer.provide(Layer.succeed(Settings, withSettings(settings, part))))
      )
    )

  /**
   * Runs the agents, with the engine's settings, for as long as the layer is open; closing it lets running work finish
   * (bounded).
   */
  static readonly agents: Layer.Layer<never, never, Engine | Stores | Platform | UseCases | WebhookSender> =
    Layer.unwrap(Effect.map(Engine, ({ settings }) => Layer.provide(agents, Layer.succeed(Settings, settings))))
}

const engine = Layer.effect(Engine, parts)
