/** All stores of the engine over one SQL client. */
import type { Stores } from "@tolem/core/engine/Engine"
import type { SecretBox, SecretUnreadable } from "@tolem/core/secret/SecretBox"
import { Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as AuditLog from "./audit/AuditLog.ts"
import * as BacklogStore from "./base/BacklogStore.ts"
import * as CopyMark from "./base/CopyMark.ts"
import { Database, type DatabaseOptions } from "./base/Database.ts"
import * as OpenTransactions from "./base/OpenTransactions.ts"
import * as SecretCheck from "./base/SecretCheck.ts"
import * as AttentionStore from "./cabinet/AttentionStore.ts"
import * as ChangeStore from "./cabinet/ChangeStore.ts"
import * as MovementStore from "./cabinet/MovementStore.ts"
import * as RefundListStore from "./cabinet/RefundListStore.ts"
import * as ReportStore from "./cabinet/ReportStore.ts"
import * as StatementLetterStore from "./cabinet/StatementLetterStore.ts"
import * as FeedStore from "./feed/FeedStore.ts"
import * as ReactionStore from "./feed/ReactionStore.ts"
import * as FormHookStore from "./form/FormHookStore.ts"
import * as FormRefusalStore from "./form/FormRefusalStore.ts"
import * as PaymentLinkStore from "./form/PaymentLinkStore.ts"
import * as Integrity from "./integrity/Integrity.ts"
import * as InvoiceStore from "./invoice/InvoiceStore.ts"
import * as LoginStore from "./login/LoginStore.ts"
import * as RateStore from "./login/RateStore.ts"
import * as MailStore from "./mail/MailStore.ts"
import * as ConnectionStore from "./merchant/ConnectionStore.ts"
import * as DirectoryStore from "./merchant/DirectoryStore.ts"
import * as InvitationStore from "./merchant/InvitationStore.ts"
import * as MerchantStore from "./merchant/MerchantStore.ts"
import * as PartnerStore from "./merchant/PartnerStore.ts"
import * as ProfileStore from "./merchant/ProfileStore.ts"
import * as MessengerLinkStore from "./notice/MessengerLinkStore.ts"
import * as NoticeStore from "./notice/NoticeStore.ts"
import * as ConsoleStore from "./operator/ConsoleStore.ts"
import * as OperatorStore from "./operator/OperatorStore.ts"
import * as PictureStore from "./picture/PictureStore.ts"
import * as ServerStore from "./platform/ServerStore.ts"
import * as WorkStore from "./platform/WorkStore.ts"
import * as ReconciliationStore from "./reconciliation/ReconciliationStore.ts"
import * as RequestLogStore from "./requestlog/RequestLogStore.ts"
import * as ClockStore from "./sandbox/ClockStore.ts"
import * as SandboxStore from "./sandbox/SandboxStore.ts"
import * as SealedTexts from "./seal/SealedTexts.ts"
import * as Sealer from "./seal/Sealer.ts"
import * as SubscriptionStore from "./subscription/SubscriptionStore.ts"
import * as BillStore from "./tariff/BillStore.ts"
import * as PayoutStore from "./tariff/PayoutStore.ts"
import * as TariffStore from "./tariff/TariffStore.ts"
import * as WebhookStore from "./webhook/WebhookStore.ts"

/** What the layer provides. */
export type { Stores }

/** Settings of the stores. */
export interface StoresOptions extends DatabaseOptions, InvoiceStore.Options, SecretCheck.Options, CopyMark.Options {}

/**
 * The stores over the client. The schema must be up to date, see `Migrations`. Fails with `SecretUnreadable` if the
 * database's secrets were sealed with keys that the box lacks, and with `CopyUnfinished` while another database is
 * copied into this one.
 */
export const layer = (
  options: StoresOptions = {}
): Layer.Layer<
  Stores,
  SqlError.SqlError | SecretUnreadable | CopyMark.CopyUnfinished,
  SqlClient.SqlClient | SecretBox
> =>
  Layer.mergeAll(
    InvoiceStore.layer(options),
    SubscriptionStore.layer(options),
    ReportStore.layer,
    MovementStore.layer,
    RefundListStore.layer,
    StatementLetterStore.layer,
    NoticeStore.layer,
    MessengerLinkStore.layer,
    AttentionStore.layer,
    ChangeStore.layer,
    WebhookStore.layer,
    FeedStore.layer,
    ReactionStore.layer,
    PaymentLinkStore.layer,
    FormHookStore.layer,
    MailStore.layer,
    LoginStore.layer,
    ClockStore.layer,
    SandboxStore.layer(options),
    MerchantStore.layer,
    ProfileStore.layer,
    PictureStore.layer,
    DirectoryStore.layer,
    InvitationStore.layer,
    OperatorStore.layer,
    ConsoleStore.layer,
    TariffStore.layer,
    BillStore.layer,
    PayoutStore.layer,
    PartnerStore.layer,
    ReconciliationStore.layer,
    AuditLog.layer,
    RateStore.layer,
    RequestLogStore.layer,
    FormRefusalStore.layer,
    BacklogStore.layer,
    ServerStore.layer,
    WorkStore.layer,
    Integrity.layer,
    ConnectionStore.layer,
    SealedTexts.layer,
    OpenTransactions.layer,
    SecretCheck.layer(options),
    options.readOnly === true ? Layer.empty : Sealer.layer
  ).pipe(Layer.provide(Database.layer(options)), Layer.provide(CopyMark.layer(options)))
