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
import type { Digest, Mac, SecureRandom } from "effect/crypto"
import { Access } from "../access/Access.ts"
import type { RateStore } from "../access/RateStore.ts"
import { Visitors } from "../access/Visitors.ts"
import { Attention } from "../attention/Attention.ts"
import type { AttentionStore } from "../attention/AttentionStore.ts"
import type { ChangeStore } from "../attention/ChangeStore.ts"
import { DeskChanges } from "../attention/DeskChanges.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import { TariffSales } from "../billing/TariffSales.ts"
import { DeskConnections } from "../cabinet/DeskConnections.ts"
import { DeskInvoices } from "../cabinet/DeskInvoices.ts"
import { Desks } from "../cabinet/Desks.ts"
import { DeskWebhooks } from "../cabinet/DeskWebhooks.ts"
import { Exports } from "../cabinet/export/Exports.ts"
import { Journal } from "../cabinet/journal/Journal.ts"
import type { StatementLetterStore } from "../cabinet/letter/StatementLetterStore.ts"
import { StatementLetters } from "../cabinet/letter/StatementLetters.ts"
import { LinkStatistics } from "../cabinet/link/LinkStatistics.ts"
import { OwnOrganizations } from "../cabinet/OwnOrganizations.ts"
import type { ReportStore } from "../cabinet/ReportStore.ts"
import { Reports } from "../cabinet/Reports.ts"
import type { MovementStore } from "../cabinet/statement/MovementStore.ts"
import { Statements } from "../cabinet/statement/Statements.ts"
import { Team } from "../cabinet/Team.ts"
import type { ConnectionStore } from "../connection/ConnectionStore.ts"
import { Connections } from "../connection/Connections.ts"
import { Modes } from "../connection/Modes.ts"
import type { ProfileStore } from "../face/ProfileStore.ts"
import { Profiles } from "../face/Profiles.ts"
import { Feed } from "../feed/Feed.ts"
import type { FeedStore } from "../feed/FeedStore.ts"
import type { ReactionStore } from "../feed/ReactionStore.ts"
import { Reactions } from "../feed/Reactions.ts"
import type { FormHookStore } from "../formhook/FormHookStore.ts"
import { FormHooks } from "../formhook/FormHooks.ts"
import type { FormRefusalStore } from "../formhook/FormRefusalStore.ts"
import { FormRefusals } from "../formhook/FormRefusals.ts"
import type { InvitationStore } from "../invitation/InvitationStore.ts"
import { Invitations } from "../invitation/Invitations.ts"
import { Commits } from "../invoice/Commits.ts"
import { InvoiceChanges } from "../invoice/changes/InvoiceChanges.ts"
import type { InvoiceStore } from "../invoice/InvoiceStore.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { LivePayments } from "../invoice/live/LivePayments.ts"
import { OfferOnOpen } from "../invoice/live/OfferOnOpen.ts"
import { Refunds } from "../invoice/live/Refunds.ts"
import { InvoiceLetters } from "../letters/InvoiceLetters.ts"
import type { LoginStore } from "../login/LoginStore.ts"
import { Logins } from "../login/Logins.ts"
import type { MailStore } from "../mail/MailStore.ts"
import type { BacklogStore } from "../measure/BacklogStore.ts"
import type { DirectoryStore } from "../merchant/DirectoryStore.ts"
import { KeyUses } from "../merchant/KeyUses.ts"
import { Members } from "../merchant/Members.ts"
import type { MerchantStore } from "../merchant/MerchantStore.ts"
import { Organizations } from "../merchant/Organizations.ts"
import type { MessengerLinkStore } from "../messenger/MessengerLinkStore.ts"
import { MessengerLinks } from "../messenger/MessengerLinks.ts"
import type { NoticeStore } from "../notice/NoticeStore.ts"
import { Notices } from "../notice/Notices.ts"
import * as ConsoleParts from "../operator/ConsoleParts.ts"
import { Operators } from "../operator/Operators.ts"
import type { PartnerStore } from "../partner/PartnerStore.ts"
import { Partners } from "../partner/Partners.ts"
import type { PaymentLinkStore } from "../paymentlink/PaymentLinkStore.ts"
import { PaymentLinks } from "../paymentlink/PaymentLinks.ts"
import type { PictureStore } from "../picture/PictureStore.ts"
import { PlatformHealth } from "../platform/PlatformHealth.ts"
import { PlatformWork } from "../platform/PlatformWork.ts"
import type { ServerStore } from "../platform/ServerStore.ts"
import type { WorkStore } from "../platform/WorkStore.ts"
import { ReconciliationRuns } from "../reconciliation/ReconciliationRuns.ts"
import type { ReconciliationStore } from "../reconciliation/ReconciliationStore.ts"
import { Reconciliations } from "../reconciliation/Reconciliations.ts"
import { RequestLog } from "../requestlog/RequestLog.ts"
import type { RequestLogStore } from "../requestlog/RequestLogStore.ts"
import { SubscriptionReports } from "../subscription/outlook/SubscriptionReports.ts"
import { SubscriptionRuns } from "../subscription/SubscriptionRuns.ts"
import type { SubscriptionStore } from "../subscription/SubscriptionStore.ts"
import { Subscriptions } from "../subscription/Subscriptions.ts"
import { Successors } from "../successor/Successors.ts"
import type { TariffStore } from "../tariff/TariffStore.ts"
import { Tariffs } from "../tariff/Tariffs.ts"
import type { ClockStore } from "../time/ClockStore.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { Ids } from "../value/Ids.ts"
import type { WebhookSender } from "../webhook/sending/WebhookSender.ts"
import type { WebhookStore } from "../webhook/WebhookStore.ts"
import { Webhooks } from "../webhook/Webhooks.ts"
import { Hints } from "../work/Hints.ts"
import type { OpenTransaction } from "../work/OpenTransaction.ts"
import { agents } from "./Agents.ts"
import { DeskSandbox } from "./DeskSandbox.ts"
import { type EngineParts, parts } from "./EngineParts.ts"
import type { Integrity } from "./Integrity.ts"
import type { SandboxStore } from "./SandboxStore.ts"
import { SandboxTime } from "./SandboxTime.ts"
import type { SealedTexts } from "./SealedTexts.ts"
import { Settings, type SettingsPart, withSettings } from "./Settings.ts"

