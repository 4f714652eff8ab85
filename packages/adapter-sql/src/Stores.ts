/** All stores of the engine over one SQL client. */
import type { RateStore as RatePort } from "@tolem/core/access/RateStore"
import type { AuditStore as AuditPort } from "@tolem/core/audit/AuditStore"
import type { ConnectionStore as ConnectionPort } from "@tolem/core/connection/ConnectionStore"
import type { Integrity as IntegrityPort } from "@tolem/core/engine/Integrity"
import type { SandboxStore as SandboxPort } from "@tolem/core/engine/SandboxStore"
import type { SealedTexts as SealedTextsPort } from "@tolem/core/engine/SealedTexts"
import type { FeedStore as FeedPort } from "@tolem/core/feed/FeedStore"
import type { ReactionStore as ReactionPort } from "@tolem/core/feed/ReactionStore"
import type { FormHookStore as FormHookPort } from "@tolem/core/formhook/FormHookStore"
import type { InvoiceStore as InvoicePort } from "@tolem/core/invoice/InvoiceStore"
import type { LoginStore as LoginPort } from "@tolem/core/login/LoginStore"
import type { MailStore as MailPort } from "@tolem/core/mail/MailStore"
import type { DirectoryStore as DirectoryPort } from "@tolem/core/merchant/DirectoryStore"
import type { MerchantStore as MerchantPort } from "@tolem/core/merchant/MerchantStore"
import type { PartnerStore as PartnerPort } from "@tolem/core/partner/PartnerStore"
import type { PaymentLinkStore as PaymentLinkPort } from "@tolem/core/paymentlink/PaymentLinkStore"
import type { SecretBox, SecretUnreadable } from "@tolem/core/secret/SecretBox"
import type { SubscriptionStore as SubscriptionPort } from "@tolem/core/subscription/SubscriptionStore"
import type { TariffStore as TariffPort } from "@tolem/core/tariff/TariffStore"
import type { ClockStore as ClockPort } from "@tolem/core/time/ClockStore"
import type { WebhookStore as WebhookPort } from "@tolem/core/webhook/WebhookStore"
import { Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as AuditLog from "./audit/AuditLog.ts"
import { Database, type DatabaseOptions } from "./base/Database.ts"
import * as SecretCheck from "./base/SecretCheck.ts"
import * as FeedStore from "./feed/FeedStore.ts"
import * as ReactionStore from "./feed/ReactionStore.ts"
import * as FormHookStore from "./form/FormHookStore.ts"
import * as PaymentLinkStore from "./form/PaymentLinkStore.ts"
import * as Integrity from "./integrity/Integrity.ts"
import * as InvoiceStore from "./invoice/InvoiceStore.ts"
import * as LoginStore from "./login/LoginStore.ts"
import * as RateStore from "./login/RateStore.ts"
import * as MailStore from "./mail/MailStore.ts"
import * as ConnectionStore from "./merchant/ConnectionStore.ts"
import * as DirectoryStore from "./merchant/DirectoryStore.ts"
import * as MerchantStore from "./merchant/MerchantStore.ts"
import * as PartnerStore from "./merchant/PartnerStore.ts"
import * as ClockStore from "./sandbox/ClockStore.ts"
import * as SandboxStore from "./sandbox/SandboxStore.ts"
import * as SealedTexts from "./seal/SealedTexts.ts"
import * as Sealer from "./seal/Sealer.ts"
import * as SubscriptionStore from "./subscription/SubscriptionStore.ts"
import * as TariffStore from "./tariff/TariffStore.ts"
import * as WebhookStore from "./webhook/WebhookStore.ts"

/** Settings of the stores. */
export interface StoresOptions extends DatabaseOptions, InvoiceStore.Options, SecretCheck.Options {}

/** What the layer provides. */
export type Stores =
  | InvoicePort
  | SubscriptionPort
  | ConnectionPort
  | WebhookPort
  | FeedPort
  | ReactionPort
  | PaymentLinkPort
  | FormHookPort
  | MerchantPort
  | DirectoryPort
  | TariffPort
  | PartnerPort
  | AuditPort
  | ClockPort
  | SandboxPort
  | MailPort
  | LoginPort
  | RatePort
  | IntegrityPort
  | SealedTextsPort

/**
 * The stores over the client. The schema must be up to date, see `Migrations`. Fails with `SecretUnreadable` if the
 * database's secrets were sealed with keys that the box lacks.
 */
export const layer = (
  options: StoresOptions = {}
): Layer.Layer<Stores, SqlError.SqlError | SecretUnreadable, SqlClient.SqlClient | SecretBox> =>
  Layer.mergeAll(
    InvoiceStore.layer(options),
    SubscriptionStore.layer(options),
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
    DirectoryStore.layer,
    TariffStore.layer,
    PartnerStore.layer,
    AuditLog.layer,
    RateStore.layer,
    Integrity.layer,
    ConnectionStore.layer,
    SealedTexts.layer,
    SecretCheck.layer(options),
    options.readOnly === true ? Layer.empty : Sealer.layer
  ).pipe(Layer.provide(Database.layer(options)))
