/** What the engine is made of, by name. */

import { Effect, type Option } from "effect"
import { Access } from "../access/Access.ts"
import { Visitors } from "../access/Visitors.ts"
import { Attention } from "../attention/Attention.ts"
import { DeskChanges } from "../attention/DeskChanges.ts"
import { AuditStore } from "../audit/AuditStore.ts"
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
import { InvoiceChanges } from "../invoice/changes/InvoiceChanges.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { OfferOnOpen } from "../invoice/live/OfferOnOpen.ts"
import { Refunds } from "../invoice/live/Refunds.ts"
import { InvoiceLetters } from "../letters/InvoiceLetters.ts"
import { Logins } from "../login/Logins.ts"
import { DirectoryStore } from "../merchant/DirectoryStore.ts"
import { Members } from "../merchant/Members.ts"
import { Organizations } from "../merchant/Organizations.ts"
import { MessengerLinks } from "../messenger/MessengerLinks.ts"
import { Notices } from "../notice/Notices.ts"
import { AccountConsole } from "../operator/console/AccountConsole.ts"
import { EarningConsole } from "../operator/console/EarningConsole.ts"
import { JournalConsole } from "../operator/console/JournalConsole.ts"
import { Looks } from "../operator/console/Looks.ts"
import { OrganizationConsole } from "../operator/console/OrganizationConsole.ts"
import { RefundQuestions } from "../operator/console/RefundQuestions.ts"
import { Operators } from "../operator/Operators.ts"
import { Partners } from "../partner/Partners.ts"
import { PaymentLinks } from "../paymentlink/PaymentLinks.ts"
import { PictureMaker } from "../picture/PictureMaker.ts"
import { PictureStore } from "../picture/PictureStore.ts"
import { PlatformHealth } from "../platform/PlatformHealth.ts"
import { PlatformWork } from "../platform/PlatformWork.ts"
import { Reconciliations } from "../reconciliation/Reconciliations.ts"
import { RequestLog } from "../requestlog/RequestLog.ts"
import { SubscriptionReports } from "../subscription/outlook/SubscriptionReports.ts"
import { Subscriptions } from "../subscription/Subscriptions.ts"
import { Successors } from "../successor/Successors.ts"
import { Tariffs } from "../tariff/Tariffs.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { Webhooks } from "../webhook/Webhooks.ts"
import { DeskSandbox } from "./DeskSandbox.ts"
import { Integrity } from "./Integrity.ts"
import { SandboxTime } from "./SandboxTime.ts"
import { Settings } from "./Settings.ts"

/** The use-cases by name. A type of their own, so that editors show the comments of what is published. */
export interface EngineParts {
  readonly invoices: Invoices["Service"]
  readonly refunds: Refunds["Service"]
  readonly subscriptions: Subscriptions["Service"]
  readonly subscriptionReports: SubscriptionReports["Service"]
  readonly webhooks: Webhooks["Service"]
  readonly feed: Feed["Service"]
  readonly reactions: Reactions["Service"]
  readonly paymentLinks: PaymentLinks["Service"]
  readonly formHooks: FormHooks["Service"]
  readonly formRefusals: FormRefusals["Service"]
  readonly organizations: Organizations["Service"]
  readonly profiles: Profiles["Service"]
  readonly pictures: PictureStore["Service"]
  /** Draws images, if the engine was given what does. */
  readonly pictureMaker: Option.Option<PictureMaker["Service"]>
  readonly tariffs: Tariffs["Service"]
  readonly tariffSales: TariffSales["Service"]
  readonly partners: Partners["Service"]
  readonly directory: DirectoryStore["Service"]
  readonly members: Members["Service"]
  readonly desks: Desks["Service"]
  readonly deskInvoices: DeskInvoices["Service"]
  readonly deskRefunds: DeskRefunds["Service"]
  readonly deskTariffs: DeskTariffs["Service"]
  readonly deskConnections: DeskConnections["Service"]
  readonly deskWebhooks: DeskWebhooks["Service"]
  readonly deskSandbox: DeskSandbox["Service"]
  readonly reports: Reports["Service"]
  readonly linkStatistics: LinkStatistics["Service"]
  readonly statements: Statements["Service"]
  readonly reconciliations: Reconciliations["Service"]
  readonly statementLetters: StatementLetters["Service"]
  readonly notices: Notices["Service"]
  readonly messengerLinks: MessengerLinks["Service"]
  readonly exports: Exports["Service"]
  readonly journal: Journal["Service"]
  readonly attention: Attention["Service"]
  readonly platformHealth: PlatformHealth["Service"]
  readonly platformWork: PlatformWork["Service"]
  readonly deskChanges: DeskChanges["Service"]
  readonly team: Team["Service"]
  readonly operators: Operators["Service"]
  readonly organizationConsole: OrganizationConsole["Service"]
  readonly looks: Looks["Service"]
  readonly refundQuestions: RefundQuestions["Service"]
  readonly earningConsole: EarningConsole["Service"]
  readonly journalConsole: JournalConsole["Service"]
  readonly accountConsole: AccountConsole["Service"]
  readonly invitations: Invitations["Service"]
  readonly ownOrganizations: OwnOrganizations["Service"]
  readonly letters: InvoiceLetters["Service"]
  readonly audit: AuditStore["Service"]
  readonly connections: Connections["Service"]
  readonly modes: Modes["Service"]
  readonly access: Access["Service"]
  readonly visitors: Visitors["Service"]
  readonly requestLog: RequestLog["Service"]
  readonly logins: Logins["Service"]
  readonly opening: OfferOnOpen["Service"]
  readonly successors: Successors["Service"]
  readonly changes: InvoiceChanges["Service"]
  readonly clocks: SandboxClocks["Service"]
  readonly sandboxTime: SandboxTime["Service"]
  readonly integrity: Integrity["Service"]
  readonly settings: Settings
}