/** Everything that a storage adapter provides. */
export type Stores =
  | InvoiceStore
  | ReportStore
  | MovementStore
  | StatementLetterStore
  | NoticeStore
  | MessengerLinkStore
  | AttentionStore
  | ChangeStore
  | SubscriptionStore
  | ConnectionStore
  | WebhookStore
  | FeedStore
  | ReactionStore
  | PaymentLinkStore
  | FormHookStore
  | FormRefusalStore
  | MerchantStore
  | ProfileStore
  | PictureStore
  | DirectoryStore
  | InvitationStore
  | ConsoleParts.ConsoleStores
  | TariffStore
  | PartnerStore
  | ReconciliationStore
  | AuditStore
  | ClockStore
  | SandboxStore
  | MailStore
  | LoginStore
  | RateStore
  | RequestLogStore
  | BacklogStore
  | ServerStore
  | WorkStore
  | Integrity
  | SealedTexts
  | OpenTransaction

/** Everything that the platform provides. */
export type Platform = Digest.Digest | Mac.Mac | SecureRandom.SecureRandom

// Each layer builds on those below it.
const useCases = Layer.mergeAll(
  Notices.layer,
  TariffSales.layer,
  Successors.layer,
  Team.layer,
  OwnOrganizations.layer,
  DeskInvoices.layer,
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
  Layer.provideMerge(Layer.mergeAll(Desks.layer, PaymentLinks.layer, FormHooks.layer)),
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