/** The use-cases of what provides them. */
export const parts = Effect.gen(function* () {
  const found: EngineParts = {
    invoices: yield* Invoices,
    refunds: yield* Refunds,
    subscriptions: yield* Subscriptions,
    subscriptionReports: yield* SubscriptionReports,
    webhooks: yield* Webhooks,
    feed: yield* Feed,
    reactions: yield* Reactions,
    paymentLinks: yield* PaymentLinks,
    formHooks: yield* FormHooks,
    formRefusals: yield* FormRefusals,
    organizations: yield* Organizations,
    profiles: yield* Profiles,
    pictures: yield* PictureStore,
    pictureMaker: yield* Effect.serviceOption(PictureMaker),
    tariffs: yield* Tariffs,
    tariffSales: yield* TariffSales,
    partners: yield* Partners,
    directory: yield* DirectoryStore,
    members: yield* Members,
    desks: yield* Desks,
    deskInvoices: yield* DeskInvoices,
    deskRefunds: yield* DeskRefunds,
    deskTariffs: yield* DeskTariffs,
    deskConnections: yield* DeskConnections,
    deskWebhooks: yield* DeskWebhooks,
    deskSandbox: yield* DeskSandbox,
    reports: yield* Reports,
    linkStatistics: yield* LinkStatistics,
    statements: yield* Statements,
    reconciliations: yield* Reconciliations,
    statementLetters: yield* StatementLetters,
    notices: yield* Notices,
    messengerLinks: yield* MessengerLinks,
    exports: yield* Exports,
    journal: yield* Journal,
    attention: yield* Attention,
    platformHealth: yield* PlatformHealth,
    platformWork: yield* PlatformWork,
    deskChanges: yield* DeskChanges,
    team: yield* Team,
    operators: yield* Operators,
    organizationConsole: yield* OrganizationConsole,
    looks: yield* Looks,
    refundQuestions: yield* RefundQuestions,
    earningConsole: yield* EarningConsole,
    journalConsole: yield* JournalConsole,
    accountConsole: yield* AccountConsole,
    invitations: yield* Invitations,
    ownOrganizations: yield* OwnOrganizations,
    letters: yield* InvoiceLetters,
    audit: yield* AuditStore,
    connections: yield* Connections,
    modes: yield* Modes,
    access: yield* Access,
    visitors: yield* Visitors,
    requestLog: yield* RequestLog,
    logins: yield* Logins,
    opening: yield* OfferOnOpen,
    successors: yield* Successors,
    changes: yield* InvoiceChanges,
    clocks: yield* SandboxClocks,
    sandboxTime: yield* SandboxTime,
    integrity: yield* Integrity,
    settings: yield* Settings
  }
  return found
})
